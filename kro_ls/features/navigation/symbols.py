"""The outline of a document: each RGD with its API's fields, its status, its resources and their objects.

Editors keep the lines of the symbols around the first visible line in sight (sticky scroll). They take the line of
the selection, so that of a definition is its `kind`, at the left edge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.analysis.model.model import Resource, ResourceType, SchemaSection
from kro_ls.cursor.parts import PlacedPart, parts
from kro_ls.features.convert import to_quick_range
from kro_ls.features.lsp_types import DocumentSymbol
from kro_ls.features.navigation.object_symbols import DEEPEST, Budget, entry_symbols
from kro_ls.yaml_positions.access import entries, field, resolved, text_of
from kro_ls.yaml_positions.nodes import Mapping, Node, Scalar
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.workspace.documents import Document

_RESOURCE_KINDS = {
    ResourceType.RESOURCE: types.SymbolKind.Object,
    ResourceType.COLLECTION: types.SymbolKind.Array,
    ResourceType.EXTERNAL: types.SymbolKind.Variable,
    ResourceType.EXTERNAL_COLLECTION: types.SymbolKind.Variable,
}


def document_symbols(document: Document) -> list[DocumentSymbol]:
    """Return the outline; ranges are in the client's units."""
    from kro_ls.features.navigation.described_symbols import described_symbols

    budget = Budget()
    found = [rgd_symbol(document, rgd, budget) for rgd in document.analysis.rgds]
    for described in document.described:
        found += described_symbols(document, described, budget)
    return sorted(found, key=lambda each: each.range.start)


def rgd_symbol(document: Document, rgd: RgdAnalysis, budget: Budget | None = None) -> DocumentSymbol:
    """Return the outline of one RGD; with a budget also the fields of its objects.

    Without one it selects the name, as a search for symbols does.
    """
    yaml = rgd.rgd.document
    name = yaml.child(("metadata", "name"))
    named = name is not None and isinstance(name.node, Scalar) and bool(name.node.text)
    selected = name.span if name and named else Span(yaml.start, yaml.start)
    kind = yaml.child(("kind",)) if budget else None
    if kind and kind.key_span:
        selected = Span(kind.key_span.start, kind.span.end)
    schema = rgd.rgd.schema
    return DocumentSymbol(
        name=name.node.text if name and isinstance(name.node, Scalar) and named else "ResourceGraphDefinition",
        detail=schema.section.kind if schema else None,
        kind=types.SymbolKind.Module,
        range=to_quick_range(document, Span(yaml.start, yaml.end)),
        selection_range=to_quick_range(document, selected),
        children=[_part_symbol(document, placed_part, budget) for placed_part in parts(rgd)],
    )


def _part_symbol(document: Document, placed_part: PlacedPart, budget: Budget | None) -> DocumentSymbol:
    part = placed_part.part
    if isinstance(part, SchemaSection):
        return _schema_symbol(document, placed_part, part)
    key = part.id_node or part.node
    kind = text_of(field(part.object, "kind"))
    return _symbol(
        document,
        placed_part,
        (key, part.node),
        part.id or "(no id)",
        _RESOURCE_KINDS[part.type],
        kind,
        [*_iterators(document, placed_part, part), *_parts_of_resource(document, placed_part, part, budget)],
    )


def _schema_symbol(document: Document, placed_part: PlacedPart, section: SchemaSection) -> DocumentSymbol:
    node = placed_part.span(section.node.span)
    schema = placed_part.rgd.rgd.schema
    key = schema.key_span if schema and schema.key_span else node
    return DocumentSymbol(
        name="schema",
        kind=types.SymbolKind.Interface,
        detail=section.kind,
        range=to_quick_range(document, Span(min(key.start, node.start), max(key.end, node.end))),
        selection_range=to_quick_range(document, key),
        children=[child for name in ("spec", "types", "status") for child in _section(document, placed_part, name)],
    )


def _iterators(document: Document, placed_part: PlacedPart, resource: Resource) -> list[DocumentSymbol]:
    return [
        _symbol(
            document, placed_part, (each.key, each.value), each.name, types.SymbolKind.Variable, text_of(each.value), []
        )
        for each in resource.dimensions
    ]


def _parts_of_resource(
    document: Document, placed_part: PlacedPart, resource: Resource, budget: Budget | None
) -> list[DocumentSymbol]:
    """Return the template or reference of a resource, and its conditions; not what has symbols of its own."""
    if budget is None or resource.children:
        return []
    own = [each for each in entries(resource.node) if each.name not in ("id", "forEach")]
    return entry_symbols(own, lambda span: to_quick_range(document, placed_part.span(span)), budget)


def _section(document: Document, placed_part: PlacedPart, name: str) -> Iterator[DocumentSymbol]:
    for entry in entries(placed_part.part.node):
        if entry.name == name:
            children = _fields(document, placed_part, entry.value, 0)
            nodes = (entry.key, entry.value)
            yield _symbol(document, placed_part, nodes, name, types.SymbolKind.Namespace, None, children)


def _fields(document: Document, placed_part: PlacedPart, node: Node, depth: int) -> list[DocumentSymbol]:
    found = []
    for entry in entries(node) if depth < DEEPEST else ():
        value = resolved(entry.value)
        if entry.name is not None:
            kind = types.SymbolKind.Struct if isinstance(value, Mapping) else types.SymbolKind.Field
            children = _fields(document, placed_part, entry.value, depth + 1)
            nodes = (entry.key, entry.value)
            found.append(_symbol(document, placed_part, nodes, entry.name, kind, text_of(value), children))
    return found


def _symbol(
    document: Document,
    placed_part: PlacedPart,
    nodes: tuple[Node, Node],
    name: str,
    kind: types.SymbolKind,
    detail: str | None,
    children: list[DocumentSymbol],
) -> DocumentSymbol:
    """Make a symbol whose selection is the first node and whose range spans both."""
    selected, other = nodes
    whole = Span(min(selected.start, other.start), max(selected.end, other.end))
    return DocumentSymbol(
        name=name or '""',
        kind=kind,
        detail=detail,
        range=to_quick_range(document, placed_part.span(whole)),
        selection_range=to_quick_range(document, placed_part.span(Span(selected.start, selected.end))),
        children=children,
    )
