"""What the fields of a template take: values that kro refuses, and the type that an expression must have.

kro walks a template along the schema of its kind before it looks at any expression.

kro checks no more than the kinds of values and the names of fields: no required fields, enums or patterns.
Source: kro `pkg/graph/parser/parser.go`.
"""

from __future__ import annotations

from enum import Enum
from functools import lru_cache
from math import isfinite
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct

from kro_ls.analysis.model.expressions import extract, is_standalone
from kro_ls.analysis.model.paths import format_path
from kro_ls.cel.types.types import DYN, Type
from kro_ls.openapi.cel_types import ELEMENT, TYPE_NAME_PREFIX, cel_type
from kro_ls.yaml_positions.nodes import Mapping, Node, Scalar, Sequence, entries, resolved

if TYPE_CHECKING:
    from kro_ls.analysis.model.paths import Path
    from kro_ls.kro.versions.dialect import Dialect
    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.openapi.kind_schema import KindSchema


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


class TemplateProblem(Struct, frozen=True, gc=False):
    """One fault: the node at fault (the key of an unknown field), its path, and kro's text.

    `known_fields` are the names that the schema has where an unknown field stands; `schema` is the schema there. Of a
    value of a wrong type, `given` is its type in kro's words.
    """

    fault: TemplateFault
    node: Node
    path: Path
    kro_message: str
    known_fields: tuple[str, ...] = ()
    schema: Schema | None = None
    given: str = ""


def template_problems(template: Node, kind: KindSchema, dialect: Dialect) -> tuple[TemplateProblem, ...]:
    """Return what kro refuses in a template of this kind, in the order of the text.

    The `dialect` decides which of its texts are expressions.
    """
    walker = _Walker(dialect)
    walker.walk(template, kind.schema)
    return tuple(walker.problems)


class _Walker:
    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self.problems: list[TemplateProblem] = []
        self._pending: list[tuple[Node, Any, Path]] = []

    def walk(self, root: Node, schema: Schema) -> None:
        self._pending.append((root, schema, ()))
        left = _MOST_NODES
        while self._pending and left > 0:
            left -= 1
            self._visit(*self._pending.pop())

    def _visit(self, written: Node, schema: Schema, path: Path) -> None:
        node = resolved(written)
        if schema.get(_OPEN) is True:
            return
        if not schema.get("type") and not any(map(schema.get, _OTHER_TYPE_KEYWORDS)):
            message = f"schema at path {format_path(path)} has no valid type, OneOf, AnyOf, or AdditionalProperties"
            self._unusable(written, schema, path, message)
        elif isinstance(node, Scalar):
            self._visit_scalar(node, schema, path, expected_types(schema))
        elif isinstance(node, Mapping):
            self._visit_mapping(written, schema, path, expected_types(schema))
        elif isinstance(node, Sequence):
            self._visit_sequence(node, schema, path, expected_types(schema))

    def _visit_mapping(self, written: Node, schema: Schema, path: Path, expected: tuple[str, ...]) -> None:
        additional = schema.get("additionalProperties")
        if "object" not in expected and additional is not True and not isinstance(additional, dict):
            self._wrong_type(written, schema, path, expected, "object")
            return
        children: list[tuple[Node, Any, Path]] = []
        properties = schema.get("properties") or {}
        other = {} if additional is True else additional or None
        for entry in entries(written):
            if entry.name is None:
                continue
            inner = (*path, entry.name)
            child = properties.get(entry.name, other)
            if isinstance(child, dict):
                if not _is_text_for(entry.value, child):
                    children.append((entry.value, child, inner))
            else:
                where = format_path(inner) if path else f".{entry.name}"
                message = f"error getting field schema for path {where}: schema not found for field {entry.name}"
                fault = TemplateFault.UNKNOWN_FIELD
                self.problems.append(TemplateProblem(fault, entry.key, inner, message, tuple(properties), schema))
        self._pending += reversed(children)

    def _visit_sequence(self, node: Sequence, schema: Schema, path: Path, expected: tuple[str, ...]) -> None:
        items = schema.get("items")
        if "array" not in expected:
            self._wrong_type(node, schema, path, expected, "array")
        elif isinstance(items, dict):
            self._pending += reversed([(item, items, (*path, index)) for index, item in enumerate(node.items)])
        else:
            reason = "neither Items.Schema nor Properties are defined"
            message = f"invalid array schema for path {format_path(path)}: {reason}"
            self._unusable(node, schema, path, message)

    def _visit_scalar(self, node: Scalar, schema: Schema, path: Path, expected: tuple[str, ...]) -> None:
        value = node.value
        if value is None or "any" in expected:
            return
        if isinstance(value, str):
            if "string" in expected:
                return
            if not is_standalone(value, extract(value, self._dialect)):
                self._wrong_type(node, schema, path, expected, "string")
        elif isinstance(value, float) and not isfinite(value):
            pass  # it is not JSON, which is reported as an error of the text
        else:
            accepting, name = _ACCEPTING[type(value)]
            if accepting.isdisjoint(expected):
                self._wrong_type(node, schema, path, expected, name)

    def _unusable(self, node: Node, schema: Schema, path: Path, message: str) -> None:
        self.problems.append(TemplateProblem(TemplateFault.UNUSABLE_SCHEMA, node, path, message, schema=schema))

    def _wrong_type(self, node: Node, schema: Schema, path: Path, expected: tuple[str, ...], got: str) -> None:
        message = f"expected {' or '.join(expected)} type for path {format_path(path)}, got {got}"
        self.problems.append(TemplateProblem(TemplateFault.WRONG_TYPE, node, path, message, schema=schema, given=got))


def _is_text_for(node: Node, schema: Schema) -> bool:
    """Whether a value is a text and the schema takes any text, as most do; then nothing else can be wrong."""
    is_text = type(node) is Scalar and type(node.value) is str
    return is_text and schema.get("type") == "string" and "oneOf" not in schema and "anyOf" not in schema


_OTHER_TYPE_KEYWORDS = ("oneOf", "anyOf", "additionalProperties")

_ACCEPTING: dict[type[object], tuple[frozenset[str], str]] = {
    bool: (frozenset({"boolean", "bool"}), "boolean"),
    int: (frozenset({"integer", "int", "number"}), "integer"),
    float: (frozenset({"number"}), "float64"),
}
"""By the type of a value, the types of fields that take it, and its name in messages."""


def expected_types(schema: Schema) -> tuple[str, ...]:
    """Return the JSON types that kro allows for a value of this schema; `any` stands for all."""
    if schema.get(_OPEN) is True:
        return ("any",)
    if schema.get(_INT_OR_STRING) is True:
        return "string", "integer"
    declared = schema.get("type")
    if isinstance(declared, str) and "oneOf" not in schema and "anyOf" not in schema:
        return (declared,)
    for keyword in ("oneOf", "anyOf"):
        collected = _branch_types(schema.get(keyword))
        if collected:
            return collected
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


@lru_cache(maxsize=256)  # each edit of a resource asks about the same fields
def expected_type(resource_id: str, kind: KindSchema | None, path: Path) -> Type:
    """Return the type of the field at a path of a resource's template; dyn where kro does not know the field."""
    schema = None if kind is None else _schema_at(kind, path)
    if schema is None:
        return DYN
    steps = [ELEMENT if isinstance(step, int) else step for step in path if step != ""]
    found = cel_type(schema, ".".join((f"{TYPE_NAME_PREFIX}{resource_id}", *steps)))
    return DYN if found is None else found


@lru_cache(maxsize=256)  # the resources of a kind have expressions in the same few fields
def _schema_at(kind: KindSchema, path: Path) -> JsonObject | None:
    """Return the schema of the field that kro finds at a path."""
    schema: JsonObject | None = kind.schema
    for step in path:
        if step == "":
            # kro's walk passes over an empty name.
            continue
        if schema is None or (isinstance(step, str) and _is_misread(step)):
            return None
        schema = _child(schema, step)
    return schema


def is_in_map(kind: KindSchema, path: Path) -> bool:
    """Return whether a path leads through a value of a map, which older versions of kro did not follow."""
    schema: JsonObject | None = kind.schema
    for step in path:
        if schema is None:
            return False
        properties = _object(schema.get("properties")) or {}
        if isinstance(step, str) and step not in properties and _object(schema.get("additionalProperties")) is not None:
            return True
        schema = _child(schema, step)
    return False


def _is_misread(key: str) -> bool:
    """Whether kro cannot read the key back from the path that it writes (kro `pkg/graph/fieldpath`)."""
    return '"' in key if "." in key else "[" in key


def _child(schema: JsonObject, step: str | int) -> JsonObject | None:
    if isinstance(step, int):
        return _object(schema.get("items"))
    properties = _object(schema.get("properties")) or {}
    found = _object(properties.get(step)) or _object(schema.get("additionalProperties"))
    if found is None and schema.get("type") == "array":
        items = _object(schema.get("items"))
        return _child(items, step) if items is not None else None
    return found


def _object(value: JsonValue) -> JsonObject | None:
    return value if isinstance(value, dict) else None
