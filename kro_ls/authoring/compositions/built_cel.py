"""CEL that is put together from references and constants, checked and typed at each step.

A call whose arguments are all constants is folded: it becomes its value.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import date, timedelta
from enum import Enum
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct
from msgspec.structs import asdict

from kro_ls.authoring.compositions import cel_text
from kro_ls.authoring.compositions.cel_text import CelText
from kro_ls.authoring.compositions.checked import checked_type, selected_field
from kro_ls.authoring.compositions.composing import Built, composing_now, is_marked, parts
from kro_ls.authoring.compositions.problems import CompositionError, NotInCelError, WrongTypeError
from kro_ls.authoring.compositions.python_lines import current_line
from kro_ls.cel.evaluation.program import compile_program
from kro_ls.cel.evaluation.values import EvaluationError
from kro_ls.cel.syntax.constructs import UNARY
from kro_ls.cel.types.checker import check
from kro_ls.cel.types.types import BOOL, DOUBLE, DYN, INT, NULL, STRING, Kind, Type, list_type, map_type
from kro_ls.golang.quoting import go_quoted
from kro_ls.kro.conversion import to_json
from kro_ls.kro.environment import LIBRARIES, base_environment, parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def build(cel: CelText, *operands: Built, type_: Type | None = None) -> Built:
    """Return CEL that was put together of some operands, none for a constant.

    Raises CompositionError where the checker refuses it.
    """
    composing = composing_now()
    if any(each.composing is not composing for each in operands):
        raise CompositionError("a reference of another composition cannot be used here; pass values through its spec")
    variables: dict[str, Type] = {}
    for each in operands:
        variables |= each.variables
    found = checked_type(cel, composing, variables) if type_ is None else type_
    return Built(cel, found, composing, variables, current_line(), all(each.is_constant for each in operands))


def built_of(value: Any, wanted: Type | None = None) -> Built:
    """Return a reference's CEL, or a Python constant as CEL; an integer becomes a double where one is wanted.

    Raises NotInCelError for values that CEL lacks.
    """
    built = value if isinstance(value, Built) else getattr(value, "_kro_built", None)
    if isinstance(built, Built):
        return built
    if isinstance(value, Enum):
        return built_of(value.value, wanted)
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _number(float(value) if wanted is DOUBLE else value)
    if value is None or isinstance(value, bool):
        word = {None: "null", True: "true", False: "false"}[value]
        return build(CelText(word), type_=NULL if value is None else BOOL)
    if isinstance(value, timedelta):
        return build(CelText(f'duration("{value.total_seconds():g}s")'))
    if isinstance(value, date):
        return build(CelText(f'timestamp("{value.isoformat()}")'))
    if isinstance(value, list | tuple):
        items = [built_of(each) for each in value]
        return build(cel_text.list_literal(each.cel for each in items), *items, type_=list_type(_common(items)))
    return _map(value)


def _map(value: Any) -> Built:
    entries = [(built_of(key), built_of(each)) for key, each in mapping_of(value).items()]
    operands = [each for entry in entries for each in entry]
    type_ = map_type(_common([key for key, _ in entries]), _common([each for _, each in entries]))
    return build(cel_text.map_literal((key.cel, each.cel) for key, each in entries), *operands, type_=type_)


def mapping_of(value: Any) -> Mapping[Any, Any]:
    """Return a mapping, or the fields of a dataclass or model, as a mapping. Raises NotInCelError for anything else."""
    if isinstance(value, Mapping):
        return value
    if isinstance(value, Struct):
        return _set(asdict(value))
    if is_dataclass(value) and not isinstance(value, type):
        return _set({each.name: getattr(value, each.name) for each in fields(value)})
    if hasattr(value, "model_fields_set"):
        return _set(dict(value))
    raise NotInCelError(
        f"{value!r} is no value that CEL or YAML have; give texts, numbers, booleans, lists, mappings or references"
    )


def _set(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the fields that are set: None stands for one that is left out."""
    return {name: each for name, each in values.items() if each is not None}


def _common(items: Sequence[Built]) -> Type:
    types = {each.type for each in items}
    return types.pop() if len(types) == 1 else DYN


def _number(value: float) -> Built:
    if not math.isfinite(value):
        raise NotInCelError(f"{value} is no number in YAML")
    rank = UNARY if value < 0 else UNARY + 1
    return build(CelText(repr(value), rank), type_=INT if isinstance(value, int) else DOUBLE)


def _text(value: str) -> Built:
    if not is_marked(value):
        return build(CelText(go_quoted(value)), type_=STRING)
    found: Built | None = None
    for part in parts(value):
        piece = as_text(part) if isinstance(part, Built) else _text(part)
        found = piece if found is None else build(cel_text.binary("+", found.cel, piece.cel), found, piece)
    return found or _text("")


def as_text(built: Built) -> Built:
    """Return what stands in a text for a value: numbers and booleans as Python writes them into texts."""
    if built.type in (INT, DOUBLE, BOOL):
        return build(cel_text.call("string", None, [built.cel]), built)
    return built


def field_of(built: Built, name: str) -> Built:
    """Return a field of a value. Raises UnknownFieldError."""
    cel, type_ = selected_field(built.cel, built.type, name, built.composing, built.variables)
    return build(cel, built, type_=type_)


def item_of(built: Built, key: Any) -> Built:
    """Return an item of a list, a value of a map, or a field whose name is not a Python name."""
    if isinstance(key, str) and built.type.kind is Kind.STRUCT:
        return field_of(built, key)
    wanted = built_of(key)
    return build(cel_text.index(built.cel, wanted.cel), built, wanted)


def binary(sign: str, left: Any, right: Any) -> Built:
    """Return an operator between two values, one of which is a reference."""
    first, second = built_of(left), built_of(right)
    if DOUBLE in (first.type, second.type):
        first, second = built_of(left, DOUBLE), built_of(right, DOUBLE)
    return build(cel_text.binary(sign, first.cel, second.cel), first, second)


def divided(left: Any, right: Any) -> Built:
    """Return Python's division, whose result is a double even for two integers."""
    return binary("/", *(_as_double(built_of(each, DOUBLE)) for each in (left, right)))


def _as_double(built: Built) -> Built:
    return build(cel_text.call("double", None, [built.cel]), built) if built.type == INT else built


def logical(sign: str, left: Any, right: Any) -> Built | bool:
    """Return `&&` or `||` of two values; a constant decides, or is left out."""
    decisive = sign == "||"
    for value, other in ((left, right), (right, left)):
        if isinstance(value, bool):
            return value if value is decisive else built_of(other)
    return binary(sign, left, right)


def unary(sign: str, operand: Built) -> Built:
    """Return `!` or `-` before a value."""
    return build(cel_text.unary(sign, operand.cel), operand)


def called(name: str, receiver: Any, arguments: Iterable[Any]) -> Any:
    """Return the call of a function of CEL as `Built`, or its value where all arguments are constants.

    `receiver` is what stands before the dot, None where nothing does.
    """
    given = [built_of(each) for each in arguments]
    target = None if receiver is None else built_of(receiver)
    text = cel_text.call(name, target.cel if target else None, [each.cel for each in given])
    found = build(text, *given, *((target,) if target else ()))
    return folded(text.text) if (given or target) and found.is_constant and can_fold(found.type) else found


_PLAIN: Final = frozenset({Kind.BOOL, Kind.INT, Kind.DOUBLE, Kind.STRING, Kind.LIST, Kind.MAP})
"""The types whose values are those of Python; a list or map must hold such values."""


def can_fold(type_: Type) -> bool:
    """Whether the values of a type are values of Python as well."""
    return type_.kind in _PLAIN and not type_.nullable and all(map(can_fold, type_.parameters))


def folded(code: str) -> Any:
    """Return the value of an expression that reads no names. Raises WrongTypeError where it has none."""
    root = parse(code).root
    try:
        return to_json(compile_program(root, LIBRARIES, check(root, base_environment())).evaluate({}))
    except EvaluationError as error:
        raise WrongTypeError(f"'{code}' has no value: {error}") from error
