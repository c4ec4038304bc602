"""Unification of types: what cel-go's checker means by assignable, with type parameters bound on the way.

The rules, and the order in which they are tried, are those of cel-go `checker/types.go`. Bindings are a dict from type
parameter to type; the functions here extend it, and after a failure it may hold leftovers: pass a copy.
"""

from __future__ import annotations

from typing import TypeAlias

from kro_ls.cel.types import DYN, Kind, Type, list_type, map_type

Bindings: TypeAlias = dict[Type, Type]

_NULLABLE = frozenset({Kind.OPAQUE, Kind.STRUCT, Kind.ANY, Kind.DURATION, Kind.TIMESTAMP})
_SCALARS = frozenset(
    {Kind.BOOL, Kind.BYTES, Kind.DOUBLE, Kind.INT, Kind.STRING, Kind.UINT, Kind.DURATION, Kind.TIMESTAMP, Kind.STRUCT}
)
_WITH_PARAMETERS = frozenset({Kind.OPAQUE, Kind.LIST, Kind.MAP})


def assign(bindings: Bindings, left: Type, right: Type) -> bool:
    """Tell whether the two types unify, binding type parameters of both sides."""
    if left == right:
        return True
    if right.kind is Kind.TYPE_PARAMETER:
        valid, was_bound = _bind(bindings, right, left)
        if valid or was_bound:
            return valid
    if left.kind is Kind.TYPE_PARAMETER:
        return _bind(bindings, left, right)[0]
    if left.is_dynamic or right.is_dynamic or left.kind is Kind.ERROR or right.kind is Kind.ERROR:
        return True
    if left.kind is Kind.NULL:
        return right.kind in _NULLABLE or right.nullable
    if right.kind is Kind.NULL:
        return left.kind in _NULLABLE or left.nullable
    if left.kind in _SCALARS:
        return right.accepts(left)
    if left.kind is Kind.TYPE:
        return right.kind is Kind.TYPE
    return (
        left.kind in _WITH_PARAMETERS
        and left.kind is right.kind
        and left.name == right.name
        and assign_all(bindings, left.parameters, right.parameters)
    )


def assign_all(bindings: Bindings, left: tuple[Type, ...], right: tuple[Type, ...]) -> bool:
    """Tell whether the types unify pairwise, left to right."""
    if len(left) != len(right):
        return False
    for left_type, right_type in zip(left, right, strict=True):  # noqa: SIM110 - a generator would cost a frame each
        if not assign(bindings, left_type, right_type):
            return False
    return True


def _bind(bindings: Bindings, parameter: Type, other: Type) -> tuple[bool, bool]:
    """Bind `parameter` to `other` or to the more general of it and the present binding.

    Returns whether that is possible, and whether the parameter was bound before.
    """
    bound = bindings.get(parameter)
    if bound is not None:
        if bound == other:
            return True, True
        if assign(bindings, other, bound):
            general = most_general(other, bound)
            if not _occurs(bindings, parameter, general):
                bindings[parameter] = general
            return True, True
        return False, True
    if _occurs(bindings, parameter, other):
        return False, False
    bindings[parameter] = other
    return True, False


def _occurs(bindings: Bindings, parameter: Type, within: Type) -> bool:
    if parameter == within:
        return True
    if not within.is_generic:
        return False
    if within.kind is Kind.TYPE_PARAMETER:
        bound = bindings.get(within)
        return bound is not None and _occurs(bindings, parameter, bound)
    return any(_occurs(bindings, parameter, inner) for inner in within.parameters)


def most_general(left: Type, right: Type) -> Type:
    """Return the less specific of two types that unify; of equals the left one."""
    return left if _is_as_general(left, right) else right


def _is_as_general(left: Type, right: Type) -> bool:
    if left.is_dynamic or left.kind is Kind.TYPE_PARAMETER:
        return True
    if right.is_dynamic or right.kind is Kind.TYPE_PARAMETER or left.kind is not right.kind:
        return False
    if left.kind in _WITH_PARAMETERS:
        return (
            left.name == right.name
            and len(left.parameters) == len(right.parameters)
            and all(map(_is_as_general, left.parameters, right.parameters))
        )
    return left.kind is Kind.TYPE or left.name == right.name


def substitute(bindings: Bindings, type_: Type, *, unbound: Type | None = None) -> Type:
    """Return the type with every bound parameter replaced, and the unbound ones by `unbound` if given."""
    if not type_.is_generic:
        return type_
    if type_.kind is Kind.TYPE_PARAMETER:
        bound = bindings.get(type_)
        if bound is not None:
            return substitute(bindings, bound, unbound=unbound)
        return type_ if unbound is None else unbound
    parameters = tuple([substitute(bindings, parameter, unbound=unbound) for parameter in type_.parameters])
    if type_.kind is Kind.LIST:
        return list_type(parameters[0])
    if type_.kind is Kind.MAP:
        return map_type(*parameters)
    return Type(type_.kind, type_.name, parameters)


def finish(bindings: Bindings, type_: Type) -> Type:
    """Return the type as it stands after checking: what is still open is dyn."""
    return substitute(bindings, type_, unbound=DYN)
