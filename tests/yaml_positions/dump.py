"""Writes trees as plain values, for comparisons."""

from kro_ls.yaml_positions.documents.document import YamlDocument
from kro_ls.yaml_positions.documents.stream import YamlStream
from kro_ls.yaml_positions.nodes import Alias, Mapping, Node, Scalar

CUTS = (("spec", "schema", "/", "spec"), ("spec", "schema", "/", "status"), ("spec", "resources", "*"))


def outline(node: Node | None) -> object:
    """Give the texts of a tree; a damaged scalar has `!` before it, a missing one is None."""
    if node is None:
        return None
    if isinstance(node, Scalar):
        return None if node.style == "missing" else ("!" if node.damaged else "") + node.text
    if isinstance(node, Alias):
        return f"*{node.name}"
    if isinstance(node, Mapping):
        return {str(outline(entry.key)): outline(entry.value) for entry in node.entries}
    return [outline(item) for item in node.items]


def dump(node: Node | None) -> object:
    """Give everything a tree holds."""
    if node is None:
        return None
    head = (type(node).__name__, node.start, node.end)
    if isinstance(node, Scalar):
        return (*head, node.text, node.style, node.tag, node.damaged)
    if isinstance(node, Alias):
        return (*head, node.name, node.target is None)
    if isinstance(node, Mapping):
        return (*head, node.flow, [(dump(entry.key), dump(entry.value)) for entry in node.entries])
    return (*head, node.flow, [dump(item) for item in node.items])


def dump_document(document: YamlDocument) -> object:
    placed = [
        (p.path, p.start, p.pieces, dump(p.chunk.root), p.chunk.errors) for p in (document.frame, *document.chunks)
    ]
    return (document.start, document.end, placed, document.errors)


def dump_stream(stream: YamlStream) -> object:
    return [dump_document(document) for document in stream.documents]
