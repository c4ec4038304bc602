"""Completes the names that an expression can begin with: variables, resources, functions and macros."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.analysis.memory import remembered
from kro_ls.analysis.model.model import Resource
from kro_ls.analysis.names.references import Meaning, allowed_meanings
from kro_ls.cel.types.check_result import NameReference
from kro_ls.cel.types.types import DYN
from kro_ls.cursor.types.expected_types import fit
from kro_ls.cursor.types.type_names import type_name
from kro_ls.cursor.types.typed_expression import element_type, typed_range
from kro_ls.features.completion.items import function_item, macro_item
from kro_ls.kro.environment import FUNCTIONS, MACROS
from kro_ls.yaml_positions.access import field, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.cel.syntax import ast
    from kro_ls.cel.types.types import Type
    from kro_ls.cursor.open.expression import OpenExpression
    from kro_ls.cursor.open.name import OpenName
    from kro_ls.cursor.types.typed_expression import TypedExpression
    from kro_ls.features.completion.items import Lookup

_NAMESPACES = frozenset({"cel"})
"""Receivers of macros that are written as they stand, unlike `list or map`."""


def complete_name(
    expression: OpenExpression, name: OpenName, lookup: Lookup, *, snippets: bool
) -> list[types.CompletionItem]:
    """Return the names that can begin an expression: variables, resources, functions, each with the best fit first."""
    expected = expression.expected
    variables = sorted(_variables(expression, name), key=lambda each: fit(each[0], expected))
    functions = sorted(
        _functions("", snippets=snippets), key=lambda each: min(fit(type_, expected) for type_ in each[0])
    )
    owners = {declared.rpartition(".")[0] for declared in (*FUNCTIONS, *_namespaced_macros())} - {""}
    return [
        *(item for _, item in variables),
        *_resources(expression, lookup),
        *_own_names(expression),
        *(item for _, item in functions),
        *(
            types.CompletionItem(owner, kind=types.CompletionItemKind.Module, detail="functions")
            for owner in sorted(owners)
        ),
        *(macro_item(macro, snippets=snippets) for macro in MACROS.values() if not macro.receiver),
    ]


def is_namespace(name: ast.Identifier, typed: TypedExpression) -> bool:
    """Whether a name in front of a dot can only be the namespace of functions: no variable is called so."""
    known = isinstance(typed.result.references.get(name), NameReference) or name.name in typed.environment.variables
    return not known and any(each.startswith(f"{name.name}.") for each in (*FUNCTIONS, *_namespaced_macros()))


def complete_namespace(namespace: str, *, snippets: bool) -> list[types.CompletionItem]:
    """Return the functions and macros of a namespace such as `lists` or `cel`."""
    macros = [macro for macro in MACROS.values() if macro.receiver == namespace]
    return [
        *(item for _, item in _functions(namespace, snippets=snippets)),
        *(macro_item(macro, snippets=snippets) for macro in macros),
    ]


def _variables(expression: OpenExpression, name: OpenName) -> Iterator[tuple[Type, types.CompletionItem]]:
    kind = types.CompletionItemKind.Variable
    for variable, span in name.variables.items():
        type_ = expression.typed.result.variables.get(span, DYN)
        detail = f"{type_name(type_, expression.owner)}, macro variable"
        yield type_, types.CompletionItem(variable, kind=kind, detail=detail)
    part = expression.owner.part
    if isinstance(part, Resource) and Meaning.ITERATOR in allowed_meanings(expression.place, part):
        for dimension in part.dimensions:
            type_ = element_type(typed_range(expression.owner, dimension).result.type)
            detail = f"{type_name(type_, expression.owner)}, iterator over {text_of(dimension.value)}"
            yield type_, types.CompletionItem(dimension.name, kind=kind, detail=detail)


def _resources(expression: OpenExpression, lookup: Lookup) -> Iterator[types.CompletionItem]:
    part = expression.owner.part
    allowed = allowed_meanings(expression.place, part)
    for name, placed in expression.owner.rgd.resources.items():
        if (Meaning.SELF if placed.resource is part else Meaning.RESOURCE) in allowed:
            yield types.CompletionItem(
                name,
                kind=types.CompletionItemKind.Struct,
                detail=_kind(placed.resource),
                data=lookup,
            )


@remembered
def _kind(resource: Resource) -> str | None:
    return text_of(field(resource.object, "kind"))


def _own_names(expression: OpenExpression) -> Iterator[types.CompletionItem]:
    allowed = allowed_meanings(expression.place, expression.owner.part)
    for meaning, name, detail in (
        (Meaning.SCHEMA, "schema", "the instance"),
        (Meaning.EACH, "each", "each object of the collection"),
        (Meaning.RUNTIME, "runtime", "makes and reads conditions"),
    ):
        if meaning in allowed:
            yield types.CompletionItem(name, kind=types.CompletionItemKind.Variable, detail=detail)


def _functions(namespace: str, *, snippets: bool) -> Iterator[tuple[tuple[Type, ...], types.CompletionItem]]:
    """Yield the global functions, or those of a namespace without it, with the types that they can give."""
    for name, declared in FUNCTIONS.items():
        owner, _, last = name.rpartition(".")
        overloads = tuple(overload for overload in declared.overloads if not overload.is_member)
        if owner == namespace and overloads and not declared.is_internal:
            item = function_item(last, name, overloads, types.CompletionItemKind.Function, snippets=snippets)
            yield tuple(overload.result for overload in overloads), item


def _namespaced_macros() -> tuple[str, ...]:
    return tuple(f"{macro.receiver}.{macro.name}" for macro in MACROS.values() if macro.receiver in _NAMESPACES)
