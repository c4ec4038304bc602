"""Completes SimpleSchema: types, and behind the `|` markers and their values."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.analysis.simpleschema.cursor import PlaceKind
from kro_ls.analysis.simpleschema.parser import parse_field
from kro_ls.cursor.schema_typing import typed_field
from kro_ls.features.convert import to_range
from kro_ls.features.hover.simple_schema import describe_custom_type, describe_marker
from kro_ls.kro.simple_schema import MARKERS, TYPES, ValueKind
from kro_ls.yaml_positions.nodes import ScalarStyle

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.simpleschema.syntax import Marker
    from kro_ls.cursor.schema_typing import TypedField
    from kro_ls.kro.simple_schema import MarkerDefinition
    from kro_ls.rules.diagnostics import Replacement
    from kro_ls.workspace.documents import Document
    from kro_ls.yaml_positions.positions import Span


@dataclass(frozen=True, slots=True)
class _Candidate:
    """What can be typed: `text` and, behind the place where typing goes on, `rest`."""

    label: str
    kind: types.CompletionItemKind
    text: str
    documentation: str = ""
    rest: str = ""


def schema_completion(document: Document, offset: int, *, snippets: bool) -> list[types.CompletionItem]:
    """Return what can be typed at a document offset in a field's text, best first; nothing outside of such texts."""
    typed = typed_field(document.analysis, offset)
    if typed is None:
        return []
    span = typed.place.span
    found = (_item(document, typed, span, candidate, snippets=snippets) for candidate in _candidates(typed))
    items = [item for item in found if item]
    for rank, item in enumerate(items):
        item.sort_text = f"{rank:04}"
    return items


def _item(
    document: Document, typed: TypedField, span: Span, candidate: _Candidate, *, snippets: bool
) -> types.CompletionItem | None:
    edit = typed.edit(span, candidate.text + candidate.rest)
    placed_part = typed.field.placed_part
    replaced = placed_part.span(edit.span) if edit else None
    if edit is None or replaced is None or "\n" in document.text.content[replaced.start : replaced.end]:
        return None  # an edit of a completion stays in its line
    word_start = placed_part.span(typed.source_span(span)).start
    snippet = _snippet(typed, edit, candidate) if snippets and candidate.rest else None
    documentation = types.MarkupContent(types.MarkupKind.Markdown, candidate.documentation)
    return types.CompletionItem(
        candidate.label,
        kind=candidate.kind,
        documentation=documentation if candidate.documentation else None,
        # Clients compare what is typed with the whole text that the edit replaces.
        filter_text=document.text.content[replaced.start : word_start] + candidate.text,
        insert_text_format=types.InsertTextFormat.Snippet if snippet else types.InsertTextFormat.PlainText,
        text_edit=types.TextEdit(to_range(document, replaced), snippet or edit.text),
    )


def _snippet(typed: TypedField, edit: Replacement, candidate: _Candidate) -> str | None:
    """Return the edit's text with the cursor before the candidate's rest, None where the rest is not at its end."""
    in_double_quotes = typed.scalar is not None and typed.scalar.style is ScalarStyle.DOUBLE_QUOTED
    rest = candidate.rest.replace('"', '\\"') if in_double_quotes else candidate.rest
    if not edit.text.endswith(rest):
        return None
    return f"{_escaped(edit.text.removesuffix(rest))}$0{_escaped(rest)}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("$", "\\$").replace("}", "\\}")


def _candidates(typed: TypedField) -> Iterator[_Candidate]:
    place = typed.place
    if place.kind is PlaceKind.MARKER_VALUE and place.marker:
        yield from _values(typed, place.marker)
    elif place.kind is PlaceKind.MARKER_NAME:
        before = typed.text[: place.span.start]
        yield from _markers(typed, place.marker, " " if before.endswith("|") else "")
    elif typed.text[: typed.offset].endswith((" ", "\t")) and typed.text.strip() and place.span.start == place.span.end:
        yield from _markers(typed, None, "| ")
    else:
        yield from _types(typed)


def _types(typed: TypedField) -> Iterator[_Candidate]:
    result = typed.field.schema
    unusable = {error.path[0] for error in result.warnings if error.code == "unreachable-type"}
    own = typed.field.path[0] if typed.field.root == "types" else None
    for name in result.type_names:
        if name != own and name not in unusable:
            documentation = describe_custom_type(typed.field.written.section, name)
            yield _Candidate(name, types.CompletionItemKind.Class, name, documentation)
    for name, documentation in TYPES.items():
        yield _Candidate(name, types.CompletionItemKind.Keyword, name, documentation)


def _markers(typed: TypedField, edited: Marker | None, prefix: str) -> Iterator[_Candidate]:
    """Yield the markers that the field can have and has not; of one that is changed only the name."""
    present = {marker.name for marker in parse_field(typed.text).markers if marker is not edited}
    openapi_type = _openapi_type(typed)
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
    if quoted or marker.name == "description" or (marker.name == "default" and openapi_type == "string"):
        return f'{marker.name}="', '"'
    brackets = {"array": ("[", "]"), "object": ("{", "}")}.get(openapi_type or "") if marker.name == "default" else None
    return (f"{marker.name}={brackets[0]}", brackets[1]) if brackets else (f"{marker.name}=", "")


def _values(typed: TypedField, marker: Marker) -> Iterator[_Candidate]:
    known = MARKERS.get(marker.name)
    values = known.values if known else ()
    definition = typed.field.definition
    schema = definition.schema if definition else {}
    if marker.name == "default":
        values = ("true", "false") if schema.get("type") == "boolean" else tuple(map(str, schema.get("enum", ())))
    elif marker.name == "listMapKey":
        values = tuple(schema.get("items", {}).get("properties", ()))
    for value in values:
        text = json.dumps(value, ensure_ascii=False) if marker.quoted or not value.isalnum() else value
        yield _Candidate(value, types.CompletionItemKind.EnumMember, text)


def _openapi_type(typed: TypedField) -> str | None:
    definition = typed.field.definition
    found = definition.schema.get("type") if definition else None
    return found if isinstance(found, str) else None
