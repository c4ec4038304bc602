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
    """Opens the fields of unknown type of a schema. A part without any stays the same object, which others compare by.

    Parts that are shared are looked at once and stay shared, so the schema stays small.
    """

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
        changed: Schema = {}
        for name in ("items", "additionalProperties"):
            if name in schema and (inner := self.opened(schema[name])) is not schema[name]:
                changed[name] = inner
        members = schema.get("properties") or {}
        opened = {name: self.opened(member) for name, member in members.items()}
        if any(opened[name] is not member for name, member in members.items()):
            changed["properties"] = opened
        return {**schema, **changed} if changed else schema
