"""Fields of a CustomResourceDefinition that Kubernetes does not know, and values of a type that it does not take.

Server-side apply, with which kro creates it, refuses both (sigs.k8s.io/structured-merge-diff, typed), and so does
kubectl. Below `items` and `additionalProperties`, which are not only schemas to Kubernetes, both drop unknown fields.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.openapi.json_values import JsonObject, JsonValue, as_object
from kro_ls.openapi.schema import Schema
from kro_ls.openapi.sources.crds.problem import StructuralProblem
from kro_ls.openapi.sources.crds.schema_keywords import JSON_TYPES, OPEN, SCHEMA
from kro_ls.openapi.validation.field_errors import place_of
from kro_ls.openapi.validation.plain import TYPE_WORDS
from kro_ls.spelling import closest

if TYPE_CHECKING:
    from kro_ls.openapi.sources.crds.problem import Path


def undeclared_fields(value: JsonValue, schema: JsonObject) -> tuple[StructuralProblem, ...]:
    """Return the fields of a value that the schema does not have, and the values that are not of its types."""
    found: list[StructuralProblem] = []
    _find(value, schema, (), found)
    return tuple(found)


def _find(value: JsonValue, schema: JsonObject, path: Path, found: list[StructuralProblem]) -> None:
    """Add what is wrong with a value; a list is passed on, for a generator for each value would take twice as long."""
    types = _types_of(schema)
    if value is None or not types:
        return
    if not any(each in types for each in JSON_TYPES[type(value)]):
        found.append(_wrong_type(value, types, path))
    elif isinstance(value, list):
        for position, item in enumerate(value):
            _find(item, as_object(schema.get("items")), (*path, position), found)
    elif isinstance(value, dict):
        properties, others = as_object(schema.get("properties")), as_object(schema.get("additionalProperties"))
        for name, child in value.items():
            inner = properties.get(name, others)
            if isinstance(inner, dict) and (inner or name in properties):
                if not isinstance(child, str) or inner.get("type") != "string":
                    _find(child, inner, (*path, name), found)
            elif schema.get(OPEN) is not True:
                found.append(_unknown(name, value, properties, path))


def _types_of(schema: JsonObject) -> tuple[str, ...]:
    own = schema.get("type")
    return (own,) if isinstance(own, str) else Schema(schema).types


def _unknown(name: str, holder: JsonObject, known: JsonObject, path: Path) -> StructuralProblem:
    meant = closest(name, tuple(each for each in known if each not in holder))
    is_dropped = _is_dropped(path)
    advice = (
        f"did you mean '{meant}'?" if meant else "Kubernetes ignores it" if is_dropped else "there is no such field"
    )
    whole = (*path, name)
    printed = "" if is_dropped else f".{place_of(whole)}: field not declared in schema"
    return StructuralProblem(whole, f"unknown field '{name}'; {advice}", printed, meant=meant or "")


def _is_dropped(path: Path) -> bool:
    steps = iter(path[path.index(SCHEMA) + 1 :] if SCHEMA in path else ())
    for step in steps:
        if step in ("items", "additionalProperties"):
            return True
        if step == "properties":
            next(steps, None)
    return False


def _wrong_type(value: JsonValue, types: tuple[str, ...], path: Path) -> StructuralProblem:
    name = f"'{path[-1]}'" if path and isinstance(path[-1], str) else "this"
    expected = " or ".join(TYPE_WORDS.get(each, each) for each in types)
    given = JSON_TYPES[type(value)][0]
    return StructuralProblem(path, f"{name} must be {expected}, not {TYPE_WORDS.get(given, given)}", at_value=True)
