"""The dependency graph as a call hierarchy, the kinds that definitions declare as a type hierarchy.

A resource calls those that its expressions read. Below a kind are those that its definition is built of.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from lsprotocol import types

from kro_ls.analysis.model.model import Resource
from kro_ls.analysis.names.references import Meaning, references
from kro_ls.cursor.fields.declared import declared_kind, kind_of
from kro_ls.cursor.parts import PlacedPart, resource_part
from kro_ls.cursor.symbol import Symbol
from kro_ls.features.convert import to_offset, to_range
from kro_ls.openapi.kind_schema import GroupVersionKind
from kro_ls.uris import path_of
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.nodes import field, text_of
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.cursor.cursor import Cursor
    from kro_ls.workspace.documents import Document
    from kro_ls.workspace.snapshot import AllDocuments

    _Place: TypeAlias = tuple[RgdAnalysis, str]


def prepare_calls(cursor: Cursor) -> list[types.CallHierarchyItem]:
    """Return the resource whose id is at the cursor, or in whose entry the cursor is."""
    symbol, part = cursor.symbol, cursor.part
    owner = symbol.owner if isinstance(symbol, Symbol) and symbol.meaning is Meaning.RESOURCE else part
    if owner is None or not isinstance(owner.part, Resource) or owner.part.id is None:
        return []
    return [_resource_item(cursor.document, owner)]


def incoming_calls(document: Document, item: types.CallHierarchyItem) -> list[types.CallHierarchyIncomingCall]:
    """Return the resources that depend on one, with the places where they name it."""
    found = _resource(document, item)
    if found is None:
        return []
    rgd, name = found
    dependents = [each for each, needs in rgd.graph.dependencies if name in needs]
    return [
        types.CallHierarchyIncomingCall(_resource_item(document, owner), _uses(document, owner, name))
        for owner in (resource_part(rgd, rgd.resources[each]) for each in dependents)
    ]


def outgoing_calls(document: Document, item: types.CallHierarchyItem) -> list[types.CallHierarchyOutgoingCall]:
    """Return the resources that one depends on, with the places where it names them."""
    found = _resource(document, item)
    if found is None:
        return []
    rgd, name = found
    needs = dict(rgd.graph.dependencies).get(name, ())
    own = resource_part(rgd, rgd.resources[name])
    return [
        types.CallHierarchyOutgoingCall(
            _resource_item(document, resource_part(rgd, rgd.resources[each])), _uses(document, own, each)
        )
        for each in needs
    ]


def _resource_item(document: Document, owner: PlacedPart) -> types.CallHierarchyItem:
    part = owner.part
    resource = part if isinstance(part, Resource) else None
    key = (resource and resource.id_node) or part.node
    return types.CallHierarchyItem(
        name=(resource.id or "") if resource else "schema",
        kind=types.SymbolKind.Object,
        uri=document.uri,
        range=to_range(document, owner.span(part.node.span)),
        selection_range=to_range(document, owner.span(key.span)),
        detail=text_of(field(resource.object, "kind")) if resource else None,
    )


def _uses(document: Document, owner: PlacedPart, name: str) -> list[types.Range]:
    return [to_range(document, owner.span(each.span)) for each in references(owner.part) if each.name == name]


def _resource(document: Document, item: types.CallHierarchyItem) -> _Place | None:
    """Return the resource of an item: the document may have been edited since the item was made."""
    offset = to_offset(document, item.selection_range.start)
    named = [rgd for rgd in document.analysis.rgds if item.name in rgd.resources]
    at = [rgd for rgd in named if rgd.rgd.document.start <= offset <= rgd.rgd.document.end]
    return next(((rgd, item.name) for rgd in (*at, *named)), None)


def prepare_kinds(cursor: Cursor) -> list[types.TypeHierarchyItem]:
    """Return the kind at the cursor that a definition declares: of a template, of an instance, or in the schema."""
    rgd = cursor.rgd
    if rgd and cursor.yaml and cursor.yaml.path == ("spec", "schema", "kind"):
        return [_kind_item(cursor.document, rgd)]
    named = cursor.named_kind.name if cursor.named_kind else None
    if named is None and rgd is None:
        named = _kind_around(cursor)
    return _declared(named, cursor.others, cursor.document) if named else []


def built_of(item: types.TypeHierarchyItem, others: AllDocuments) -> list[types.TypeHierarchyItem]:
    """Return the declared kinds that the definition of a kind uses, each once."""
    found: dict[str, types.TypeHierarchyItem] = {}
    for document, rgd in _definitions_of(item, others):
        for kind in _used(rgd):
            for each in _declared(kind, others, document):
                found.setdefault(f"{each.uri} {each.name} {each.detail}", each)
    return list(found.values())


def built_with(item: types.TypeHierarchyItem, others: AllDocuments) -> list[types.TypeHierarchyItem]:
    """Return the kinds whose definitions use a kind."""
    wanted = _name(item)
    return [
        _kind_item(document, rgd)
        for document in others.mentioning("ResourceGraphDefinition", wanted.kind)
        for rgd in document.analysis.rgds
        if wanted in _used(rgd)
    ]


def _kind_around(cursor: Cursor) -> GroupVersionKind | None:
    document = parse_stream(cursor.document.text).document_at(cursor.offset)
    return kind_of(document.root.node) if document.root else None


def _used(rgd: RgdAnalysis) -> Iterator[GroupVersionKind]:
    found = (kind_of(each.resource.object) for each in rgd.rgd.resources)
    return iter(dict.fromkeys(kind for kind in found if kind))


def _declared(kind: GroupVersionKind, others: AllDocuments, asking: Document) -> list[types.TypeHierarchyItem]:
    return [_kind_item(document, rgd) for document, rgd in _definitions(kind, others, asking)]


def _definitions_of(item: types.TypeHierarchyItem, others: AllDocuments) -> Iterator[tuple[Document, RgdAnalysis]]:
    document = others.at(path_of(item.uri))
    return _definitions(_name(item), others, document) if document else iter(())


def _definitions(
    kind: GroupVersionKind, others: AllDocuments, asking: Document
) -> Iterator[tuple[Document, RgdAnalysis]]:
    for document in others.declaring(kind, asking):
        for rgd in document.analysis.rgds:
            if declared_kind(rgd) == kind:
                yield document, rgd


def _kind_item(document: Document, rgd: RgdAnalysis) -> types.TypeHierarchyItem:
    kind, schema = declared_kind(rgd), rgd.rgd.schema
    whole = Span(rgd.rgd.document.start, rgd.rgd.document.end)
    node = field(schema.section.node, "kind") if schema else None
    selected = schema.placed.span(node) if schema and node else Span(whole.start, whole.start)
    return types.TypeHierarchyItem(
        name=kind.kind if kind else "",
        kind=types.SymbolKind.Class,
        uri=document.uri,
        range=to_range(document, whole),
        selection_range=to_range(document, selected),
        detail=kind.api_version if kind else None,
    )


def _name(item: types.TypeHierarchyItem) -> GroupVersionKind:
    group, _, version = (item.detail or "").rpartition("/")
    return GroupVersionKind(group, version, item.name)
