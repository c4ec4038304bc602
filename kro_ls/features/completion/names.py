"""Completes the names that an expression can begin with: variables, resources, functions and macros."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.analysis.model.model import Resource
from kro_ls.analysis.names.references import Meaning, allowed_meanings
from kro_ls.analysis.types.variables import element_type
from kro_ls.cel.types.check_result import NameReference
from kro_ls.cel.types.types import DYN
from kro_ls.cursor.likely.fields import fields_of_instance
from kro_ls.cursor.likely.likelihood import Candidate, Category
from kro_ls.cursor.likely.resources import usable_resources
from kro_ls.cursor.typed_expression import type_name, typed_range
from kro_ls.features.completion.items import function_item, macro_item
from kro_ls.features.lsp_types import CompletionItem
from kro_ls.kro.environment import FUNCTIONS, MACROS
from kro_ls.yaml_positions.nodes import text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.cel.syntax import ast
    from kro_ls.cursor.likely.likelihood import Likelihood
    from kro_ls.cursor.open.expression import OpenExpression, OpenName
    from kro_ls.cursor.typed_expression import TypedExpression
    from kro_ls.features.completion.items import Offer
    from kro_ls.features.lsp_types import Lookup

_NAMESPACES = frozenset({"cel"})
"""Receivers of macros that are written as they stand, unlike `list or map`."""


def complete_name(
    expression: OpenExpression, name: OpenName, likelihood: Likelihood, lookup: Lookup, *, snippets: bool
) -> Iterator[Offer]:
    """Yield the names that can begin an expression."""
    yield from _variables(expression, name)
    yield from _own_names(expression)
    yield from _resources(expression, name, likelihood, lookup)
    yield from _outer_nodes(expression)
    yield from _functions("", snippets=snippets)
    for owner in _namespaces():
        make = partial(CompletionItem, owner, kind=types.CompletionItemKind.Module, detail="functions")
        yield Candidate(owner, Category.NAMESPACE), make
    yield from _macros("", snippets=snippets)


def is_namespace(name: ast.Identifier, typed: TypedExpression) -> bool:
    """Whether a name in front of a dot can only be the namespace of functions: no variable is called so."""
    declared = isinstance(typed.result.references.get(name), NameReference) or name.name in typed.environment.variables
    return not declared and any(each.startswith(f"{name.name}.") for each in (*FUNCTIONS, *_namespaced_macros()))


def complete_namespace(namespace: str, *, snippets: bool) -> Iterator[Offer]:
    """Yield the functions and macros of a namespace such as `lists` or `cel`."""
    yield from _functions(namespace, snippets=snippets)
    yield from _macros(namespace, snippets=snippets)


def _variables(expression: OpenExpression, name: OpenName) -> Iterator[Offer]:
    kind = types.CompletionItemKind.Variable
    for depth, (variable, span) in enumerate(name.variables.items()):
        type_ = expression.typed.result.variables.get(span, DYN)
        detail = f"{type_name(type_, expression.owner)}, macro variable"
        candidate = Candidate(variable, Category.VARIABLE, (type_,), distance=depth)
        yield candidate, partial(CompletionItem, variable, kind=kind, detail=detail)
    part = expression.owner.part
    if isinstance(part, Resource) and Meaning.ITERATOR in allowed_meanings(expression.place, part):
        for dimension in part.dimensions:
            type_ = element_type(typed_range(expression.owner, dimension).result.type)
            detail = f"{type_name(type_, expression.owner)}, iterator over {text_of(dimension.value)}"
            candidate = Candidate(dimension.name, Category.ITERATOR, (type_,))
            yield candidate, partial(CompletionItem, dimension.name, kind=kind, detail=detail)


def _resources(expression: OpenExpression, name: OpenName, likelihood: Likelihood, lookup: Lookup) -> Iterator[Offer]:
    rgd = expression.owner.rgd
    item_kind = types.CompletionItemKind.Struct
    for found in usable_resources(expression, likelihood, name.word):
        kind = found.facts.kind
        candidate = found.candidate(rgd.find_kind(kind) if kind else None)
        detail = candidate.kind or None
        yield candidate, partial(CompletionItem, found.id, kind=item_kind, detail=detail, data=lookup)


def _outer_nodes(expression: OpenExpression) -> Iterator[Offer]:
    """Yield the nodes outside of the child graph that the expression is in."""
    outer = expression.owner.rgd.rgd.outer
    if outer is None or Meaning.RESOURCE not in allowed_meanings(expression.place, expression.owner.part):
        return
    for name, depth in outer.depths.items():
        if name not in outer.patches and name not in expression.owner.rgd.resources:
            candidate = Candidate(name, Category.RESOURCE, distance=depth)
            kind = types.CompletionItemKind.Struct
            yield candidate, partial(CompletionItem, name, kind=kind, detail="outside of the child graph")


def _own_names(expression: OpenExpression) -> Iterator[Offer]:
    allowed = allowed_meanings(expression.place, expression.owner.part)
    for meaning, name, detail in (
        (Meaning.SCHEMA, "schema", "the instance"),
        (Meaning.EACH, "each", "each object of the collection"),
        (Meaning.RUNTIME, "runtime", "makes and reads conditions"),
    ):
        is_schema = meaning is Meaning.SCHEMA
        if meaning in allowed and (expression.owner.rgd.rgd.form.declares_kind or not is_schema):
            instance = expression.owner.rgd.instance if is_schema else None
            below = fields_of_instance(instance) if instance else ()
            candidate = Candidate(name, Category.SCHEMA if is_schema else Category.OWN, below=below)
            yield candidate, partial(CompletionItem, name, kind=types.CompletionItemKind.Variable, detail=detail)


@cache  # all functions, from constants
def _functions(namespace: str, *, snippets: bool) -> tuple[Offer, ...]:
    """Return the global functions, or those of a namespace without it."""
    found: list[Offer] = []
    for name, declared in FUNCTIONS.items():
        owner, _, last = name.rpartition(".")
        overloads = tuple(overload for overload in declared.overloads if not overload.is_member)
        if owner == namespace and overloads and not declared.is_internal:
            results = tuple(dict.fromkeys(overload.result for overload in overloads))
            kind = types.CompletionItemKind.Function
            make = partial(function_item, last, name, overloads, kind, snippets=snippets)
            found.append((Candidate(last, Category.FUNCTION, results), cache(make)))
    return tuple(found)


@cache  # all macros, from constants
def _macros(receiver: str, *, snippets: bool) -> tuple[Offer, ...]:
    """Return the global macros, or those of a namespace without it."""
    return tuple(
        (Candidate(macro.name, Category.MACRO), cache(partial(macro_item, macro, snippets=snippets)))
        for macro in MACROS.values()
        if macro.receiver == receiver
    )


@cache  # from constants
def _namespaces() -> tuple[str, ...]:
    owners = {declared.rpartition(".")[0] for declared in (*FUNCTIONS, *_namespaced_macros())}
    return tuple(sorted(owner for owner in owners if owner.isidentifier()))  # not that of an operator such as `_?._`


def _namespaced_macros() -> tuple[str, ...]:
    return tuple(f"{macro.receiver}.{macro.name}" for macro in MACROS.values() if macro.receiver in _NAMESPACES)
