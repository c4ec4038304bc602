"""The outline of a document: each RGD with its API's fields, its status, its resources and their objects.

Instances have their fields, test files their tests.

Editors keep the lines of the symbols around the first visible line in sight (sticky scroll). They take the line of
the selection, so that of a definition is its `kind`, at the left edge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol.types import SymbolKind
from msgspec import Struct

from kro_ls.analysis.model.model import ResourceType, SchemaSection
from kro_ls.cursor.parts import PlacedPart, parts
from kro_ls.features.convert import to_quick_range
from kro_ls.features.lsp_types import DocumentSymbol
from kro_ls.yaml_positions.nodes import Mapping, Node, Scalar, Sequence, entries, field, items, resolved, text_of
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TypeAlias

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.features.lsp_types import Range
    from kro_ls.workspace.documents import Described, Document
    from kro_ls.yaml_positions.nodes import Entry, Node

    Place: TypeAlias = Callable[[Span], Range]


DEEPEST = 20
"""Deeper nesting does not help to find a field."""
MOST_OBJECT_SYMBOLS = 2_500
"""An editor asks for the outline after each edit, so the outline of a large document ends at the resources."""
_MOST_CHARACTERS = 80
_NAMING = ("name", "id", "key")
"""The fields by which the items of a list are named, in order of preference."""
_RESOURCE_KINDS = {
    ResourceType.RESOURCE: SymbolKind.Object,
    ResourceType.COLLECTION: SymbolKind.Array,
    ResourceType.EXTERNAL: SymbolKind.Variable,
    ResourceType.EXTERNAL_COLLECTION: SymbolKind.Variable,
}
_ABOUT_THE_OBJECT = ("apiVersion", "kind", "metadata")


class Budget(Struct):
    """How many symbols may still be made for the fields of objects."""

    left: int = MOST_OBJECT_SYMBOLS


def document_symbols(document: Document) -> list[DocumentSymbol]:
    """Return the outline; ranges are in the client's units."""
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
        kind=SymbolKind.Module,
        range=to_quick_range(document, Span(yaml.start, yaml.end)),
        selection_range=to_quick_range(document, selected),
        children=[_part_symbol(document, placed_part, budget) for placed_part in parts(rgd)],
    )


def _part_symbol(document: Document, placed: PlacedPart, budget: Budget | None) -> DocumentSymbol:
    def place(span: Span) -> Range:
        return to_quick_range(document, placed.span(span))

    part = placed.part
    if isinstance(part, SchemaSection):
        return _schema_symbol(document, placed, part, place)
    below = [
        _symbol(place, (each.key, each.value), each.name, SymbolKind.Variable, text_of(each.value), [])
        for each in part.dimensions
    ]
    if budget is not None and not part.children:  # these have symbols of their own
        own = [each for each in entries(part.node) if each.name not in ("id", "forEach")]
        below += entry_symbols(own, place, budget)
    nodes, kind = (part.id_node or part.node, part.node), text_of(field(part.object, "kind"))
    return _symbol(place, nodes, part.id or "(no id)", _RESOURCE_KINDS[part.type], kind, below)


def _schema_symbol(document: Document, placed: PlacedPart, section: SchemaSection, place: Place) -> DocumentSymbol:
    node = placed.span(section.node.span)
    schema = placed.rgd.rgd.schema
    key = schema.key_span if schema and schema.key_span else node
    return DocumentSymbol(
        name="schema",
        kind=SymbolKind.Interface,
        detail=section.kind,
        range=to_quick_range(document, Span(min(key.start, node.start), max(key.end, node.end))),
        selection_range=to_quick_range(document, key),
        children=[
            _symbol(place, (entry.key, entry.value), name, SymbolKind.Namespace, None, _fields(place, entry.value, 0))
            for name in ("spec", "types", "status")
            for entry in entries(section.node)
            if entry.name == name
        ],
    )


def _fields(place: Place, node: Node, depth: int) -> list[DocumentSymbol]:
    found = []
    for entry in entries(node) if depth < DEEPEST else ():
        value = resolved(entry.value)
        if entry.name is not None:
            kind = SymbolKind.Struct if isinstance(value, Mapping) else SymbolKind.Field
            children = _fields(place, entry.value, depth + 1)
            found.append(_symbol(place, (entry.key, entry.value), entry.name, kind, text_of(value), children))
    return found


def _symbol(
    place: Place,
    nodes: tuple[Node, Node],
    name: str,
    kind: SymbolKind,
    detail: str | None,
    children: list[DocumentSymbol],
) -> DocumentSymbol:
    """Make a symbol whose selection is the first node and whose range spans both."""
    selected, other = nodes
    return DocumentSymbol(
        name=name or '""',
        kind=kind,
        detail=detail,
        range=place(Span(min(selected.start, other.start), max(selected.end, other.end))),
        selection_range=place(Span(selected.start, selected.end)),
        children=children,
    )


def described_symbols(document: Document, described: Described, budget: Budget) -> Iterator[DocumentSymbol]:
    """Yield the symbols of one document; ranges are in the client's units."""
    frame = described.document.frame
    root = frame.chunk.root
    written = entries(root) if isinstance(root, Mapping) else ()
    shown = [each for each in written if described.kind is None or each.name not in _ABOUT_THE_OBJECT]
    fields = entry_symbols(shown, lambda span: to_quick_range(document, frame.document_span(span)), budget)
    if described.kind is None:
        yield from fields
    elif isinstance(root, Mapping):
        head = next((each for each in root.entries if each.name == "kind"), root.entries[0])
        yield DocumentSymbol(
            name=text_of(field(field(root, "metadata"), "name")) or described.kind.name.kind,
            detail=described.kind.name.kind,
            kind=SymbolKind.Object,
            range=to_quick_range(document, Span(described.document.start, described.document.end)),
            selection_range=to_quick_range(document, frame.document_span(Span(head.key.start, head.value.end))),
            children=fields,
        )


def entry_symbols(written: Iterable[Entry], place: Place, budget: Budget, depth: int = 0) -> list[DocumentSymbol]:
    """Return a symbol for each entry of a mapping, with those below it; `place` gives the range of a span."""
    return [
        _field_symbol(entry.name or '""', (entry.key, entry.value), place, budget, depth)
        for entry in written
        if entry.name is not None and budget.left > 0  # which each symbol lowers
    ]


def _symbols_below(node: Node | None, place: Place, budget: Budget, depth: int) -> list[DocumentSymbol]:
    if depth > DEEPEST or isinstance(node, Scalar):
        return []
    if not isinstance(node, Sequence):
        return entry_symbols(entries(node), place, budget, depth)
    return [
        _field_symbol(_name_of(item, number), (item, item), place, budget, depth)
        for number, item in enumerate(items(node))
        if isinstance(item, Mapping) and budget.left > 0
    ]


def _field_symbol(name: str, nodes: tuple[Node, Node], place: Place, budget: Budget, depth: int) -> DocumentSymbol:
    """Make the symbol of an entry by its key and its value, or of an item, which is both."""
    budget.left -= 1
    selected, value = nodes
    inner = resolved(value)
    if isinstance(selected, Mapping) and selected.entries and not selected.flow:
        selected = selected.entries[0].key  # the line with the dash
    kind = SymbolKind.Struct if isinstance(inner, Mapping) else SymbolKind.Field
    return DocumentSymbol(
        name=name,
        detail=_detail(inner),
        kind=SymbolKind.Array if isinstance(inner, Sequence) else kind,
        range=place(Span(nodes[0].start, max(nodes[0].end, value.end))),
        selection_range=place(Span(selected.start, selected.end)),
        children=_symbols_below(inner, place, budget, depth + 1),
    )


def _detail(node: Node | None) -> str | None:
    """Return the value of a field, the first line of a text of several."""
    if not isinstance(node, Scalar):
        return None
    line = node.text.strip().partition("\n")[0]
    return line if len(line) <= _MOST_CHARACTERS else f"{line[:_MOST_CHARACTERS]}…"


def _name_of(item: Mapping, number: int) -> str:
    return next(filter(None, (text_of(field(item, name)) for name in _NAMING)), f"[{number}]")
