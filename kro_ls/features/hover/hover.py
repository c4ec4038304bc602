"""Hovers: the documentation of what is at the cursor, and an expression's value if there is a preview."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TypeGuard

from lsprotocol import types

from kro_ls.analysis.model.expressions import joined
from kro_ls.analysis.model.model import Resource
from kro_ls.analysis.names.references import Meaning
from kro_ls.analysis.simpleschema.place_at import PlaceKind
from kro_ls.analysis.types.variables import element_type
from kro_ls.cel.syntax import ast
from kro_ls.cel.types.types import DYN, Kind
from kro_ls.cursor.cursor import Cursor
from kro_ls.cursor.everywhere import symbol_at
from kro_ls.cursor.fields.place import field_at
from kro_ls.cursor.symbol import CustomType, Symbol
from kro_ls.cursor.typed_expression import type_name, typed_expression, typed_range
from kro_ls.features.convert import to_range
from kro_ls.features.documentation.kinds import (
    describe_api_version,
    describe_kind,
    describe_resource,
    describe_unknown_kind,
)
from kro_ls.features.documentation.markdown import code, code_block, plain, prose
from kro_ls.features.documentation.schema_texts import (
    describe_custom_type,
    describe_field,
    describe_marker,
)
from kro_ls.features.hover.cel import hover_call, hover_value
from kro_ls.features.previews.expression_values import evaluate, part_with_value
from kro_ls.kro.places import Place
from kro_ls.kro.simple_schema_words import MARKERS, TYPES
from kro_ls.runtime.passes.metadata import without_ownership
from kro_ls.shortening import shortened
from kro_ls.uris import path_of
from kro_ls.workspace.file_schemas import TEST_ENDINGS
from kro_ls.yaml_positions.nodes import Scalar, field, text_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from kro_ls.analysis.simpleschema.results import FieldDefinition
    from kro_ls.cel.types.types import Type
    from kro_ls.cursor.located import SchemaField
    from kro_ls.features.previews.expression_values import ExpressionValue
    from kro_ls.features.previews.preview import Preview
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.yaml_positions.positions import Span

    Source: TypeAlias = Callable[[Cursor], tuple[str, Span] | None]


def hover(cursor: Cursor, preview: Preview | None = None) -> types.Hover | None:
    """Return the hover at the cursor; `preview` is that of the RGD there."""
    found = described_at(cursor)
    value = hover_evaluation(cursor, preview) if preview else None
    shown = found or value
    if shown is None:
        return None
    text = "\n\n---\n\n".join(each[0] for each in (found, value) if each)
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text), to_range(cursor.document, shown[1]))


def described_at(cursor: Cursor) -> tuple[str, Span] | None:
    """Return Markdown for what is at the cursor, and its span."""
    return _tested(cursor) or _described(cursor)


def _described(cursor: Cursor) -> tuple[str, Span] | None:
    return next(filter(None, (source(cursor) for source in _SOURCES)), None)


def _tested(cursor: Cursor) -> tuple[str, Span] | None:
    """Return, for a name in a test file, the hover of its declaration."""
    if not cursor.document.uri.endswith(TEST_ENDINGS):
        return None
    symbol = symbol_at(cursor)
    field = None if symbol else field_at(cursor)
    document = symbol.document if symbol else field.field.document if field else None
    declared = symbol.symbol.declaration if symbol else field.field.declaration if field else None
    span = symbol.span if symbol else field.span if field else None
    found = _described(Cursor(document, declared.start)) if document and declared else None
    return (found[0], span) if found and span else None


_OWN_NAMES = {
    Meaning.SCHEMA: "`schema` is the instance: `schema.spec`, `schema.metadata`, `schema.apiVersion`, `schema.kind`.",
    Meaning.EACH: "`each` is one object of the collection; a collection is ready when every one of them is.",
    Meaning.RUNTIME: "`runtime` makes and reads conditions; it exists only in `status.conditions`.",
}


def hover_name(cursor: Cursor) -> tuple[str, Span] | None:
    """Return Markdown for the name at the cursor, and the span of the name."""
    symbol = cursor.symbol
    if not isinstance(symbol, Symbol):
        return None
    text = _describe_symbol(cursor, symbol)
    span = _symbol_span(cursor, symbol) if text else None
    return (text, span) if text and span else None


def _symbol_span(cursor: Cursor, symbol: Symbol) -> Span | None:
    declared, located = symbol.declaration, cursor.expression
    if declared and declared.contains(cursor.offset):
        return declared
    node = ast.node_at(located.root, located.offset) if located else None
    return located.span(node.end - len(symbol.name), node.end) if located and node else None


def _describe_symbol(cursor: Cursor, symbol: Symbol) -> str | None:
    owner = symbol.owner.part
    if symbol.variable:
        expression, variable = symbol.variable
        typed = typed_expression(symbol.owner, expression.place, expression.text)
        return _describe_variable(symbol, typed.result.variables.get(variable.span, DYN), "variable of a macro")
    if symbol.meaning is Meaning.RESOURCE and isinstance(owner, Resource):
        return describe_resource(symbol.owner.rgd, owner)
    if symbol.meaning is Meaning.ITERATOR and isinstance(owner, Resource) and owner.collection.iterator:
        fields = "`item`, `index` and `length` of a list, or `key`, `value` and `length` of a map"
        return f"**{plain(symbol.name)}**: one place of what `forEach` runs over, with {fields} (KREP-2)"
    if symbol.meaning is Meaning.ITERATOR and isinstance(owner, Resource):
        declared = symbol.declaration
        where = f" (line {cursor.document.text.position(declared.start).line + 1})" if declared else ""
        types = (typed_range(symbol.owner, each).result.type for each in owner.dimensions if each.name == symbol.name)
        what = f"iterator of `forEach`{where}; one object is made for each of its values"
        return _describe_variable(symbol, element_type(next(types, DYN)), what)
    return _OWN_NAMES.get(symbol.meaning) if symbol.meaning else None


def _describe_variable(symbol: Symbol, type_: Type, what: str) -> str:
    return f"**{plain(symbol.name)}**: {code(type_name(type_, symbol.owner))}, {what}"


def hover_simple_schema(cursor: Cursor) -> tuple[str, Span] | None:
    """Return Markdown for a type, a marker, a field or its use in an expression, and the span that it is about."""
    used = cursor.instance_field
    if used:
        name = used.definition.path[-1] if used.definition.path else "spec"
        return _describe_declared_field(used.definition, name), used.span
    declared = cursor.schema_field
    text = _describe_declared(cursor, declared) if declared else None
    return (text, _hovered(declared)) if declared and text else None


def _describe_declared(cursor: Cursor, declared: SchemaField) -> str | None:
    custom = cursor.symbol
    if isinstance(custom, CustomType) and custom.declaration:
        return describe_custom_type(custom.section, custom.name)
    if declared.in_key and declared.definition:
        return _describe_declared_field(declared.definition, declared.path[-1])
    return _describe_place(declared)


def _describe_declared_field(definition: FieldDefinition, name: str) -> str:
    """Return what SimpleSchema says of a field: its type, whether it must be set, its default and description."""
    type_ = str(definition.syntax.type) if definition.syntax else "object"
    facts = [code(type_)]
    if definition.required:
        facts.append("required")
    if definition.has_default:
        facts.append(f"default {code(json.dumps(definition.default, ensure_ascii=False))}")
    lines = [f"**{plain(name)}**: {', '.join(facts)}"]
    if definition.description:
        lines.append(prose(definition.description))
    values = definition.schema.get("enum")
    if values:
        lines.append("One of " + ", ".join(code(str(value)) for value in values))
    return "\n\n".join(lines)


def _describe_place(declared: SchemaField) -> str | None:
    place, text = declared.place, declared.written.text
    if place is None or text is None:
        return None
    if place.kind is PlaceKind.TYPE:
        name = text.text[place.span.start : place.span.end]
        return f"**{name}**\n\n{TYPES[name]}" if name in TYPES else None
    marker = MARKERS.get(place.marker.name) if place.marker else None
    return describe_marker(marker) if marker else None


def _hovered(declared: SchemaField) -> Span:
    """Return the word at the cursor, in document offsets."""
    place = declared.place
    return declared.owner.span(declared.written.span_in_text(place.span) if place else declared.written.entry.key.span)


_STATUS = ("spec", "schema", "status")


def hover_status_key(cursor: Cursor) -> tuple[str, Span] | None:
    """Return Markdown for the key of a status field at the cursor, and its span."""
    place, part = cursor.yaml, cursor.part
    if place is None or part is None or not place.in_key or place.path[:3] != _STATUS or len(place.path) == 3:
        return None
    span = place.located.key_span
    if span is None:
        return None
    names = place.path[3:]
    lines = [f"**{plain(str(names[-1]))}**: field of the status"]
    below = [
        each
        for each in joined(part.part.expressions)
        if each.place is Place.STATUS and each.path[: len(names)] == names
    ]
    for expression in below:
        if expression.path == names:
            found = typed_expression(part, expression.place, expression.text).result.type
            type_ = "unknown" if found.kind is Kind.ERROR else type_name(found, part)
            lines = [
                f"**{plain(str(names[-1]))}**: {code(type_)}, field of the status",
                code_block(expression.text.strip(), "cel"),
            ]
    if len(below) > 1:
        lines.append(f"An object of {len(below)} fields.")
    if names == ("conditions",):
        lines.append("kro sets conditions of its own as well: `Ready` and those that it is made of.")
    return "\n\n".join(lines), span


def hover_yaml(cursor: Cursor) -> tuple[str, Span] | None:
    """Return Markdown for the key or the value at the cursor, and its span."""
    if cursor.yaml is None:
        return None
    kind, schema, located = cursor.named_kind, cursor.key_schema, cursor.yaml.located
    if kind:
        name = kind.name
        index = cursor.rgd.schemas if cursor.rgd else cursor.document.schemas
        lifetime = index.lifetime(name.group, name.version, name.kind) if index else None
        return describe_kind(kind, lifetime, index.choice(name) if index else None), located.span
    span = located.key_span
    if schema and span:
        return describe_field(str(cursor.yaml.path[-1]), schema), span
    return _unknown_kind(cursor) or _value(cursor)


def _unknown_kind(cursor: Cursor) -> tuple[str, Span] | None:
    """Return Markdown for the `apiVersion` or `kind` of an object of an unknown kind."""
    path = cursor.named_object
    if cursor.rgd is None or cursor.yaml is None or not path or path[:2] != ("spec", "resources") or len(path) < 3:
        return None
    parent = cursor.rgd.rgd.document.child(path)
    api_version, kind = (text_of(field(parent.node if parent else None, name)) for name in ("apiVersion", "kind"))
    if not api_version:
        return None
    if cursor.yaml.path[-1] == "kind" and kind:
        return describe_unknown_kind(cursor.rgd, api_version, kind), cursor.yaml.located.span
    return describe_api_version(cursor.rgd.schemas, api_version), cursor.yaml.located.span


def _value(cursor: Cursor) -> tuple[str, Span] | None:
    """Return Markdown for a value: the values that its field accepts, and whether it is in the enum."""
    schema, place = cursor.value_schema, cursor.yaml
    name = next((step for step in reversed(place.path) if isinstance(step, str)), None) if place else None
    if schema is None or place is None or name is None or not isinstance(place.located.node, Scalar):
        return None
    text, value, enum = describe_field(name, schema), place.located.node.value, schema.schema.enum
    if enum and value not in enum:
        text += f"\n\n{code(str(value))} is not one of these."
    return text, place.located.span


_KEYS_OF_STATUS = (("status",), ("status", "state"), ("status", "conditions"))


_MOST_CAUSES = 3


def hover_cause(cursor: Cursor) -> tuple[str, Span] | None:
    """Return why an instance that kubectl printed is stuck, as Markdown, for a key of its status at the cursor."""
    described, place = cursor.described, cursor.yaml
    if described is None or described.kind is None or place is None or place.path not in _KEYS_OF_STATUS:
        return None
    key = place.located.key_span
    if key is None or not key.contains(cursor.offset):
        return None
    from kro_ls.features.documentation.why import causes_text
    from kro_ls.workspace.stuck_instances import stuck_instance, value_of

    document = cursor.document
    stuck = stuck_instance(value_of(described), path_of(document.uri), document, cursor.others)
    return (causes_text(stuck, _MOST_CAUSES), key) if stuck else None


def hover_evaluation(cursor: Cursor, preview: Preview) -> tuple[str, Span] | None:
    """Return Markdown for the value of the innermost part of an expression at the cursor, and its span.

    None where no expression is, or only a literal.
    """
    located = cursor.expression
    node = part_with_value(located.nodes, located.expression.text) if located else None
    if located is None or node is None or isinstance(node, ast.Literal):
        return None
    value = evaluate(preview, located.owner, located.expression, node)
    is_around = any(_has_no_value(each, node) for each in located.nodes[located.nodes.index(node) + 1 :])
    around = shortened(located.expression.text[node.start : node.end]) if is_around else ""
    return _describe_value(preview, value, around), located.span(node.start, node.end)


def _has_no_value(inner: ast.Node, shown: ast.Node) -> bool:
    """Whether a node, such as one that uses a macro variable, has no value of its own; an outer value is shown then."""
    return not isinstance(inner, ast.Hole) and not (isinstance(shown, ast.MacroCall) and inner is shown.call)


def _describe_value(preview: Preview, value: ExpressionValue, around: str) -> str:
    source = code(preview.instance.label) if preview.instance.uri else plain(preview.instance.label)
    if value.first_of is not None:
        source += f", first of {value.first_of}"
    of = f" of {code(around)}" if around else ""
    if value.error is not None:
        return f"No value{of} with {source}: {plain(value.error)}"
    if value.is_omitted:
        return f"Value{of} with {source}: left out (`omit()`)"
    shown = [without_ownership(each) if _is_object(each) else each for each in _items(value.data)]
    text = code_block(_short_json(shown if isinstance(value.data, list) else shown[0]), "json")
    note = "" if shown == _items(value.data) else "\n\nThe labels and annotations that kro adds are left out."
    return f"Value{of} with {source}:\n\n{text}{note}"


def _items(data: object) -> list[object]:
    return data if isinstance(data, list) else [data]


def _is_object(value: object) -> TypeGuard[JsonObject]:
    return isinstance(value, dict) and isinstance(value.get("metadata"), dict)


MOST_LINES = 20


_MOST_COLUMNS = 160


def _short_json(data: object) -> str:
    lines = json.dumps(data, indent=2, ensure_ascii=False).splitlines()
    shown = [line if len(line) <= _MOST_COLUMNS else f"{line[:_MOST_COLUMNS]}..." for line in lines[:MOST_LINES]]
    if len(lines) > MOST_LINES:
        shown.append(f"... {len(lines) - MOST_LINES} more lines")
    return "\n".join(shown)


_SOURCES: tuple[Source, ...] = (
    hover_name,
    hover_simple_schema,
    hover_status_key,
    hover_call,
    hover_value,
    hover_cause,
    hover_yaml,
)
"""Each returns Markdown for what is at the cursor, and its span; the first result counts."""
