"""The expansion of `runtime.newCondition({...})`, whose keys are bare names (kro `pkg/cel/library/runtime.go`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.cel.syntax.ast import Call, Identifier, LiteralKind, MapEntry, MapLiteral
from kro_ls.cel.syntax.macros import Expansion, MacroError, meaning, variable_name
from kro_ls.kro.conditions import CONDITION_FIELDS
from kro_ls.spelling import listed

if TYPE_CHECKING:
    from kro_ls.cel.syntax.ast import Node

_REQUIRED_KEYS = ("type", "status")


def expand_new_condition(expansion: Expansion, call: Call) -> Node | None:
    """Turn `runtime.newCondition({type: t, ...})` into a call with string keys."""
    if not (isinstance(call.target, Identifier) and variable_name(call.target) == "runtime"):
        return None
    (argument,) = call.arguments
    literal = meaning(argument)
    if not isinstance(literal, MapLiteral):
        hint = "a condition is written '{type: ..., status: ...}'"
        raise _error("argument must be a map literal", argument, hint)
    entries: list[MapEntry] = []
    seen: set[str] = set()
    for entry in literal.entries:
        name = _key_name(entry.key, seen)
        seen.add(name)
        key = expansion.literal(name, LiteralKind.STRING)
        entries.append(MapEntry(call.start, call.end, call.position, key, entry.value))
    for name in _REQUIRED_KEYS:
        if name not in seen:
            raise _error(f"'{name}' is required", argument, f"a condition needs '{name}'")
    expansion.nodes += 1
    fields = MapLiteral(call.start, call.end, call.position, tuple(entries))
    return expansion.function("newCondition", fields, target=call.target)


def _key_name(key: Node, seen: set[str]) -> str:
    allowed = ", ".join(CONDITION_FIELDS)
    if not isinstance(key, Identifier):
        message = f"keys must be bare identifiers ({allowed}); quoted or computed keys are not allowed"
        raise _error(message, key, f"write the key without quotes; expected {listed(CONDITION_FIELDS)}")
    name = variable_name(key)
    if name not in CONDITION_FIELDS:
        hint = f"a condition has no '{name}'; expected {listed(CONDITION_FIELDS)}"
        raise _error(f'unknown key "{name}" (allowed: {allowed})', key, hint)
    if name in seen:
        raise _error(f'duplicate key "{name}"', key, f"'{name}' is given twice")
    return name


def _error(message: str, node: Node, hint: str) -> MacroError:
    return MacroError(f"runtime.newCondition: {message}", node, hint)
