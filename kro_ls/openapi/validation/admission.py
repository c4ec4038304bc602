"""What the API server makes of a custom resource or a part of one: what it prunes, what it fills in, what it refuses.

Rules in CEL (`x-kubernetes-validations`) are not evaluated here; pass a function that does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from kro_ls.openapi.json_values import JsonObject, copy_json
from kro_ls.openapi.validation.field_errors import RULES_NOT_CHECKED, ErrorType, FieldError, field_error
from kro_ls.openapi.validation.keywords import keyword_errors
from kro_ls.openapi.validation.soundness import is_sound
from kro_ls.openapi.validation.structural_values import apply_defaults, drop_nulls, prune, prune_object
from kro_ls.openapi.validation.structure import structure_errors

if TYPE_CHECKING:
    from kro_ls.openapi.json_values import JsonValue
    from kro_ls.openapi.validation.field_errors import Path

__all__ = ["Admission", "ErrorType", "Faults", "FieldError", "RuleEvaluation", "admit", "faults"]

RuleEvaluation: TypeAlias = Callable[[JsonObject, JsonObject, JsonObject | None], Iterable[FieldError]]
"""Evaluates the `x-kubernetes-validations` of a schema (second) on a whole, defaulted object (first).

The third is the object that it takes the place of, None for a new one.
"""


class Admission(Struct, frozen=True):
    """The outcome: the object as it would be stored, the paths pruned from it (sorted), and why it is refused."""

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

    `value` is not changed. The object's own `metadata` is checked only as far as the schema speaks of it. Without
    `evaluate_rules` the outcome is that of a schema without rules; `old` is the object that is there already, for them.

    The order is that of k8s.io/apiextensions-apiserver, pkg/registry/customresource/strategy.go.
    """
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
    """Return an object as it was stored."""
    stored: JsonObject = copy_json(value)
    prune_object(stored, schema)
    drop_nulls(stored, schema)
    apply_defaults(stored, schema)
    return stored


def faults(value: JsonValue, schema: JsonObject) -> Faults:
    """Prune, default and validate a part of an object by its schema, without rules; `value` itself may be changed."""
    if is_sound(value, schema):
        return _NO_FAULTS
    unknown = prune(value, schema)
    return Faults(tuple(unknown), tuple(_default_and_validate(value, schema)))


def _default_and_validate(value: JsonValue, schema: JsonObject) -> list[FieldError]:
    drop_nulls(value, schema)
    apply_defaults(value, schema)
    return [*keyword_errors(value, schema), *structure_errors(value, schema)]


def _has_rules(schema: JsonValue) -> bool:
    if isinstance(schema, list):
        return any(map(_has_rules, schema))
    if not isinstance(schema, dict):
        return False
    return bool(schema.get("x-kubernetes-validations")) or any(map(_has_rules, schema.values()))
