"""The expansion of `runtime.newCondition({...})`, whose keys are bare names (kro `pkg/cel/library/runtime.go`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.cel.syntax.ast import Call, Identifier, LiteralKind, MapEntry, MapLiteral
from kro_ls.cel.syntax.macros import Expansion, MacroError, meaning, variable_name
from kro_ls.kro.conditions import CONDITION_FIELDS

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
        raise _error("argument must be a map literal", argument)
    entries: list[MapEntry] = []
    seen: set[str] = set()
    for entry in literal.entries:
        name = _key_name(entry.key, seen)
        seen.add(name)
        key = expansion.literal(name, LiteralKind.STRING)
        entries.append(MapEntry(call.start, call.end, call.position, key, entry.value))
    for name in _REQUIRED_KEYS:
        if name not in seen:
            raise _error(f"'{name}' is required", argument)
    expansion.nodes += 1
    fields = MapLiteral(call.start, call.end, call.position, tuple(entries))
    return expansion.function("newCondition", fields, target=call.target)


def _key_name(key: Node, seen: set[str]) -> str:
    allowed = ", ".join(CONDITION_FIELDS)
    if not isinstance(key, Identifier):
        raise _error(f"keys must be bare identifiers ({allowed}); quoted or computed keys are not allowed", key)
    name = variable_name(key)
    if name not in CONDITION_FIELDS:
        raise _error(f'unknown key "{name}" (allowed: {allowed})', key)
    if name in seen:
        raise _error(f'duplicate key "{name}"', key)
    return name


def _error(message: str, node: Node) -> MacroError:
    return MacroError(f"runtime.newCondition: {message}", node)
