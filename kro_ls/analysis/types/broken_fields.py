"""Lets expressions use fields of the instance whose SimpleSchema is in error: one fault is reported once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from kro_ls.analysis.simpleschema.results import SchemaResult

Schema: TypeAlias = dict[str, Any]

# kro takes a schema of integers and strings for `dyn`; one without a type it would not show to expressions at all.
_ANYTHING: Schema = {"x-kubernetes-int-or-string": True}


def checkable_schema(result: SchemaResult) -> Schema:
    """Return the schema of `spec` for the check of expressions, in which what is in error is of type `dyn`."""
    return _Opening().opened(result.recovered) if result.errors else result.recovered


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
