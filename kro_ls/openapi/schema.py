"""A schema's keywords by name and type, over the plain data of the sources, and in words for people."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.openapi.json_values import JsonObject, JsonValue, as_list, as_object, as_text, as_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


class Schema(Struct, frozen=True, eq=False):
    """A view of `raw`, one schema without any `$ref`. A malformed keyword counts as absent.

    As in the API server, only the schema itself has fields. `allOf`, `anyOf` and `oneOf` restrict their values
    (structural schemas: k8s.io/apiextensions-apiserver, pkg/apiserver/schema); `required`, `enum` and `types` include
    these restrictions.
    """

    raw: JsonObject

    @property
    def description(self) -> str:
        """Text for people, often Markdown."""
        return as_text(self.raw.get("description"))

    @property
    def types(self) -> tuple[str, ...]:
        """The JSON types that a value may have; empty where any is allowed."""
        if self.is_int_or_string:
            return "integer", "string"
        own = self.raw.get("type")
        if own:
            return (own,) if isinstance(own, str) else as_texts(own)
        for keyword in ("oneOf", "anyOf"):
            found = dict.fromkeys(name for branch in self._branches(keyword) for name in branch.types)
            if found:
                return tuple(found)
        return ()

    @property
    def format(self) -> str:
        """The `format`, such as `int32`, `date-time` or `byte`."""
        return as_text(self.raw.get("format"))

    @property
    def is_int_or_string(self) -> bool:
        """Whether integers and strings are allowed, as for ports."""
        return self.raw.get("x-kubernetes-int-or-string") is True or self.format == "int-or-string"

    @property
    def required(self) -> tuple[str, ...]:
        """The fields that an object must have."""
        names = [*as_texts(self.raw.get("required"))]
        for branch in self._branches("allOf"):
            names += branch.required
        return tuple(dict.fromkeys(names))

    @property
    def enum(self) -> tuple[JsonValue, ...]:
        """The only allowed values; empty where there is no such list."""
        own = as_list(self.raw.get("enum"))
        lists = [own] if own else []
        lists += [list(branch.enum) for branch in self._branches("allOf") if branch.enum]
        if not lists:
            for keyword in ("anyOf", "oneOf"):
                enums = [branch.enum for branch in self._branches(keyword)]
                if enums and all(enums):
                    lists.append([value for enum in enums for value in enum])
        return tuple(value for value in lists[0] if all(value in other for other in lists[1:])) if lists else ()

    @property
    def default(self) -> JsonValue:
        """The value the API server fills in; None where there is none."""
        return self.raw.get("default")

    @property
    def nullable(self) -> bool:
        """Whether null is a value like others."""
        return self.raw.get("nullable") is True

    @property
    def preserves_unknown_fields(self) -> bool:
        """Whether an object may have fields that the schema lacks."""
        return self.raw.get("x-kubernetes-preserve-unknown-fields") is True

    @property
    def list_type(self) -> str:
        """`set`, `map` or `atomic`, the default."""
        return as_text(self.raw.get("x-kubernetes-list-type")) or "atomic"

    @property
    def is_deprecated(self) -> bool:
        """Whether the description says so."""
        return "deprecated:" in self.description.lower()

    @property
    def properties(self) -> dict[str, Schema]:
        """The fields of an object, in the order of the source."""
        fields = as_object(self.raw.get("properties"))
        return {name: Schema(as_object(schema)) for name, schema in fields.items()}

    @property
    def items(self) -> Schema | None:
        """The schema of the elements of a list."""
        items = self.raw.get("items")
        return Schema(items) if isinstance(items, dict) else None

    @property
    def additional_properties(self) -> Schema | None:
        """The schema of the values of a map; one without restrictions where it is only `true`."""
        additional = self.raw.get("additionalProperties")
        if additional is True:
            return Schema({})
        return Schema(additional) if isinstance(additional, dict) else None

    def child(self, segment: str | int) -> Schema | None:
        """Return the schema one step down: of a field or map key, or an element by index. None for an unknown field."""
        found: JsonValue
        if isinstance(segment, int):
            found = self.raw.get("items")
        else:
            found = as_object(self.raw.get("properties")).get(segment)
            if found is None:
                additional = self.additional_properties
                if additional is not None:
                    return additional
        if isinstance(found, dict):
            return Schema(found)
        return ANYTHING if self.preserves_unknown_fields else None

    def field(self, path: Sequence[str | int]) -> Schema | None:
        """Return the schema at the end of a path of field names and indices; None for an unknown field."""
        schema: Schema | None = self
        for segment in path:
            if schema is None:
                return None
            schema = schema.child(segment)
        return schema

    def _branches(self, keyword: str) -> Iterator[Schema]:
        for branch in as_list(self.raw.get(keyword)):
            if isinstance(branch, dict):
                yield Schema(branch)


ANYTHING = Schema({"x-kubernetes-preserve-unknown-fields": True})
"""The schema of what is below a field that preserves unknown fields."""


_SAME = r"\s*(self\s*==\s*oldSelf|oldSelf\s*==\s*self)\s*"
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
"""The keywords that restrict a value, and their words."""


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
    """Yield what a schema says about a value beside its type: format, default, limits, rules.

    `code` marks YAML and CEL, `plain` makes a text of the schema's author harmless.
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


def rules_of(schema: Schema) -> list[str]:
    """Return the rules in CEL that a value must follow (`x-kubernetes-validations`), without those of its fields."""
    return [as_text(as_object(each).get("rule")) for each in as_list(schema.raw.get("x-kubernetes-validations"))]


def is_immutable(rule: str) -> bool:
    """Whether a rule of a schema forbids any change of its value."""
    return re.fullmatch(_SAME, rule) is not None
