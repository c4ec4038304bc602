"""Completes names inside `${...}`: resources, iterators, macro variables, fields, functions; and SimpleSchema."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.analysis.fields import known_fields
from kro_ls.analysis.model import Resource
from kro_ls.analysis.reading import field, text_of
from kro_ls.analysis.references import Meaning, allowed_meanings
from kro_ls.analysis.typing_context import TypedExpression, typed_expression
from kro_ls.cel import ast
from kro_ls.cel.library import FUNCTIONS, MACROS
from kro_ls.features.convert import to_offset, to_range
from kro_ls.features.documentation import describe_declaration, describe_macro
from kro_ls.features.hover import describe_resource
from kro_ls.features.schema_completion import schema_completion
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.workspace.documents import Document

TRIGGER_CHARACTERS = [".", "{"]

_FUNCTION_KEY = "function"


def completion(document: Document, position: types.Position, *, snippets: bool) -> types.CompletionList:
    """Return what can be typed at a position; `snippets` tells whether the client takes snippets."""
    offset = to_offset(document, position)
    typed = typed_expression(document.analysis, offset)
    if typed is None:
        items = schema_completion(document, offset, snippets=snippets)
        return types.CompletionList(is_incomplete=False, items=items)
    replaced = to_range(document, Span(offset - len(typed.word), offset))
    items = list(_names(typed, snippets=snippets) if typed.receiver is None else _members(typed, snippets=snippets))
    for rank, item in enumerate(items):
        item.sort_text = f"{rank:04}"
        item.text_edit = types.TextEdit(replaced, item.insert_text or item.label)
        item.insert_text = None
    return types.CompletionList(is_incomplete=False, items=items)


def resolve(item: types.CompletionItem) -> types.CompletionItem:
    """Add the documentation of a function or macro, which is left out of the list."""
    name = str(item.data.get(_FUNCTION_KEY)) if isinstance(item.data, dict) else ""
    if name in MACROS:
        item.documentation = types.MarkupContent(types.MarkupKind.Markdown, describe_macro(MACROS[name]))
    elif name in FUNCTIONS:
        item.documentation = types.MarkupContent(types.MarkupKind.Markdown, describe_declaration(FUNCTIONS[name]))
    return item


def _names(typed: TypedExpression, *, snippets: bool) -> Iterator[types.CompletionItem]:
    part, rgd = typed.placed_part.part, typed.placed_part.rgd
    allowed = allowed_meanings(typed.place, part)
    for name in typed.variables:
        yield types.CompletionItem(name, kind=types.CompletionItemKind.Variable, detail="macro variable")
    if isinstance(part, Resource) and Meaning.ITERATOR in allowed:
        for dimension in part.dimensions:
            yield types.CompletionItem(
                dimension.name,
                kind=types.CompletionItemKind.Variable,
                detail=f"iterator over {text_of(dimension.value)}",
            )
    for name, placed in rgd.resources.items():
        if (Meaning.SELF if placed.resource is part else Meaning.RESOURCE) in allowed:
            yield types.CompletionItem(
                name,
                kind=types.CompletionItemKind.Struct,
                detail=text_of(field(placed.resource.object, "kind")),
                documentation=types.MarkupContent(types.MarkupKind.Markdown, describe_resource(rgd, placed.resource)),
            )
    for own_meaning, name, detail in (
        (Meaning.SCHEMA, "schema", "the instance"),
        (Meaning.EACH, "each", "each object of the collection"),
        (Meaning.RUNTIME, "runtime", "makes and reads conditions"),
    ):
        if own_meaning in allowed:
            yield types.CompletionItem(name, kind=types.CompletionItemKind.Variable, detail=detail)
    yield from _functions("", snippets=snippets)
    yield from _macros(is_member=False, snippets=snippets)


def _members(typed: TypedExpression, *, snippets: bool) -> Iterator[types.CompletionItem]:
    receiver = typed.receiver
    namespace = receiver.name if isinstance(receiver, ast.Identifier) else ""
    if namespace and any(name.startswith(f"{namespace}.") for name in (*FUNCTIONS, *_namespaced_macros())):
        yield from _functions(namespace, snippets=snippets)
        yield from _macros(is_member=True, namespace=namespace, snippets=snippets)
        return
    if receiver is not None:
        for known in known_fields(typed.placed_part, receiver):
            yield types.CompletionItem(known.name, kind=types.CompletionItemKind.Field, detail=known.detail)
    for name, declared in FUNCTIONS.items():
        if "." not in name and not declared.is_internal and any(each.is_member for each in declared.overloads):
            yield _call_item(name, name, types.CompletionItemKind.Method, snippets=snippets)
    yield from _macros(is_member=True, snippets=snippets)


def _namespaced_macros() -> tuple[str, ...]:
    return tuple(f"{macro.receiver}.{macro.name}" for macro in MACROS.values() if macro.receiver in _NAMESPACES)


_NAMESPACES = frozenset({"cel"})
"""Receivers of macros that are written as they stand, unlike `list or map`."""


def _functions(namespace: str, *, snippets: bool) -> Iterator[types.CompletionItem]:
    """Yield the global functions, or those of a namespace without it."""
    for name, declared in FUNCTIONS.items():
        owner, _, last = name.rpartition(".")
        if owner == namespace and not declared.is_internal and not all(each.is_member for each in declared.overloads):
            yield _call_item(last, name, types.CompletionItemKind.Function, snippets=snippets)
    if not namespace:
        owners = {name.rpartition(".")[0] for name in (*FUNCTIONS, *_namespaced_macros())} - {""}
        for owner in sorted(owners):
            yield types.CompletionItem(owner, kind=types.CompletionItemKind.Module, detail="functions")


def _macros(*, is_member: bool, snippets: bool, namespace: str = "") -> Iterator[types.CompletionItem]:
    for macro in MACROS.values():
        if bool(macro.receiver) is is_member and (macro.receiver if macro.receiver in _NAMESPACES else "") == namespace:
            yield _call_item(macro.name, macro.name, types.CompletionItemKind.Keyword, snippets=snippets)


def _call_item(
    label: str, declared_name: str, kind: types.CompletionItemKind, *, snippets: bool
) -> types.CompletionItem:
    return types.CompletionItem(
        label,
        kind=kind,
        insert_text=f"{label}($0)" if snippets else label,
        insert_text_format=types.InsertTextFormat.Snippet if snippets else types.InsertTextFormat.PlainText,
        data={_FUNCTION_KEY: declared_name},
    )
