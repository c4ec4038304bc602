"""Computes which fields of the instance are certainly there if a condition is true, or false."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.cel.library.standard import HAS
from kro_ls.cel.syntax import ast
from kro_ls.cel.syntax.identifiers import escape, field_name

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

Json: TypeAlias = dict[str, Any]

FieldKey: TypeAlias = "tuple[Hashable, ...]"
"""Identifies a place of the instance: `schema` or a variable's declaration, and the steps below it."""

Presence: TypeAlias = "frozenset[FieldKey] | None"
"""The fields that are there; None if the condition cannot have that answer."""

UNREACHABLE: Final = None

Resolve: TypeAlias = "Callable[[ast.Node], Value | None]"


class Value(Struct, frozen=True, eq=False):
    """A part of the instance with its schema. `is_optional`: it is an optional, so that missing fields do no harm."""

    key: FieldKey
    schema: Json
    is_optional: bool = False

    def field(self, name: str) -> Value | None:
        """Return the value of a field (named as in CEL) or of a map's key, None if it is unknown."""
        for written, schema in (self.schema.get("properties") or {}).items():
            if escape(written) == field_name(name) and isinstance(schema, dict):
                return Value((*self.key, written), schema)
        values = self.schema.get("additionalProperties")
        return Value((*self.key, name), values) if isinstance(values, dict) else None

    def item(self, index: str) -> Value | None:
        """Return the item of a list, or the value of a map, at the source text of an index."""
        inner = self.schema.get("items") or self.schema.get("additionalProperties")
        return Value((*self.key, ("[]", index)), inner, self.is_optional) if isinstance(inner, dict) else None

    def variable(self, declaration: Hashable) -> Value | None:
        """Return the value of a variable that iterates over a list or over the values of a map."""
        inner = self.schema.get("items") or self.schema.get("additionalProperties")
        return Value((declaration,), inner) if isinstance(inner, dict) else None

    def optional(self) -> Value:
        """Return the value as an optional."""
        return replace(self, is_optional=True)

    def held(self) -> Value:
        """Return the value of the optional."""
        return replace(self, is_optional=False)


def with_outer(key: FieldKey) -> frozenset[FieldKey]:
    """Return a place of the instance and all places around it."""
    return frozenset(key[:length] for length in range(1, len(key) + 1))


def both(left: Presence, right: Presence) -> Presence:
    """Return the fields that are there if both hold."""
    return UNREACHABLE if left is None or right is None else left | right


def _either(left: Presence, right: Presence) -> Presence:
    if left is None or right is None:
        return right if left is None else left
    return left & right


def present_when(node: ast.Node, answer: bool, resolve: Resolve) -> Presence:
    """Return the fields that are there if a condition has this answer; `resolve` gives the value of a node."""
    call = node.call if isinstance(node, ast.MacroCall) else node
    if isinstance(call, ast.Literal) and isinstance(call.value, bool):
        return frozenset() if call.value is answer else UNREACHABLE
    if not isinstance(call, ast.Call):
        value = resolve(call)
        # A plain read has found the field, whatever its value is; an empty optional counts as false.
        return with_outer(value.key) if value and (answer or not value.is_optional) else frozenset()
    match call.function, call.target, call.arguments:
        case HAS.name, None, [tested]:
            return _tested(resolve(tested), answer)
        case "hasValue", target, [] if target is not None:
            return _tested(resolve(target), answer)
        case ast.Operator.NOT, None, [operand]:
            return present_when(operand, not answer, resolve)
        case ((ast.Operator.AND | ast.Operator.OR), None, [left, right]):
            join = both if answer is (call.function == ast.Operator.AND) else _either
            return join(present_when(left, answer, resolve), present_when(right, answer, resolve))
        case ast.Operator.CONDITIONAL, None, [condition, then, otherwise]:
            return _either(
                both(present_when(condition, True, resolve), present_when(then, answer, resolve)),
                both(present_when(condition, False, resolve), present_when(otherwise, answer, resolve)),
            )
    absent = _when_absent(call, resolve)
    if absent and len(absent.keys) == 1 and isinstance(absent.result, bool) and absent.result is not answer:
        return with_outer(next(iter(absent.keys)))
    return frozenset()


def _tested(value: Value | None, answer: bool) -> Presence:
    return with_outer(value.key) if value and answer else frozenset()


class _Absent(Struct, frozen=True):
    """The result of an expression if the optional fields in it are missing."""

    result: object
    keys: frozenset[FieldKey]


_NONE: Final = object()

_COMPARISONS: Final[dict[str, Callable[[Any, Any], bool]]] = {
    ast.Operator.EQUALS: lambda left, right: left is right or left == right,
    ast.Operator.NOT_EQUALS: lambda left, right: not (left is right or left == right),
    ast.Operator.LESS: lambda left, right: left < right,
    ast.Operator.LESS_EQUALS: lambda left, right: left <= right,
    ast.Operator.GREATER: lambda left, right: left > right,
    ast.Operator.GREATER_EQUALS: lambda left, right: left >= right,
}


def _when_absent(node: ast.Node, resolve: Resolve) -> _Absent | None:
    """Return the constant result of an expression, None if it depends on anything but optional fields."""
    match node:
        case ast.Literal():
            return _Absent(node.value, frozenset())
        case ast.ListLiteral(elements=()):
            return _Absent((), frozenset())
        case ast.MapLiteral(entries=()):
            return _Absent((), frozenset())
        case ast.Call(function="none", target=ast.Identifier(name="optional")):
            return _Absent(_NONE, frozenset())
        case ast.Select():
            value = resolve(node)
            return _Absent(_NONE, frozenset({value.key})) if value and value.is_optional else None
        case ast.Call(function="orValue", target=target, arguments=(otherwise,)) if target is not None:
            held, given = _when_absent(target, resolve), _when_absent(otherwise, resolve)
            return _Absent(given.result, held.keys) if held and held.keys and given and not given.keys else None
        case (
            ast.Call(function="size", target=None, arguments=(measured,))
            | ast.Call(function="size", target=measured, arguments=())
        ) if measured is not None:
            inner = _when_absent(measured, resolve)
            return _Absent(len(inner.result), inner.keys) if inner and isinstance(inner.result, str | tuple) else None
        case ast.Call(function=function, target=None, arguments=(left, right)) if function in _COMPARISONS:
            return _compare(function, _when_absent(left, resolve), _when_absent(right, resolve))
    return None


def _compare(function: str, left: _Absent | None, right: _Absent | None) -> _Absent | None:
    if left is None or right is None:
        return None
    try:
        return _Absent(_COMPARISONS[function](left.result, right.result), left.keys | right.keys)
    except TypeError:
        return None
