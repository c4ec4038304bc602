"""The macros of kro's CEL environment: cel-go's and `runtime.newCondition` (kro pkg/cel/library/runtime.go)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.cel.syntax.ast import Call, Identifier, LiteralKind, MapEntry, MapLiteral
from kro_ls.cel.syntax.macros import EXTENDED_MACROS, Expansion, MacroError, meaning, variable_name

if TYPE_CHECKING:
    from kro_ls.cel.syntax.ast import Node

_KEYS = ("type", "status", "reason", "message")
_REQUIRED_KEYS = ("type", "status")


def _new_condition(expansion: Expansion, call: Call) -> Node | None:
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
    allowed = ", ".join(_KEYS)
    if not isinstance(key, Identifier):
        raise _error(f"keys must be bare identifiers ({allowed}); quoted or computed keys are not allowed", key)
    name = variable_name(key)
    if name not in _KEYS:
        raise _error(f'unknown key "{name}" (allowed: {allowed})', key)
    if name in seen:
        raise _error(f'duplicate key "{name}"', key)
    return name


def _error(message: str, node: Node) -> MacroError:
    return MacroError(f"runtime.newCondition: {message}", node)


KRO_MACROS = EXTENDED_MACROS.extended({("newCondition", 1, True): _new_condition})
"""All macros that an expression in a ResourceGraphDefinition may use."""
