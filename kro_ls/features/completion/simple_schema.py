"""Completes SimpleSchema: types, and after the `|` markers and their values."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from lsprotocol import types
from msgspec import Struct
from msgspec.structs import replace

from kro_ls.analysis.simpleschema.parser import parse_field
from kro_ls.analysis.simpleschema.place_at import PlaceKind
from kro_ls.analysis.simpleschema.results import TypeKind
from kro_ls.features.completion.snippets import escaped
from kro_ls.features.convert import to_offset, to_range
from kro_ls.features.documentation.schema_texts import describe_custom_type, describe_marker
from kro_ls.features.lsp_types import CompletionItem, TextEdit
from kro_ls.kro.simple_schema_words import MARKERS, OPENAPI_TYPES, TYPES, ValueKind
from kro_ls.yaml_positions.scalars.resolution import ScalarStyle

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.simpleschema.results import Marker
    from kro_ls.cursor.open.field import OpenField
    from kro_ls.kro.simple_schema_words import MarkerDefinition
    from kro_ls.workspace.documents import Document
    from kro_ls.yaml_positions.scalars.writing import Replacement


_SEPARATOR = "| "
_RAW_DEFAULTS = {
    "boolean": ("true", "false"),
    "integer": ("1", "0"),
    "number": ("1", "0"),
    "array": ("[]",),
    "object": ("{}",),
}
"""The defaults that people write most, by type, where no enum and no bound says more."""


_TYPES_BY_FORM = {TypeKind.LIST: "array", TypeKind.MAP: "object", TypeKind.OBJECT: "object"}


class _Candidate(Struct, frozen=True):
    """What can be typed: `text` and, after the place where typing goes on, `rest`."""

    label: str
    kind: types.CompletionItemKind
    text: str
    documentation: str = ""
    rest: str = ""


def complete_simple_schema(document: Document, opened: OpenField, *, snippets: bool) -> list[CompletionItem]:
    """Return what can be typed at the cursor in a field's text, best first."""
    found = (_item(document, opened, candidate, snippets=snippets) for candidate in _candidates(opened))
    items = (item for item in found if item)
    return [replace(item, sort_text=f"{rank:04}") for rank, item in enumerate(items)]


def is_written(item: CompletionItem, document: Document, offset: int) -> bool:
    """Whether the text before the cursor is already what an item of a field would write there."""
    edit = item.text_edit
    if edit is None or item.insert_text_format is types.InsertTextFormat.Snippet:
        return False
    return offset == to_offset(document, edit.range.end) and document.text.content[:offset].endswith(edit.new_text)


def _item(document: Document, opened: OpenField, candidate: _Candidate, *, snippets: bool) -> CompletionItem | None:
    span, owner = opened.place.span, opened.field.owner
    edit = opened.edit(span, candidate.text + candidate.rest)
    replaced = owner.span(edit.span) if edit else None
    if edit is None or replaced is None or "\n" in document.text.content[replaced.start : replaced.end]:
        return None  # an edit of a completion stays in its line
    word_start = owner.span(opened.source_span(span)).start
    typed = candidate.text.removeprefix(_SEPARATOR) if span.start < span.end else candidate.text
    # Neovim inserts only the first word of a plain text with blanks.
    is_snippet = snippets and (candidate.rest or " " in edit.text)
    snippet = _snippet(opened, edit, candidate) if is_snippet else None
    documentation = types.MarkupContent(types.MarkupKind.Markdown, candidate.documentation)
    return CompletionItem(
        candidate.label,
        kind=candidate.kind,
        documentation=documentation if candidate.documentation else None,
        # Clients compare what is typed with the whole text that the edit replaces. After its `=` a marker is written.
        filter_text=document.text.content[replaced.start : word_start] + typed.partition("=")[0],
        insert_text_format=types.InsertTextFormat.Snippet if snippet else types.InsertTextFormat.PlainText,
        text_edit=TextEdit(to_range(document, replaced), snippet or edit.text),
    )


def _snippet(opened: OpenField, edit: Replacement, candidate: _Candidate) -> str | None:
    """Return the edit's text with the cursor before the candidate's rest, None where the rest is not at its end."""
    in_double_quotes = opened.scalar is not None and opened.scalar.style is ScalarStyle.DOUBLE_QUOTED
    rest = candidate.rest.replace('"', '\\"') if in_double_quotes else candidate.rest
    if not edit.text.endswith(rest):
        return None
    return f"{escaped(edit.text.removesuffix(rest))}$0{escaped(rest)}" if rest else escaped(edit.text)


def _candidates(opened: OpenField) -> Iterator[_Candidate]:
    place = opened.place
    if place.kind is PlaceKind.MARKER_VALUE and place.marker:
        typed = opened.text[place.span.start : opened.offset]
        yield from (each for each in _values(opened, place.marker) if each.text.startswith(typed))
    elif place.kind is PlaceKind.MARKER_NAME:
        before = opened.text[: place.span.start]
        prefix = " " if before.endswith("|") else "" if "|" in before else _SEPARATOR
        yield from _markers(opened, place.marker, prefix)
    elif (
        opened.text[: opened.offset].endswith((" ", "\t"))
        and opened.text.strip()
        and place.span.start == place.span.end
    ):
        yield from _markers(opened, None, _SEPARATOR)
    else:
        yield from _types(opened)


def _types(opened: OpenField) -> Iterator[_Candidate]:
    result = opened.field.schema
    own = opened.field.path[0] if opened.field.root == "types" else None
    for name in result.usable_types:
        if name != own:
            documentation = describe_custom_type(opened.field.written.section, name)
            yield _Candidate(name, types.CompletionItemKind.Class, name, documentation)
    for name, documentation in TYPES.items():
        yield _Candidate(name, types.CompletionItemKind.Keyword, name, documentation)


def _markers(opened: OpenField, edited: Marker | None, prefix: str) -> Iterator[_Candidate]:
    """Yield the markers that the field can have and lacks; of one that is changed only the name."""
    present = {marker.name for marker in parse_field(opened.text).markers if marker is not edited}
    openapi_type = _openapi_type(opened)
    for name, marker in MARKERS.items():
        if name in present and not marker.repeatable:
            continue
        if marker.applies_to and openapi_type is not None and openapi_type not in marker.applies_to:
            continue
        kind, documentation = types.CompletionItemKind.Property, describe_marker(marker)
        text, rest = (name, "") if edited else _with_value(marker, openapi_type)
        yield _Candidate(name, kind, prefix + text, documentation, rest)


def _with_value(marker: MarkerDefinition, openapi_type: str | None) -> tuple[str, str]:
    if marker.value_kind is ValueKind.BOOLEAN:
        return f"{marker.name}=true", ""
    quoted = marker.value_kind in (ValueKind.LIST, ValueKind.REGULAR_EXPRESSION, ValueKind.CEL)
    if quoted or marker.name == "description":
        return f'{marker.name}="', '"'
    brackets = {"array": ("[", "]"), "object": ("{", "}")}.get(openapi_type or "") if marker.name == "default" else None
    return (f"{marker.name}={brackets[0]}", brackets[1]) if brackets else (f"{marker.name}=", "")


def _values(opened: OpenField, marker: Marker) -> Iterator[_Candidate]:
    declared = MARKERS.get(marker.name)
    values = declared.values if declared else ()
    definition = opened.field.definition
    schema = definition.schema if definition else {}
    if marker.name == "default":
        openapi_type = _openapi_type(opened)
        if openapi_type in _RAW_DEFAULTS and not _enum(opened):
            for value in _bounds(opened) or _RAW_DEFAULTS[openapi_type]:
                yield _Candidate(value, types.CompletionItemKind.EnumMember, value)
            return
        values = _enum(opened)
    elif marker.name == "listMapKey":
        values = tuple(schema.get("items", {}).get("properties", ()))
    for value in values:
        text = json.dumps(value, ensure_ascii=False) if marker.quoted or not value.isalnum() else value
        yield _Candidate(value, types.CompletionItemKind.EnumMember, text)


def _enum(opened: OpenField) -> tuple[str, ...]:
    """Return the values of the field's enum; also where the text is too unfinished to have a schema."""
    definition = opened.field.definition
    declared = tuple(map(str, definition.schema.get("enum", ()))) if definition else ()
    written = next((each.value for each in parse_field(opened.text).markers if each.name == "enum"), "")
    return declared or tuple(value.strip() for value in written.split(",") if value.strip())


def _bounds(opened: OpenField) -> tuple[str, ...]:
    markers = {marker.name: marker.value for marker in parse_field(opened.text).markers}
    return tuple(markers[name] for name in ("minimum", "maximum") if markers.get(name))


def _openapi_type(opened: OpenField) -> str | None:
    definition = opened.field.definition
    found = definition.schema.get("type") if definition else None
    if isinstance(found, str):
        return found
    # A word after the type makes it an unknown one.
    expression = parse_field(opened.text[: opened.place.span.start]).type
    return _TYPES_BY_FORM.get(expression.kind) or OPENAPI_TYPES.get(expression.name)
