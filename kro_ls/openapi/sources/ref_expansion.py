"""Definitions with every `$ref` replaced by its target.

The result is plain data: nested dicts that share common definitions and must not be changed.

A reference to a definition that is being expanded becomes an `object` without properties, and a reference replaces the
whole schema around it (k8s.io/apiserver, pkg/cel/openapi/resolver/refs.go); we keep the field's own description, which
that code drops.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.openapi.json_values import JsonObject, JsonValue, as_list, as_object, as_text

if TYPE_CHECKING:
    from collections.abc import Callable

# The number of paths through definitions that refer to each other is exponential, and a dump can nest without bound.
# Past these limits a schema is cut like a circular one.
MAX_CIRCULAR_EXPANSIONS = 2_000
MAX_DEPTH = 250

# Swagger 2.0 can only call these two strings. This is their OpenAPI v3 form, which kro sees in a cluster.
_V3_FORMS: dict[str, JsonObject] = {
    "io.k8s.apimachinery.pkg.util.intstr.IntOrString": {
        "description": "A whole number or a string, such as a port number or a port name, or a count or a percentage.",
        "format": "int-or-string",
        "oneOf": [{"type": "integer"}, {"type": "string"}],
    },
    "io.k8s.apimachinery.pkg.api.resource.Quantity": {
        "description": "A fixed-point number with an optional suffix: 500m, 2, 1.5Gi, 10k. "
        "Binary suffixes are Ki, Mi, Gi, Ti, Pi and Ei; decimal ones are n, u, m, k, M, G, T, P and E.",
        "oneOf": [{"type": "string"}, {"type": "number"}],
    },
}


class Definitions:
    """Named definitions, each resolved when it is first asked for, and then cached."""

    def __init__(self, load: Callable[[str], JsonObject | None]) -> None:
        """`load` returns the definition that a `$ref` names, still with references in it, or None."""
        self._load_from_source = load
        self._resolved: dict[str, JsonObject] = {}
        self._free_of_cycles: dict[str, JsonObject] = {}

    def resolve(self, name: str) -> JsonObject | None:
        """Return the definition called `name` without any `$ref`, None where there is none."""
        if name not in self._resolved:
            definition = self._load(name)
            if definition is None:
                return None
            self._resolved[name] = _Expansion(self._load, self._free_of_cycles).definition(name, definition)
        return self._resolved[name]

    def _load(self, name: str) -> JsonObject | None:
        return _V3_FORMS.get(name) or self._load_from_source(name)


class _Expansion:
    """One walk from a root definition down."""

    def __init__(self, load: Callable[[str], JsonObject | None], free_of_cycles: dict[str, JsonObject]) -> None:
        self._load = load
        self._free_of_cycles = free_of_cycles
        self._open: set[str] = set()
        self._cuts = 0
        self._circular_expansions = 0

    def definition(self, name: str, definition: JsonObject) -> JsonObject:
        previous_cuts = self._cuts
        self._open.add(name)
        resolved = self._schema(definition, 0)
        self._open.discard(name)
        if self._cuts == previous_cuts:
            # Nothing below depends on the path that led here, so every other path can share it.
            self._free_of_cycles[name] = resolved
        else:
            self._circular_expansions += 1
        return resolved

    def _cut(self) -> JsonObject:
        self._cuts += 1
        return {"type": "object"}

    def _referred(self, name: str) -> JsonObject:
        if name in self._free_of_cycles:
            return self._free_of_cycles[name]
        definition = self._load(name)
        exhausted = self._circular_expansions > MAX_CIRCULAR_EXPANSIONS or len(self._open) > MAX_DEPTH
        if definition is None or name in self._open or exhausted:
            return self._cut()
        return self.definition(name, definition)

    def _schema(self, schema: JsonObject, depth: int) -> JsonObject:
        if depth > MAX_DEPTH:
            return self._cut()
        name = reference_of(schema)
        if name is not None:
            target = self._referred(name)
            return {**target, "description": schema["description"]} if "description" in schema else target
        changed: JsonObject = {}
        for keyword in ("properties", "items", "additionalProperties", "allOf", "anyOf", "oneOf", "not"):
            value = schema.get(keyword)
            if value:
                resolved = self._children(keyword, value, depth + 1)
                if resolved is not value:
                    changed[keyword] = resolved
        return {**schema, **changed} if changed else schema

    def _children(self, keyword: str, value: JsonValue, depth: int) -> JsonValue:
        if isinstance(value, list):
            entries: list[JsonValue] = [self._value(entry, depth) for entry in value]
            return value if all(new is old for new, old in zip(entries, value, strict=True)) else entries
        if keyword != "properties" or not isinstance(value, dict):
            return self._value(value, depth)
        properties: JsonObject = {name: self._value(child, depth) for name, child in value.items()}
        return value if all(properties[name] is value[name] for name in value) else properties

    def _value(self, value: JsonValue, depth: int) -> JsonValue:
        return self._schema(value, depth) if isinstance(value, dict) else value


def reference_of(schema: JsonObject) -> str | None:
    """Return the name of the definition that a schema refers to: by `$ref`, or in `allOf` beside a description.

    The name is what follows the last `/` of the reference.
    """
    reference = schema.get("$ref")
    if isinstance(reference, str):
        return reference.rpartition("/")[2]
    for entry in as_list(schema.get("allOf")):
        wrapped = as_text(as_object(entry).get("$ref"))
        if wrapped:
            return wrapped.rpartition("/")[2]
    return None
