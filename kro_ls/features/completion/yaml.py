"""Completes keys and values of YAML: the RGD's own fields, and those of the objects in its templates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.cursor.typed_yaml import TypedYaml, typed_yaml
from kro_ls.cursor.yaml_schemas import SERVER_SET_METADATA, YamlSchema, field_schema_at, required_fields, schema_at
from kro_ls.features.completion.described_values import described_values
from kro_ls.features.completion.items import Completions
from kro_ls.features.completion.kinds import complete_kind_field, complete_objects
from kro_ls.features.completion.rgd import complete_iterator, complete_own_value, complete_resource, complete_rgd
from kro_ls.features.completion.snippets import item_text, key_text, plain_key_text, scalar_text, values_of
from kro_ls.features.yaml_documentation import describe_field, type_text
from kro_ls.kro.definition import REFERENCE_FORMS, RESOURCE_FORMS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kro_ls.analysis.model.paths import Path
    from kro_ls.openapi.schema import Schema
    from kro_ls.workspace.documents import Document

_DOCUMENT_KEY = "uri"
_OFFSET_KEY = "offset"
_FIELD_KEY = "yamlField"
_USUAL = ("name", "namespace", "labels", "annotations")
"""The fields of an object's metadata that people write, first in the list."""

_ONE_OF = dict(pair for forms in (RESOURCE_FORMS, REFERENCE_FORMS) for pair in (forms, forms[::-1]))
"""Own fields of an RGD of which only one can be there."""


def complete_yaml(document: Document, offset: int, *, snippets: bool) -> Completions | None:
    """Return the keys or values that can be typed at a document offset; None where none is known."""
    typed = typed_yaml(document.analysis, offset)
    if typed is None:
        return complete_rgd(document.text.content, offset, snippets=snippets)
    items = list(_items(document, typed, document.text.content[typed.word.start : offset], snippets=snippets))
    for item in items:
        if isinstance(item.data, dict):
            item.data |= {_DOCUMENT_KEY: document.uri, _OFFSET_KEY: offset}
    return Completions(items, typed.word) if items else None


def describe_yaml_item(item: types.CompletionItem, documents: Mapping[str, Document]) -> str:
    """Return the documentation of a key that `complete_yaml` offered, as Markdown; empty where there is none."""
    data = item.data if isinstance(item.data, dict) else {}
    document, offset, name = (data.get(key) for key in (_DOCUMENT_KEY, _OFFSET_KEY, _FIELD_KEY))
    opened = documents.get(str(document))
    if opened is None or not isinstance(offset, int) or not isinstance(name, str):
        return ""
    typed = typed_yaml(opened.analysis, offset)
    found = _field(typed, name) if typed else None
    return describe_field(name, found) if found else ""


def _schema(typed: TypedYaml, path: Path) -> YamlSchema | None:
    return schema_at(path, typed.node_at, typed.rgd.surroundings.schemas)


def _field(typed: TypedYaml, name: str) -> YamlSchema | None:
    return field_schema_at((*typed.path, name), typed.node_at, typed.rgd.surroundings.schemas)


def _items(document: Document, typed: TypedYaml, prefix: str, *, snippets: bool) -> Iterator[types.CompletionItem]:
    place = _schema(typed, typed.path)
    if place is None:
        return
    if not typed.is_key or not {"object", "array"} & set(place.schema.types):
        if typed.new_item and place.schema.types:
            return
        kinds = None if typed.is_key else complete_kind_field(document, typed, prefix)
        yield from complete_own_value(typed, place, snippets=snippets) if kinds is None else kinds
        yield from _values(place.schema, typed) if kinds is None else ()
    elif "array" in place.schema.types:
        yield from _new_items(typed, place, snippets=snippets)
    elif not typed.new_item:
        yield from complete_resource(typed, place, snippets=snippets)
        yield from complete_iterator(typed, place, snippets=snippets)
        yield from _keys(typed, place, snippets=snippets)
        yield from complete_objects(typed, place, prefix, snippets=snippets)


def _keys(typed: TypedYaml, place: YamlSchema, *, snippets: bool) -> Iterator[types.CompletionItem]:
    is_object = place.owner != () or place.kind is not None
    needed = required_fields(place.schema, place.path, is_object=is_object)
    fields = place.schema.properties
    present = typed.siblings
    for name in sorted(fields, key=lambda name: _rank(name, fields[name], needed, place)):
        if name not in present and _is_written_by_people(name, place, present):
            yield _key_item(typed, place, name, fields[name], required=name in needed, snippets=snippets)


def _rank(name: str, schema: Schema, needed: tuple[str, ...], place: YamlSchema) -> tuple[bool, int, int]:
    """Sort what is needed first, in metadata then what is usual, what is deprecated last, the rest as in the schema."""
    usual = _USUAL.index(name) if place.path == ("metadata",) and name in _USUAL else len(_USUAL)
    return schema.is_deprecated, needed.index(name) if name in needed else len(needed), usual


def _is_written_by_people(name: str, place: YamlSchema, present: Mapping[str, object]) -> bool:
    if place.path == ():
        return name != "status"
    if place.path == ("metadata",):
        is_cluster_scoped = place.kind is not None and not place.kind.namespaced
        return name not in SERVER_SET_METADATA and not (is_cluster_scoped and name == "namespace")
    is_own = place.owner == () and place.path[:2] == ("spec", "resources")
    return not (is_own and _ONE_OF.get(name) in present)


def _key_item(
    typed: TypedYaml, place: YamlSchema, name: str, schema: Schema, *, required: bool, snippets: bool
) -> types.CompletionItem:
    inserted = name
    is_snippet = snippets and not typed.has_colon
    if is_snippet:
        inserted = key_text(name, schema, (*place.path, name), own=place.owner == (), in_flow=typed.in_flow)
    elif not typed.has_colon:
        inserted = plain_key_text(name, schema, in_flow=typed.in_flow)
    return types.CompletionItem(
        name,
        kind=types.CompletionItemKind.Property,
        detail=type_text(schema) + (", required" if required else ""),
        insert_text=_indented(inserted, typed.indent),
        insert_text_format=types.InsertTextFormat.Snippet if is_snippet else types.InsertTextFormat.PlainText,
        insert_text_mode=types.InsertTextMode.AdjustIndentation,
        tags=[types.CompletionItemTag.Deprecated] if schema.is_deprecated else None,
        data={_FIELD_KEY: name},
    )


def _new_items(typed: TypedYaml, place: YamlSchema, *, snippets: bool) -> Iterator[types.CompletionItem]:
    """Yield what begins an item of a list, with its dash."""
    items = place.schema.items
    if items is None or typed.in_flow or typed.has_colon:
        return
    own = list(complete_resource(typed, place, snippets=snippets))
    values = values_of(items) if "object" not in items.types else ()
    yield from own
    for value in values:
        text = f"- {scalar_text(value)}"
        yield types.CompletionItem(text, kind=types.CompletionItemKind.EnumMember, insert_text=text)
    if own or values:
        return
    inserted = item_text(items, (*place.path, 0)) if snippets else "- "
    names = ", ".join(required_fields(items, (*place.path, 0), is_object=False))
    yield types.CompletionItem(
        f"- {names}" if names else "- (new item)",
        kind=types.CompletionItemKind.Struct,
        detail=type_text(items),
        filter_text="-",
        insert_text=_indented(inserted, typed.indent),
        insert_text_format=types.InsertTextFormat.Snippet if snippets else types.InsertTextFormat.PlainText,
        insert_text_mode=types.InsertTextMode.AdjustIndentation,
    )


def _values(schema: Schema, typed: TypedYaml) -> Iterator[types.CompletionItem]:
    described = described_values(schema.description) if schema.types == ("string",) and not schema.enum else ()
    for value in dict.fromkeys((*values_of(schema), *described)):
        text = str(value) if typed.quoted else scalar_text(value, in_flow=typed.in_flow)
        is_default = value == schema.default and isinstance(value, bool) is isinstance(schema.default, bool)
        yield types.CompletionItem(
            text,
            kind=types.CompletionItemKind.EnumMember,
            detail="default" if is_default else None,
        )


def _indented(text: str, columns: int) -> str:
    """Return the text for a word that stands some columns behind its line's own indentation."""
    return text.replace("\n", "\n" + " " * columns)
