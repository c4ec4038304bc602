"""Selecting fields and elements: what is found, what counts as absent, and the error texts of cel-go's attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kro_ls.cel.evaluation.failures import EvaluationError
from kro_ls.cel.evaluation.printing import go_text
from kro_ls.cel.evaluation.values import (
    MAX_INT,
    MIN_INT,
    MISSING,
    NONE,
    CustomValue,
    ListValue,
    Optional,
    Value,
    find,
    is_list,
    is_map,
    type_name,
)

if TYPE_CHECKING:
    from collections.abc import Sequence


def select(operand: Value, key: Value) -> Value:
    """Return the field, element or value under a key; of an optional an optional. Raises when it is absent."""
    if isinstance(operand, Optional):
        return select_optional(operand, key)
    found = lookup(operand, key)
    if found is not MISSING:
        return found
    kind = "index out of bounds" if is_list(operand) else "no such key"
    raise EvaluationError(f"{kind}: {go_text(key)}")


def select_optional(operand: Value, key: Value) -> Value:
    """Return an optional with the field or element, which may be absent."""
    if isinstance(operand, Optional):
        if not operand.is_present:
            return NONE
        operand = operand.value
    found = lookup(operand, key)
    return NONE if found is MISSING else Optional(found)


_GO_TYPES: Final = {
    "bytes": "types.Bytes",
    "null_type": "types.Null",
    "type": "*types.Type",
    "list": "*types.baseList",
    "map": "*types.baseMap",
    "optional_type": "*types.Optional",
    "google.protobuf.Duration": "types.Duration",
    "google.protobuf.Timestamp": "types.Timestamp",
    "net.IP": "cel.IP",
    "net.CIDR": "cel.CIDR",
    "kubernetes.Quantity": "cel.Quantity",
    "kubernetes.URL": "cel.URL",
    "kubernetes.Semver": "cel.Semver",
}


def check_key(key: Value) -> Value:
    """Return a key that stands in brackets. Raises EvaluationError where nothing can have a key of its type."""
    if isinstance(key, (str, int, float)):
        return key
    name = type_name(key)
    raise EvaluationError(f"invalid qualifier type: {_GO_TYPES.get(name, name)}")


def is_present(operand: Value, field: str) -> bool:
    """Return what `has(operand.field)` does."""
    if isinstance(operand, Optional):
        return operand.is_present and lookup(operand.value, field) is not MISSING
    return lookup(operand, field) is not MISSING


def lookup(operand: Value, key: Value) -> Value:
    """Return what is under the key, MISSING when nothing is. Raises for a list index that is not a whole number."""
    if is_map(operand):
        return find(operand, key)
    if is_list(operand):
        return _element(operand, key)
    return operand.field(key) if isinstance(operand, CustomValue) else MISSING


def _element(elements: Sequence[Value], key: Value) -> Value:
    if isinstance(key, bool) or not isinstance(key, (int, float)):
        raise EvaluationError(f"unsupported index type '{type_name(key)}' in list")
    if (isinstance(key, float) and not key.is_integer()) or not MIN_INT <= key <= MAX_INT:
        raise EvaluationError(f"unsupported index value {go_text(key)} in list")
    if not 0 <= key < len(elements):
        return MISSING
    if isinstance(elements, ListValue) and key.__class__ is not int:
        raise EvaluationError(f"unsupported index: {go_text(key)}")
    return elements[int(key)]
