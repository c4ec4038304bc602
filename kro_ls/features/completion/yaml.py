"""Completes keys and values of YAML: the RGD's own fields, and those of the objects in its templates.

A value may also become a whole `${...}`: a field by type and name, in `readyWhen` the conditions of the kind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from msgspec.structs import replace

from kro_ls.analysis.model.model import Resource
from kro_ls.analysis.readiness import conditions_of
from kro_ls.cursor.likely.whole import whole_expressions
from kro_ls.cursor.open.expression import expression_place
from kro_ls.cursor.schemas.definition_templates import described_type
from kro_ls.cursor.schemas.seen import is_written
from kro_ls.cursor.schemas.yaml import SERVER_SET_METADATA, YamlSchema, required_fields
from kro_ls.features.completion.items import FIELD_KEY, Completions, data_of, has_letters, lookup, offered_at
from kro_ls.features.completion.kinds import complete_kind_field, complete_objects, names_kind
from kro_ls.features.completion.rgd import complete_iterator, complete_own_value, complete_resource, complete_rgd
from kro_ls.features.completion.skeletons import usual_fields
from kro_ls.features.completion.snippets import (
    described_values,
    item_text,
    key_text,
    plain_key_text,
    scalar_text,
    values_of,
)
from kro_ls.features.documentation.schema_texts import describe_field
from kro_ls.features.lsp_types import CompletionItem
from kro_ls.kro.forms import GRAPH_FORM, NODE_FORMS, REFERENCE_FORMS, RESOURCE_FORMS, RGD_FORM
from kro_ls.kro.places import Place
from kro_ls.openapi.json_values import as_list
from kro_ls.openapi.schema import type_text
from kro_ls.yaml_positions.nodes import Scalar
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kro_ls.cursor.cursor import Cursor
    from kro_ls.cursor.open.half_typed import OpenYaml
    from kro_ls.openapi.json_values import JsonValue
    from kro_ls.openapi.schema import Schema
    from kro_ls.workspace.documents import Document

_USUAL = ("name", "namespace", "labels", "annotations")
"""The fields of an object's metadata that people write, first in the list."""
_WRITTEN = ", written in this workspace"
"""Of a field or a value that no schema has: objects of the same kind do."""
_ONE_OF: dict[tuple[str | int, ...], tuple[tuple[str, ...], ...]] = {
    ("spec", RGD_FORM.items): (RESOURCE_FORMS, REFERENCE_FORMS),
    ("spec", GRAPH_FORM.items): (tuple(each.name for each in NODE_FORMS),),
}
"""Fields below the resources of a definition of which only one can be there."""


def complete_yaml(cursor: Cursor, *, snippets: bool) -> Completions | None:
    """Return the keys or values that can be typed at the cursor; None where there are none."""
    opened, document = cursor.open_yaml, cursor.document
    if opened is None:
        in_text = complete_in_text(cursor)
        instances = document.schemas.instance_kinds if document.schemas else ()
        return in_text or complete_rgd(document.text.content, cursor.offset, instances, snippets=snippets)
    is_value = _is_value(opened)
    prefix = document.text.content[opened.word.start : cursor.offset]
    items = list(_items(cursor, opened, prefix, snippets=snippets)) if prefix != "$" else []
    if is_value:
        # Some clients keep a list until the next one comes, and Enter takes its first item.
        items = [item for item in items if has_letters(item.label.lower(), prefix.lower())]
    if cursor.rgd and is_value and not names_kind(opened):
        whole = list(complete_whole_expressions(cursor, opened, prefix, alike=bool(items)))
        named = [each for each in whole if items and not prefix and _is_field_of_same_name(each, opened)]
        items = [*named, *items, *(each for each in whole if each not in named)]
    place = lookup(document, cursor.offset)
    items = [replace(item, data={**item.data, **place}) if item.data else item for item in items]
    changes = is_value or any(item.kind is types.CompletionItemKind.Snippet for item in items)
    return Completions(items, opened.word, is_incomplete=changes) if items else None


def _items(cursor: Cursor, opened: OpenYaml, prefix: str, *, snippets: bool) -> Iterator[CompletionItem]:
    place = opened.schema
    if place is None:
        return
    if not opened.is_key or not {"object", "array"} & set(place.schema.types):
        if opened.new_item and place.schema.types:
            return
        kinds = None if opened.is_key else complete_kind_field(cursor, opened, prefix)
        own = list(complete_own_value(opened, place, snippets=snippets) if kinds is None else kinds)
        yield from own
        yield from _values(place.schema, opened) if not own else ()
    elif "array" in place.schema.types:
        yield from _new_items(opened, place, snippets=snippets)
    elif not opened.new_item:
        yield from complete_resource(opened, place, snippets=snippets)
        yield from complete_iterator(opened, place, snippets=snippets)
        yield from _keys(opened, place, snippets=snippets)
        yield from complete_objects(cursor, opened, place, prefix, snippets=snippets)


def _is_value(opened: OpenYaml) -> bool:
    """Whether a value is typed, or an item of a list that takes no objects."""
    place = opened.schema
    types_of_value = set(place.schema.types) if place else set()
    is_item = bool(types_of_value) and not {"object", "array"} & types_of_value
    return not opened.new_item and (is_item or not opened.is_key)


def _is_field_of_same_name(item: CompletionItem, opened: OpenYaml) -> bool:
    """Whether an expression reads a field of the instance that is called as the key, so that it is meant for it."""
    is_key = bool(opened.path) and isinstance(opened.path[-1], str)
    return is_key and item.label.startswith("${schema.spec.") and item.label.endswith(f".{opened.path[-1]}}}")


def _keys(opened: OpenYaml, place: YamlSchema, *, snippets: bool) -> Iterator[CompletionItem]:
    is_object = place.owner != () or place.kind is not None
    needed = required_fields(place.schema, place.path, is_object=is_object)
    fields = place.schema.properties
    present = opened.siblings
    for name in sorted(fields, key=lambda name: _rank(name, fields[name], needed, place)):
        if name not in present and _is_written_by_people(name, place, present):
            yield _key_item(opened, place, name, fields[name], required=name in needed, snippets=snippets)


def _rank(name: str, schema: Schema, needed: tuple[str, ...], place: YamlSchema) -> tuple[bool, int, int]:
    """Sort what is needed first, then what is usual, what is deprecated last, the rest as in the schema."""
    usual = _USUAL if place.path == ("metadata",) else usual_fields(place.kind.name) if place.kind else ()
    number = usual.index(name) if name in usual else len(usual)
    return schema.is_deprecated, needed.index(name) if name in needed else len(needed), number


def _is_written_by_people(name: str, place: YamlSchema, present: Mapping[str, object]) -> bool:
    if place.path == ():
        return name != "status" or (place.owner is None and place.kind is None)
    if place.path == ("metadata",):
        is_cluster_scoped = place.kind is not None and not place.kind.namespaced
        return name not in SERVER_SET_METADATA and not (is_cluster_scoped and name == "namespace")
    alternatives = _ONE_OF.get(place.path[:2], ()) if place.owner == () else ()
    return not any(name in forms and not present.keys().isdisjoint(forms) for forms in alternatives)


def _key_item(
    opened: OpenYaml, place: YamlSchema, name: str, schema: Schema, *, required: bool, snippets: bool
) -> CompletionItem:
    inserted = name
    is_snippet = snippets and not opened.has_colon
    if is_snippet:
        inserted = key_text(name, schema, (*place.path, name), own=place.owner == (), in_flow=opened.in_flow)
    elif not opened.has_colon:
        inserted = plain_key_text(name, schema, in_flow=opened.in_flow)
    return CompletionItem(
        name,
        kind=types.CompletionItemKind.Property,
        detail=(described_type(schema) or type_text(schema))
        + (", required" if required else _WRITTEN if is_written(schema) else ""),
        insert_text=_indented(inserted, opened.indent),
        insert_text_format=types.InsertTextFormat.Snippet if is_snippet else types.InsertTextFormat.PlainText,
        insert_text_mode=types.InsertTextMode.AdjustIndentation,
        tags=(types.CompletionItemTag.Deprecated,) if schema.is_deprecated else (),
        data={FIELD_KEY: name},
    )


def _new_items(opened: OpenYaml, place: YamlSchema, *, snippets: bool) -> Iterator[CompletionItem]:
    """Yield what begins an item of a list, with its dash."""
    items = place.schema.items
    if items is None or opened.in_flow or opened.has_colon:
        return
    own = list(complete_resource(opened, place, snippets=snippets))
    values = _known_values(items) if "object" not in items.types else ()
    yield from own
    for value in values:
        text = f"- {scalar_text(value)}"
        yield CompletionItem(text, kind=types.CompletionItemKind.EnumMember, insert_text=text)
    if own or values:
        return
    inserted = item_text(items, (*place.path, 0)) if snippets else "- "
    names = ", ".join(required_fields(items, (*place.path, 0), is_object=False))
    yield CompletionItem(
        f"- {names}" if names else "- (new item)",
        kind=types.CompletionItemKind.Struct,
        detail=type_text(items),
        filter_text="-",
        insert_text=_indented(inserted, opened.indent),
        insert_text_format=types.InsertTextFormat.Snippet if snippets else types.InsertTextFormat.PlainText,
        insert_text_mode=types.InsertTextMode.AdjustIndentation,
    )


def _values(schema: Schema, opened: OpenYaml) -> Iterator[CompletionItem]:
    for value in _known_values(schema):
        text = str(value) if opened.quoted else scalar_text(value, in_flow=opened.in_flow)
        is_default = value == schema.default and isinstance(value, bool) is isinstance(schema.default, bool)
        yield CompletionItem(
            text,
            kind=types.CompletionItemKind.EnumMember,
            detail="default" if is_default else _WRITTEN.removeprefix(", ") if is_written(schema) else None,
        )


def _known_values(schema: Schema) -> tuple[JsonValue, ...]:
    """Return the values that a scalar can have, and those that it may well have."""
    described = described_values(schema.description) if schema.types == ("string",) and not schema.enum else ()
    examples = (each for each in as_list(schema.raw.get("examples")) if isinstance(each, str | int | float))
    return tuple(dict.fromkeys((*values_of(schema), *described, *examples)))


def _indented(text: str, columns: int) -> str:
    """Return the text for a word that stands some columns after its line's own indentation."""
    return text.replace("\n", "\n" + " " * columns)


def complete_whole_expressions(cursor: Cursor, opened: OpenYaml, word: str, *, alike: bool) -> Iterator[CompletionItem]:
    """Yield the expressions that can be the value that is typed, of which a name in them begins with `word`.

    With `alike` only those count that the key suggests. Where the value is a text, letters may be the value itself, and
    Enter after them must not replace them by an expression: there only a `$` asks for expressions.
    """
    content = cursor.document.text.content
    quote = content[opened.word.start - 1] if opened.quoted else ""
    around = '"' if opened.in_flow and not quote else ""
    is_text = opened.schema is None or "string" in opened.schema.schema.types
    letters = word.removeprefix("$").lower()
    if is_text and letters:
        return
    for text, detail in _expressions(cursor, opened.path, opened.word.start, standalone=True, alike=alike):
        if any(name.startswith(letters) for name in text.lower().split(".")):
            item = _item(text.replace('"', "'") if '"' in (quote, around) else text, detail, around, quote)
            yield replace(item, filter_text="$") if is_text else item


def complete_in_text(cursor: Cursor) -> Completions | None:
    """Return the expressions that can follow a `$` inside of a text; None elsewhere."""
    offset, place = cursor.offset, cursor.yaml
    if cursor.document.text.content[max(offset - 1, 0) : offset] != "$" or place is None or place.in_key:
        return None
    if not isinstance(place.located.node, Scalar):
        return None
    found = _expressions(cursor, place.path, offset, standalone=False, alike=False)
    items = [_item(text, detail, "", "") for text, detail in found if '"' not in text]
    return Completions(items, Span(offset - 1, offset)) if items else None


def _item(text: str, detail: str, around: str, quote: str) -> CompletionItem:
    label = f"${{{text}}}"
    inserted = label.replace("'", "''") if quote == "'" else f"{around}{label}{around}"
    kind = types.CompletionItemKind.Value
    return CompletionItem(label, kind=kind, detail=detail, insert_text=None if inserted == label else inserted)


def _expressions(
    cursor: Cursor, path: tuple[str | int, ...], offset: int, *, standalone: bool, alike: bool
) -> Iterator[tuple[str, str]]:
    owner, place = cursor.part, expression_place(path)
    if owner is None or place is None:
        return
    kind, inner = place
    if kind is Place.READY_WHEN and isinstance(owner.part, Resource):
        for condition in conditions_of(owner.part, owner.rgd.kind(owner.part)):
            yield condition.expression, condition.means
        return
    local = owner.placed.to_chunk(offset)
    for each in whole_expressions(owner, kind, inner, local, standalone=standalone, alike=alike):
        yield each.text, each.type


def describe_yaml_item(item: types.CompletionItem, documents: Mapping[str, Document]) -> str:
    """Return the documentation of a key that `complete_yaml` offered, as Markdown; empty where there is none."""
    cursor, name = offered_at(item, documents), data_of(item).get(FIELD_KEY)
    if cursor is None or cursor.open_yaml is None or not isinstance(name, str):
        return ""
    found = cursor.open_yaml.field_schema(name)
    return describe_field(name, found) if found else ""
