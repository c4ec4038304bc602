"""Walks a template along the schema of its kind, as kro does before it looks at any expression.

kro checks no more than the kinds of values and the names of fields: no required fields, enums or patterns.
Source: kro `pkg/graph/parser/parser.go`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from math import isfinite
from typing import TYPE_CHECKING, Any, TypeAlias

from kro_ls.analysis.model.extraction import extract, is_standalone
from kro_ls.analysis.model.paths import format_path
from kro_ls.yaml_positions.access import entries, resolved
from kro_ls.yaml_positions.nodes import Mapping, Node, Scalar, Sequence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.model.paths import Path
    from kro_ls.openapi.kinds import KindSchema

Schema: TypeAlias = dict[str, Any]

_OPEN = "x-kubernetes-preserve-unknown-fields"
_INT_OR_STRING = "x-kubernetes-int-or-string"

# Aliases can make a small file stand for a huge tree.
_MOST_NODES = 100_000


class TemplateFault(Enum):
    """What is wrong with a value of a template."""

    UNKNOWN_FIELD = "unknown field"
    WRONG_TYPE = "wrong type"
    UNUSABLE_SCHEMA = "unusable schema"


@dataclass(frozen=True, slots=True)
class TemplateProblem:
    """One fault: the node at fault (the key of an unknown field), its path, and kro's text.

    `known_fields` are the names that the schema has where an unknown field stands; `schema` is the schema there.
    """

    fault: TemplateFault
    node: Node
    path: Path
    message: str
    known_fields: tuple[str, ...] = ()
    schema: Schema | None = None


def template_problems(template: Node, kind: KindSchema) -> tuple[TemplateProblem, ...]:
    """Return what kro refuses in a template of this kind, in the order of the text."""
    walker = _Walker()
    return tuple(walker.walk(template, kind.schema))


class _Walker:
    def __init__(self) -> None:
        self._left = _MOST_NODES

    def walk(self, root: Node, schema: Schema) -> Iterator[TemplateProblem]:
        pending: list[tuple[Node, Any, Path]] = [(root, schema, ())]
        while pending and self._left > 0:
            self._left -= 1
            node, schema, path = pending.pop()
            found = _visit(node, schema, path)
            yield from found.problems
            pending.extend(reversed(found.children))


@dataclass(frozen=True, slots=True)
class _Visit:
    problems: tuple[TemplateProblem, ...] = ()
    children: tuple[tuple[Node, Any, Path], ...] = ()


_FINE = _Visit()


def _visit(written: Node, schema: Schema, path: Path) -> _Visit:
    node = resolved(written)
    if schema.get(_OPEN) is True:
        return _FINE
    if not any(schema.get(keyword) for keyword in ("type", "oneOf", "anyOf", "additionalProperties")):
        message = f"schema at path {format_path(path)} has no valid type, OneOf, AnyOf, or AdditionalProperties"
        return _Visit((TemplateProblem(TemplateFault.UNUSABLE_SCHEMA, written, path, message, schema=schema),))
    expected = expected_types(schema)
    if isinstance(node, Mapping):
        return _visit_mapping(written, schema, path, expected)
    if isinstance(node, Sequence):
        return _visit_sequence(node, schema, path, expected)
    if isinstance(node, Scalar):
        return _visit_scalar(node, schema, path, expected)
    return _FINE


def expected_types(schema: Schema) -> tuple[str, ...]:
    """Return the JSON types that kro lets a value of this schema have; `any` stands for all."""
    if schema.get(_OPEN) is True:
        return ("any",)
    if schema.get(_INT_OR_STRING) is True:
        return "string", "integer"
    for keyword in ("oneOf", "anyOf"):
        collected = _branch_types(schema.get(keyword))
        if collected:
            return collected
    declared = schema.get("type")
    types = (declared,) if isinstance(declared, str) else tuple(declared or ())
    return types or ("any",)


def _branch_types(branches: Any) -> tuple[str, ...]:
    types: dict[str, None] = {}
    for branch in branches if isinstance(branches, list) else ():
        if branch.get("required") or "not" in branch:
            types["object"] = None
        declared = branch.get("type")
        for name in [declared] if isinstance(declared, str) else declared or ():
            types[name] = None
    return tuple(types)


def _visit_mapping(written: Node, schema: Schema, path: Path, expected: tuple[str, ...]) -> _Visit:
    additional = schema.get("additionalProperties")
    allows_any = additional is True or isinstance(additional, dict)
    if "object" not in expected and not allows_any:
        return _wrong_type(written, schema, path, expected, "object")
    problems: list[TemplateProblem] = []
    children: list[tuple[Node, Any, Path]] = []
    properties = schema.get("properties") or {}
    for entry in entries(written):
        if entry.name is None:
            continue
        inner = (*path, entry.name)
        child = properties.get(entry.name, {} if additional is True else additional or None)
        if isinstance(child, dict):
            children.append((entry.value, child, inner))
        else:
            where = format_path(inner) if path else f".{entry.name}"
            message = f"error getting field schema for path {where}: schema not found for field {entry.name}"
            fault = TemplateFault.UNKNOWN_FIELD
            problems.append(TemplateProblem(fault, entry.key, inner, message, tuple(properties), schema))
    return _Visit(tuple(problems), tuple(children))


def _visit_sequence(node: Sequence, schema: Schema, path: Path, expected: tuple[str, ...]) -> _Visit:
    if "array" not in expected:
        return _wrong_type(node, schema, path, expected, "array")
    items = schema.get("items")
    if not isinstance(items, dict):
        message = f"invalid array schema for path {format_path(path)}: neither Items.Schema nor Properties are defined"
        return _Visit((TemplateProblem(TemplateFault.UNUSABLE_SCHEMA, node, path, message, schema=schema),))
    return _Visit((), tuple((item, items, (*path, index)) for index, item in enumerate(node.items)))


def _visit_scalar(node: Scalar, schema: Schema, path: Path, expected: tuple[str, ...]) -> _Visit:
    value = node.value
    if value is None or "any" in expected or (isinstance(value, float) and not isfinite(value)):
        # What is not a finite number is not JSON, and an error of the text already.
        return _FINE
    if isinstance(value, str):
        if "string" in expected or is_standalone(value, extract(value)):
            return _FINE
        return _wrong_type(node, schema, path, expected, "string")
    if isinstance(value, bool):
        return _FINE if {"boolean", "bool"} & set(expected) else _wrong_type(node, schema, path, expected, "boolean")
    if isinstance(value, int):
        allowed = {"integer", "int", "number"} & set(expected)
        return _FINE if allowed else _wrong_type(node, schema, path, expected, "integer")
    return _FINE if "number" in expected else _wrong_type(node, schema, path, expected, "float64")


def _wrong_type(node: Node, schema: Schema, path: Path, expected: tuple[str, ...], got: str) -> _Visit:
    message = f"expected {' or '.join(expected)} type for path {format_path(path)}, got {got}"
    return _Visit((TemplateProblem(TemplateFault.WRONG_TYPE, node, path, message, schema=schema),))
