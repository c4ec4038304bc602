"""Lets expressions use fields of the instance whose SimpleSchema is in error: one fault is reported once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from kro_ls.analysis.simpleschema.results import SchemaResult
    from kro_ls.openapi.json_values import JsonValue

Schema: TypeAlias = dict[str, Any]

# kro takes a schema of integers and strings for `dyn`; one without a type it would not show to expressions at all.
_ANYTHING: Schema = {"x-kubernetes-int-or-string": True}


def checkable_schema(result: SchemaResult) -> Schema:
    """Return the schema of `spec` for the check of expressions, in which what is in error is of type `dyn`."""
    return _Opening().opened(result.recovered) if result.errors else result.recovered


def holds_broken_fields(spec: JsonValue) -> bool:
    """Whether some field of such a schema of `spec` is in error. Shared parts are looked at once."""
    seen: set[int] = set()
    pending = [spec]
    while pending:
        schema = pending.pop()
        if not isinstance(schema, dict) or id(schema) in seen:
            continue
        if schema is _ANYTHING:
            return True
        seen.add(id(schema))
        properties = schema.get("properties")
        pending.extend(properties.values() if isinstance(properties, dict) else ())
        pending.extend((schema.get("items"), schema.get("additionalProperties")))
    return False


class _Opening:
    """Copies a schema with its fields of unknown type opened. Parts that are shared stay shared, so it stays small."""

    def __init__(self) -> None:
        self._done: dict[int, Schema] = {}

    def opened(self, schema: Schema) -> Schema:
        found = self._done.get(id(schema))
        if found is None:
            found = self._done[id(schema)] = self._open(schema)
        return found

    def _open(self, schema: Schema) -> Schema:
        if "type" not in schema:
            return _ANYTHING
        opened = dict(schema)
        for name in ("items", "additionalProperties"):
            if name in schema:
                opened[name] = self.opened(schema[name])
        if "properties" in schema:
            opened["properties"] = {name: self.opened(member) for name, member in schema["properties"].items()}
        return opened
