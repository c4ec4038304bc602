"""What kro's own functions do (kro `pkg/cel/library`)."""

from __future__ import annotations

import hashlib
import json
import math
from typing import TYPE_CHECKING, Final

from kro_ls.cel.evaluation.costs import CONSTANT, ELEMENT, NEW_MAP, Budget, BudgetError, Cost
from kro_ls.cel.evaluation.printing import write_json
from kro_ls.cel.evaluation.values import (
    MISSING,
    EvaluationError,
    Map,
    Value,
    entries,
    find,
    is_list,
    is_map,
    make_map,
    no_such_overload,
    type_name,
)
from kro_ls.golang.quoting import utf8
from kro_ls.kro.controller import CONDITION_FIELDS, CONDITION_STATUSES
from kro_ls.kro.conversion import OMIT, RUNTIME, Condition, Runtime, to_json

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_ENTRY: Final = 2 * ELEMENT
_JSON_CHARACTER: Final = 3
_CONDITION: Final = 100
"""The steps of copying an entry of a map, of reading a character of JSON, and of reading a condition."""

# random: all values are taken from the SHA-256 of the seed

_ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz"


def _seeded_string(budget: Budget, length: int, seed: str) -> str:
    if length <= 0:
        raise EvaluationError("random.seededString length must be positive")
    budget.spend_text(length, is_ascii=True)
    digest = _sha256(seed)
    numbers = [int.from_bytes(digest[start : start + 4], "big") for start in range(0, len(digest), 4)]
    period = "".join(_ALPHABET[number % len(_ALPHABET)] for number in numbers)
    return (period * (length // len(period) + 1))[:length]


def _seeded_int(low: int, high: int, seed: str) -> int:
    if low >= high:
        raise EvaluationError("random.seededInt min must be less than max")
    return low + int.from_bytes(_sha256(seed)[:8], "big") % (high - low)


# maps


def _merge(budget: Budget, left: Map, right: Map) -> Value:
    budget.spend(_ENTRY * (len(left) + len(right)))
    return make_map([*entries(left), *entries(right)])


def _deep_merge(budget: Budget, left: Value, right: Value) -> Value:
    if not is_map(left) or not is_map(right):
        raise no_such_overload()
    return _merged(budget, left, right)


def _merged(budget: Budget, left: Map, right: Map) -> Value:
    if not len(left) or not len(right):
        return left if len(left) else right
    budget.spend(NEW_MAP + _ENTRY * (len(left) + len(right)))
    merged = list(entries(left))
    for key, value in entries(right):
        before = find(left, key)
        both = before is not MISSING and is_map(before) and is_map(value)
        merged.append((key, _merged(budget, before, value) if both else value))  # type: ignore[arg-type] # two maps
    return make_map(merged)


# json


def _marshal(budget: Budget, value: Value) -> str:
    try:
        plain = to_json(value, budget, for_text=True)
    except BudgetError:
        raise
    except EvaluationError as error:
        raise EvaluationError(f"json.marshal failed to convert value: {error.message}") from None
    try:
        return write_json(plain, budget)
    except ValueError as error:
        raise EvaluationError(f"json.marshal failed to encode value: {error}") from None


def _unmarshal(budget: Budget, text: str) -> Value:
    budget.spend(_JSON_CHARACTER * len(text))
    try:
        return _well_formed(json.loads(text, parse_int=_double, parse_float=_double, parse_constant=_double))
    except ValueError as error:
        reason = "unexpected end of JSON input" if not text.strip(" \t\r\n") else str(error)
        raise EvaluationError(f"json.unmarshal failed to parse JSON: {reason}") from None


def _double(text: str) -> float:
    value = math.nan if text in {"NaN", "Infinity", "-Infinity"} else float(text)
    if not math.isfinite(value):
        raise ValueError(f"json: cannot unmarshal number {text[:50]} into Go value of type float64")
    return value


def _well_formed(value: Value) -> Value:
    """Return the data with lone surrogates replaced, as Go does."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace") if not value.isascii() else value
    if isinstance(value, list):
        return [_well_formed(element) for element in value]
    if isinstance(value, dict):
        return {_well_formed(key): _well_formed(each) for key, each in value.items()}
    return value


# hash

_FNV_OFFSET = 0xCBF29CE484222325
_FNV_PRIME = 0x100000001B3


def _fnv64a(budget: Budget, text: str) -> bytes:
    data = utf8(text)
    budget.spend(2 * len(data))
    value = _FNV_OFFSET
    for byte in data:
        value = (value ^ byte) * _FNV_PRIME % 2**64
    return value.to_bytes(8, "big")


def _sha256(text: str) -> bytes:
    return hashlib.sha256(utf8(text)).digest()


def _md5(text: str) -> bytes:
    return hashlib.md5(utf8(text), usedforsecurity=False).digest()


# lists


def _copy(function: str, elements: Sequence[Value], index: int, *, may_append: bool = False) -> list[Value]:
    size = len(elements)
    if not 0 <= index < size + may_append:
        raise EvaluationError(f"lists.{function}: index {index} out of bounds [0, {size}{']' if may_append else ')'}")
    return list(elements)


def _set(elements: Sequence[Value], index: int, value: Value) -> list[Value]:
    changed = _copy("setAtIndex", elements, index)
    changed[index] = value
    return changed


def _insert(elements: Sequence[Value], index: int, value: Value) -> list[Value]:
    changed = _copy("insertAtIndex", elements, index, may_append=True)
    changed.insert(index, value)
    return changed


def _remove(elements: Sequence[Value], index: int) -> list[Value]:
    changed = _copy("removeAtIndex", elements, index)
    del changed[index]
    return changed


# runtime


def _new_condition(_: Runtime, fields: Map) -> Condition:
    texts: dict[str, str] = {}
    for key, value in entries(fields):
        if not isinstance(value, str):
            raise EvaluationError(f"runtime.newCondition: {key} must be a string, got {type_name(value)}")
        texts[str(key)] = value
    if not texts.get("type"):
        raise EvaluationError("runtime.newCondition: type must not be empty")
    status = texts.get("status", "")
    if status not in CONDITION_STATUSES:
        allowed = ", ".join(CONDITION_STATUSES)
        raise EvaluationError(f'runtime.newCondition: status must be one of {allowed} (got "{status}")')
    return Condition(**{field: texts.get(field, "") for field in CONDITION_FIELDS})


def _condition(budget: Budget, _: Runtime, resource: Value, wanted: str) -> Condition:
    if not is_map(resource):
        raise EvaluationError(f"runtime.condition: obj must be an object, got {type_name(resource)}")
    status = find(resource, "status")
    if status is MISSING or status is None:
        return Condition()
    if not is_map(status):
        raise EvaluationError("runtime.condition: obj.status must be an object")
    conditions = find(status, "conditions")
    if conditions is MISSING or conditions is None:
        return Condition()
    if not is_list(conditions):
        raise EvaluationError("runtime.condition: obj.status.conditions must be a list")
    budget.spend(_CONDITION * len(conditions))
    for condition in conditions:
        if not is_map(condition):
            name = type_name(condition)
            raise EvaluationError(f"runtime.condition: unexpected condition element type {name}")
        texts = {field: _text(find(condition, field)) for field in CONDITION_FIELDS}
        if texts["type"] == wanted:
            return Condition(**texts)
    return Condition()


def _text(value: Value) -> str:
    return value if isinstance(value, str) else ""


IMPLEMENTATIONS: Mapping[str, Callable[..., Value]] = {
    "random.seededString_int_string": _seeded_string,
    "random.seededInt_int_int_string": _seeded_int,
    "map_merge": _merge,
    "dyn_deepmerge_dyn": _deep_merge,
    "json.unmarshal_string": _unmarshal,
    "json.marshal_dyn": _marshal,
    "hash.fnv64a_string": _fnv64a,
    "hash.sha256_string": _sha256,
    "hash.md5_string": _md5,
    "lists.setAtIndex_list_int_T": _set,
    "lists.insertAtIndex_list_int_T": _insert,
    "lists.removeAtIndex_list_int": _remove,
    "omit_void": lambda: OMIT,
    "runtime_newCondition_map": _new_condition,
    "runtime_condition_dyn_string": _condition,
}
BUDGETED = frozenset(
    {
        *("random.seededString_int_string", "map_merge", "dyn_deepmerge_dyn", "json.unmarshal_string"),
        *("json.marshal_dyn", "hash.fnv64a_string", "runtime_condition_dyn_string"),
    }
)
COSTS = {
    **dict.fromkeys(("random.seededString_int_string", "random.seededInt_int_int_string"), Cost(60, characters=8)),
    **dict.fromkeys(("map_merge", "dyn_deepmerge_dyn"), Cost(NEW_MAP, elements=0)),
    **dict.fromkeys(("json.unmarshal_string", "json.marshal_dyn"), Cost(60, 0, 0)),
    **dict.fromkeys(("hash.fnv64a_string", "hash.sha256_string", "hash.md5_string"), Cost(15, characters=8)),
    "runtime_newCondition_map": Cost(_CONDITION),
    "runtime_condition_dyn_string": CONSTANT,
}
VARIABLES: Mapping[str, Value] = {"runtime": RUNTIME}
