"""The kinds that definitions declare as a type hierarchy: below a kind are those that its definition is built of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.cursor.fields.declared import declared_kind
from kro_ls.cursor.fields.objects import kind_of
from kro_ls.features.convert import to_range
from kro_ls.openapi.kind_schema import GroupVersionKind
from kro_ls.uris import path_of
from kro_ls.yaml_positions.access import field
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.cursor.cursor import Cursor
    from kro_ls.workspace.documents import Document
    from kro_ls.workspace.snapshot import AllDocuments


def prepare_kinds(cursor: Cursor) -> list[types.TypeHierarchyItem]:
    """Return the kind at the cursor that a definition declares: of a template, of an instance, or in the schema."""
    rgd = cursor.rgd
    if rgd and cursor.yaml and cursor.yaml.path == ("spec", "schema", "kind"):
        return [_item(cursor.document, rgd)]
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
        _item(document, rgd)
        for document in others.mentioning("ResourceGraphDefinition", wanted.kind)
        for rgd in document.analysis.rgds
        if wanted in _used(rgd)
    ]


def _kind_around(cursor: Cursor) -> GroupVersionKind | None:
    from kro_ls.yaml_positions.stream import parse_stream

    document = parse_stream(cursor.document.text).document_at(cursor.offset)
    return kind_of(document.root.node) if document.root else None


def _used(rgd: RgdAnalysis) -> Iterator[GroupVersionKind]:
    found = (kind_of(each.resource.object) for each in rgd.rgd.resources)
    return iter(dict.fromkeys(kind for kind in found if kind))


def _declared(kind: GroupVersionKind, others: AllDocuments, asking: Document) -> list[types.TypeHierarchyItem]:
    return [_item(document, rgd) for document, rgd in _definitions(kind, others, asking)]


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


def _item(document: Document, rgd: RgdAnalysis) -> types.TypeHierarchyItem:
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
