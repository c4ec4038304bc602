"""What the API server does with a custom resource or a part of one: what it prunes, fills in and refuses.

Rules in CEL (`x-kubernetes-validations`) are evaluated by a function that the caller passes. Nearly all values are
sound, which one walk over compiled schemas finds out; only the others are validated keyword by keyword.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec import Struct

from kro_ls.openapi.json_values import HeldObject, JsonObject, JsonValue, as_object, as_texts, copy_json
from kro_ls.openapi.validation.field_errors import RULES_NOT_CHECKED, ErrorType, FieldError, field_error
from kro_ls.yaml_positions.nodes import Mapping, Scalar, Sequence, entries_by_name, resolved

if TYPE_CHECKING:
    from kro_ls.openapi.validation.field_errors import Path
    from kro_ls.yaml_positions.nodes import Node

RuleEvaluation: TypeAlias = Callable[[JsonObject, JsonObject, JsonObject | None], Iterable[FieldError]]
"""Evaluates the `x-kubernetes-validations` of a schema (second) on a whole, defaulted object (first).

The third is the object that it replaces, None for a new one.
"""


class Admission(Struct, frozen=True):
    """The object as it would be stored, the paths pruned from it (sorted), and why it is refused."""

    defaulted: JsonObject
    unknown_fields: tuple[Path, ...]
    errors: tuple[FieldError, ...]


class Faults(Struct, frozen=True):
    """What is wrong with a part of an object: the unknown fields, and the errors. Paths begin at the part."""

    unknown_fields: tuple[Path, ...]
    errors: tuple[FieldError, ...]


_NO_FAULTS = Faults((), ())


def admit(
    value: JsonObject,
    schema: JsonObject,
    evaluate_rules: RuleEvaluation | None = None,
    old: JsonObject | None = None,
) -> Admission:
    """Prune, default and validate an object by the structural schema (`openAPIV3Schema`) of its kind.

    `value` is not changed. The object's own `metadata` is checked only where the schema mentions it. Without
    `evaluate_rules`, the schema's rules are ignored. `old` is the stored object, which rules about changes read.

    The order is that of k8s.io/apiextensions-apiserver, pkg/registry/customresource/strategy.go.
    """
    from kro_ls.openapi.validation.structural_values import prune_object

    stored: JsonObject = copy_json(value)
    unknown = prune_object(stored, schema)
    errors = _default_and_validate(stored, schema)
    if evaluate_rules is not None:
        if any(error.stops_rules for error in errors):
            if _has_rules(schema):
                errors.append(field_error((), "", ErrorType.INVALID, None, RULES_NOT_CHECKED))
        else:
            errors += evaluate_rules(stored, schema, _stored(old, schema) if old else None)
    return Admission(stored, tuple(unknown), tuple(errors))


def _stored(value: JsonObject, schema: JsonObject) -> JsonObject:
    """Return an object as the API server stored it."""
    from kro_ls.openapi.validation.structural_values import apply_defaults, drop_nulls, prune_object

    stored: JsonObject = copy_json(value)
    prune_object(stored, schema)
    drop_nulls(stored, schema)
    apply_defaults(stored, schema)
    return stored


def faults(value: JsonValue, schema: JsonObject) -> Faults:
    """Prune, default and validate a part of an object by its schema, without rules; `value` itself may be changed."""
    if is_sound(value, schema):
        return _NO_FAULTS
    from kro_ls.openapi.validation.structural_values import prune

    unknown = prune(value, schema)
    return Faults(tuple(unknown), tuple(_default_and_validate(value, schema)))


def _default_and_validate(value: JsonValue, schema: JsonObject) -> list[FieldError]:
    from kro_ls.openapi.validation.keywords import keyword_errors
    from kro_ls.openapi.validation.structural_values import apply_defaults, drop_nulls, structure_errors

    drop_nulls(value, schema)
    apply_defaults(value, schema)
    return [*keyword_errors(value, schema), *structure_errors(value, schema)]


def _has_rules(schema: JsonValue) -> bool:
    if isinstance(schema, list):
        return any(map(_has_rules, schema))
    if not isinstance(schema, dict):
        return False
    return bool(schema.get("x-kubernetes-validations")) or any(map(_has_rules, schema.values()))


def value_for(node: Node | None, schema: JsonObject) -> JsonValue:
    """Return the value of a YAML tree as far as a schema describes it: without fields or items, it is empty there.

    So the cost depends on the fields of the schema, however large the others are. The path of an error in the value is
    the path of a node in the tree (`yaml_positions.nodes.node_at`).
    """
    node = resolved(node)
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Mapping):
        return _object(node, schema)
    if isinstance(node, Sequence):
        items = schema.get("items")
        return [value_for(item, items) for item in node.items] if isinstance(items, dict) else []
    return None


def _object(mapping: Mapping, schema: JsonObject) -> JsonObject:
    known, others = as_object(schema.get("properties")), as_object(schema.get("additionalProperties"))
    if not known and not others:
        return {}
    written = entries_by_name(mapping).items()
    return {name: value_for(entry.value, as_object(known.get(name, others))) for name, entry in written}


def is_sound(value: JsonValue, schema: JsonObject) -> bool:
    """Whether `faults` finds nothing in a value. False also where this walk cannot decide that."""
    shape = _compiled(HeldObject(schema))
    return shape is not None and _fits(value, shape)


_TYPES: Final[dict[str, type]] = {"string": str, "boolean": bool, "integer": int, "array": list, "object": dict}
_KEEPS: Final = "x-kubernetes-preserve-unknown-fields"
_SILENT: Final = frozenset(
    {
        *("description", "type", "default", _KEEPS, "x-kubernetes-validations", "x-kubernetes-map-type"),
        *("x-kubernetes-patch-strategy", "x-kubernetes-patch-merge-key", "x-kubernetes-list-map-keys"),
    }
)
"""Keywords that refuse no value of the type, or that `_Shape` has a field for."""

_OF_TYPE: Final[dict[str, frozenset[str]]] = {
    "string": frozenset({"minLength", "maxLength", "enum", "pattern"}),
    "boolean": frozenset(),
    "integer": frozenset(),
    "array": frozenset({"items", "minItems", "maxItems", "x-kubernetes-list-type"}),
    "object": frozenset({"properties", "additionalProperties", "required", "minProperties", "maxProperties"}),
}
"""The keywords that `is_sound` looks at, by type. Where a schema has others, it cannot decide."""

_PLAIN_PATTERN: Final = re.compile(r"\^(?:[A-Za-z0-9_-]|\[[A-Za-z0-9_-]+\]|\{[0-9]+,[0-9]+\}|[?*+()|])*\$")
"""Patterns that mean the same to Python as to RE2, for a text without line feeds."""
_LONGEST_MATCHED: Final = 253
"""Matching a longer text can be slow in Python."""


class _Shape(Struct, frozen=True, gc=False):
    """What a sound value is like. `type` is None where anything but null is; `fewest` and `most` bound its length."""

    type: type | None
    fewest: int = 0
    most: float = float("inf")
    allowed: frozenset[str] = frozenset()
    pattern: re.Pattern[str] | None = None
    items: _Shape | None = None
    is_set: bool = False
    properties: dict[str, _Shape | None] = {}
    others: _Shape | None = None
    keeps: bool = False
    required: tuple[str, ...] = ()
    defaults: frozenset[str] = frozenset()
    """The fields that have one."""

    @property
    def is_counted(self) -> bool:
        """Whether it matters how many fields there are."""
        return self.fewest > 0 or self.most < float("inf")


@lru_cache(maxsize=64)  # of the schemas of our own kinds, which are constants of a run
def _compiled(schema: HeldObject) -> _Shape | None:
    return _shape(schema.value)


def _shape(schema: JsonObject) -> _Shape | None:
    """Return what a sound value is like; None where the keywords here cannot express it."""
    keeps, name = schema.get(_KEEPS) is True, schema.get("type")
    if name is None:
        return _Shape(None) if keeps and schema.keys() <= {"description", _KEEPS} else None
    if not isinstance(name, str) or name not in _OF_TYPE or not schema.keys() <= _SILENT | _OF_TYPE[name]:
        return None
    if name == "object":
        return _object_shape(schema, keeps=keeps)
    if name == "array":
        items, list_type = schema.get("items"), schema.get("x-kubernetes-list-type", "atomic")
        inner = _shape(items) if isinstance(items, dict) else None
        return inner and _Shape(list, *_bounds(schema, "Items"), items=inner, is_set=list_type != "atomic")
    pattern = schema.get("pattern")
    if pattern is not None and not (isinstance(pattern, str) and _PLAIN_PATTERN.fullmatch(pattern)):
        return None
    allowed = frozenset(as_texts(schema.get("enum")))
    return _Shape(
        _TYPES[name],
        *_bounds(schema, "Length"),
        allowed=allowed,
        pattern=re.compile(pattern) if isinstance(pattern, str) else None,
    )


def _object_shape(schema: JsonObject, *, keeps: bool) -> _Shape | None:
    properties, others = as_object(schema.get("properties")), schema.get("additionalProperties")
    inner = _shape(others) if isinstance(others, dict) else None
    fewest, most = _bounds(schema, "Properties")
    defaults = frozenset(name for name, each in properties.items() if as_object(each).get("default") is not None)
    if others is not None and inner is None:
        return None
    shapes = {name: _shape(as_object(each)) for name, each in properties.items()}
    for name in defaults:
        shape = shapes[name]
        if shape is None or not _fits(as_object(properties[name])["default"], shape):
            return None  # of an object that lacks the field, its default would be refused
    required = tuple(each for each in as_texts(schema.get("required")) if each not in defaults)
    found = _Shape(
        dict, fewest, most, properties=shapes, others=inner, keeps=keeps, required=required, defaults=defaults
    )
    return None if defaults and found.is_counted else found


def _bounds(schema: JsonObject, what: str) -> tuple[int, float]:
    fewest, most = schema.get(f"min{what}"), schema.get(f"max{what}")
    return fewest if isinstance(fewest, int) else 0, most if isinstance(most, int) else float("inf")


def _fits(value: JsonValue, shape: _Shape) -> bool:
    if shape.type is None:
        return value is not None
    if type(value) is not shape.type:
        return False
    if isinstance(value, str):
        return _text_fits(value, shape)
    if isinstance(value, dict):
        return _object_fits(value, shape)
    if isinstance(value, list):
        return _list_fits(value, shape)
    return True


def _list_fits(value: list[JsonValue], shape: _Shape) -> bool:
    size, items = len(value), shape.items
    if items is None or not shape.fewest <= size <= shape.most or (shape.is_set and size > 1):
        return False
    return all(_fits(item, items) for item in value)


def _text_fits(value: str, shape: _Shape) -> bool:
    if not shape.fewest <= len(value) <= shape.most or (shape.allowed and value not in shape.allowed):
        return False
    if shape.pattern is None:
        return True
    return len(value) <= _LONGEST_MATCHED and "\n" not in value and shape.pattern.search(value) is not None


def _object_fits(value: JsonObject, shape: _Shape) -> bool:
    if not shape.fewest <= len(value) <= shape.most:
        return False
    for name in shape.required:
        if name not in value:
            return False
    for name, child in value.items():
        inner = shape.properties.get(name, shape.others)
        if inner is None:
            if name in shape.properties or not shape.keeps:
                return False
        elif child is None:
            if name in shape.required or name in shape.defaults or shape.is_counted:
                return False
        elif not _fits(child, inner):
            return False
    return True
