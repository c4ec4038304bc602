"""Completes what can follow a dot: fields of the value, known keys, methods and macros that its type has."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.cel.library.standard import HAS
from kro_ls.cel.syntax import ast
from kro_ls.cel.syntax.names import RESERVED_WORDS, selectable_name
from kro_ls.cel.types.overloads import methods_of
from kro_ls.cel.types.types import DYN, Kind, optional_type
from kro_ls.cursor.schemas.template_keys import template_keys
from kro_ls.cursor.types.expected_types import fit
from kro_ls.cursor.types.type_names import type_name
from kro_ls.cursor.types.typed_expression import unwrapped
from kro_ls.features.completion.items import function_item, macro_item
from kro_ls.features.completion.names import complete_namespace, is_namespace
from kro_ls.kro.environment import FUNCTIONS, MACROS
from kro_ls.openapi.schema import Schema

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.cel.syntax.ast import Node
    from kro_ls.cel.types.types import Type
    from kro_ls.cursor.open.expression import OpenExpression
    from kro_ls.cursor.types.expected_types import Fit
    from kro_ls.features.completion.items import Lookup

_OBJECTS = frozenset({Kind.STRUCT, Kind.MAP, Kind.DYN, Kind.ANY})
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)


def complete_member(
    expression: OpenExpression, receiver: Node, lookup: Lookup, *, snippets: bool
) -> list[types.CompletionItem]:
    """Return what can be selected from or called on a receiver: fields before methods, each with the best fit first.

    Deprecated fields come after the others.
    """
    typed, expected = expression.typed, expression.expected
    if isinstance(receiver, ast.Identifier) and is_namespace(receiver, typed):
        return complete_namespace(receiver.name, snippets=snippets)
    type_ = typed.type_of(receiver)
    found = _fields(expression, receiver, type_, lookup)
    fields = sorted(found, key=lambda each: (each[1].tags is not None, fit(each[0], expected)))
    if _is_presence_test(expression):
        return [item for _, item in fields]
    methods = sorted(_methods(type_, expected, snippets=snippets), key=lambda each: each[0])
    macros = [macro_item(macro, snippets=snippets) for macro in MACROS.values() if macro.applies_to(type_)]
    return [*(item for _, item in fields), *(item for _, item in methods), *macros]


def _fields(
    expression: OpenExpression, receiver: Node, type_: Type, lookup: Lookup
) -> Iterator[tuple[Type, types.CompletionItem]]:
    """Yield the fields of a struct, and the keys that the template writes where there may be others."""
    typed, owner = expression.typed, unwrapped(type_)
    struct = typed.environment.find_struct(owner.name) if owner.kind is Kind.STRUCT else None
    for name, field in struct.fields.items() if struct else ():
        detail = type_name(field, expression.owner)
        schema = typed.schemas.find_schema(f"{owner.name}.{name}")
        tags = [types.CompletionItemTag.Deprecated] if schema and Schema(dict(schema)).is_deprecated else None
        kind = types.CompletionItemKind.Field
        item = types.CompletionItem(selectable_name(name), kind=kind, detail=detail, tags=tags, data=lookup)
        yield optional_type(field) if type_.is_optional else field, item
    if owner.kind is not Kind.MAP and not owner.is_dynamic and not (struct and struct.is_open):
        return
    value = owner.parameters[1] if owner.kind is Kind.MAP else DYN
    for key in template_keys(expression.owner, receiver):
        if _IDENTIFIER.fullmatch(key) and key not in RESERVED_WORDS and not (struct and key in struct.fields):
            detail = type_name(value, expression.owner)
            yield value, types.CompletionItem(key, kind=types.CompletionItemKind.Property, detail=detail)


def _methods(type_: Type, expected: tuple[Type, ...], *, snippets: bool) -> Iterator[tuple[Fit, types.CompletionItem]]:
    for function, fitting in methods_of(type_, FUNCTIONS):
        # What is declared for dyn is meant for objects.
        overloads = tuple(each for each in fitting if type_.kind in _OBJECTS or not each.parameters[0].is_dynamic)
        if not overloads:
            continue
        best = min(fit(overload.result, expected) for overload in overloads)
        kind = types.CompletionItemKind.Method
        yield best, function_item(function.name, function.name, overloads, kind, snippets=snippets)


def _is_presence_test(expression: OpenExpression) -> bool:
    """Whether the selection at the cursor is the argument of `has()`, which takes nothing but a field."""
    nodes = expression.nodes
    parent = nodes[-2] if len(nodes) > 1 else None
    return isinstance(parent, ast.Call) and parent.target is None and parent.function == HAS.name
