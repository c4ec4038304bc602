"""The objects in a YAML text that are of a kind, such as instances and templates, and the fields written in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.openapi.kind_schema import GroupVersionKind
from kro_ls.yaml_positions.access import field, text_of
from kro_ls.yaml_positions.nodes import Mapping, Node, Scalar, Sequence, walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.cursor.fields.declared import DeclaredField, ValuePath
    from kro_ls.yaml_positions.document import YamlDocument
    from kro_ls.yaml_positions.runs import PlacedChunk

_ROOTS = ("spec", "status")


def kind_of(node: Node | None) -> GroupVersionKind | None:
    """Return the kind that a mapping names in `apiVersion` and `kind`."""
    api_version, kind = (text_of(field(node, name)) for name in ("apiVersion", "kind"))
    if not api_version or not kind:
        return None
    group, _, version = api_version.rpartition("/")
    return GroupVersionKind(group, version, kind)


def keys_in(document: YamlDocument, wanted: DeclaredField) -> Iterator[tuple[PlacedChunk, Scalar]]:
    """Yield the keys in the objects of a document that write a field of the kind that declares it."""
    for placed in (document.frame, *document.chunks):
        if wanted.kind and wanted.name in placed.chunk.text:
            for node in objects_of(placed, wanted.kind):
                for key in _keys_of_object(node, wanted):
                    yield placed, key


def objects_of(placed: PlacedChunk, kind: GroupVersionKind) -> Iterator[Mapping]:
    """Yield the objects of a kind in a chunk; where the kind stands once in its text, nothing is looked at after it."""
    root, text = placed.chunk.root, placed.chunk.text
    left = text.count(kind.kind)
    for node in walk(root) if root and left else ():
        if isinstance(node, Mapping) and kind_of(node) == kind:
            yield node
            left -= 1
            if left == 0 and "*" not in text:  # what an alias names it does not write
                return


def _keys_of_object(node: Mapping, wanted: DeclaredField) -> Iterator[Scalar]:
    for name in _ROOTS:
        inner = node.get(name)
        if inner is not None:
            yield from _keys(inner, wanted, (name,))


def _keys(node: Node, wanted: DeclaredField, path: ValuePath) -> Iterator[Scalar]:
    if isinstance(node, Sequence):
        for item in node.items:
            yield from _keys(item, wanted, (*path, None))
    elif isinstance(node, Mapping):
        for entry in node.entries:
            if isinstance(entry.key, Scalar) and entry.name == wanted.name and wanted.is_at((*path, entry.name)):
                yield entry.key
            for step in _steps(entry.name, wanted, path):
                yield from _keys(entry.value, wanted, (*path, step))


def _steps(name: str | None, wanted: DeclaredField, path: ValuePath) -> tuple[str | None, ...]:
    """Return how a key leads on: as the name of a field, else as a key of a map."""
    if path[0] == "status":
        return (name,)
    is_field = name is not None and wanted.simple_schema.definition_of((*path[1:], name)) is not None
    return (name,) if is_field else (None,)
