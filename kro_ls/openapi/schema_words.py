"""What a schema says, in words for people."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from kro_ls.openapi.json_values import as_list, as_object, as_text
from kro_ls.openapi.knowledge.immutability import is_immutable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kro_ls.openapi.json_values import JsonValue
    from kro_ls.openapi.schema import Schema

_MOST_VALUES = 20
_MOST_RULES = 10

_LIMITS = {
    "minimum": "at least",
    "exclusiveMinimum": "more than",
    "maximum": "at most",
    "exclusiveMaximum": "less than",
    "multipleOf": "a multiple of",
    "minLength": "characters, at least",
    "maxLength": "characters, at most",
    "pattern": "pattern",
    "minItems": "items, at least",
    "maxItems": "items, at most",
    "minProperties": "entries, at least",
    "maxProperties": "entries, at most",
}
"""The keywords that restrict a value, and what to say of each."""


def type_text(schema: Schema) -> str:
    """Return the type of a value: `string`, `[]object`, `map[string]string`, `integer or string`, `any`."""
    types = schema.types
    items, values = schema.items, schema.additional_properties
    if types == ("array",) and items:
        return f"[]{type_text(items)}"
    if types == ("object",) and values and not schema.raw.get("properties"):
        return f"map[string]{type_text(values)}"
    return " or ".join(types) or "any"


def schema_facts(schema: Schema, code: Callable[[str], str], plain: Callable[[str], str]) -> Iterator[str]:
    """Yield what a schema says of a value beside its type: format, default, limits, rules.

    `code` marks what is written in YAML or CEL, `plain` makes a text of the schema's author harmless.
    """
    if schema.format:
        yield f"format: {code(schema.format)}"
    if schema.default is not None:
        yield f"default: {code(_json(schema.default))}"
    if schema.enum:
        more = ", ..." if len(schema.enum) > _MOST_VALUES else ""
        yield "one of: " + ", ".join(code(_json(value)) for value in schema.enum[:_MOST_VALUES]) + more
    for keyword, words in _LIMITS.items():
        if keyword in schema.raw:
            yield f"{words}: {code(_json(schema.raw[keyword]))}"
    if schema.raw.get("uniqueItems") is True:
        yield "no item twice"
    for each in as_list(schema.raw.get("x-kubernetes-validations"))[:_MOST_RULES]:
        rule = as_object(each)
        text, message = as_text(rule.get("rule")), as_text(rule.get("message"))
        shown = "cannot be changed after creation" if is_immutable(text) else f"rule: {code(text)}"
        yield shown + (f" ({plain(message)})" if message else "")


def _json(value: JsonValue) -> str:
    return json.dumps(value, ensure_ascii=False)
