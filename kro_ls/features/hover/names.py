"""Tells what a name stands for: resources, iterators, macro variables and kro's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.model import Resource
from kro_ls.analysis.names.references import Meaning
from kro_ls.analysis.types.checking import element_type
from kro_ls.cel.syntax import ast
from kro_ls.cel.types.types import DYN
from kro_ls.cursor.names.symbol import Symbol
from kro_ls.cursor.types.type_names import type_name
from kro_ls.cursor.types.typed_expression import typed_expression, typed_range
from kro_ls.features.documentation.markdown import code, plain
from kro_ls.features.documentation.resources import describe_resource

if TYPE_CHECKING:
    from kro_ls.cel.types.types import Type
    from kro_ls.cursor.cursor import Cursor
    from kro_ls.yaml_positions.positions import Span

_OWN_NAMES = {
    Meaning.SCHEMA: "`schema` is the instance: `schema.spec`, `schema.metadata`, `schema.apiVersion`, `schema.kind`.",
    Meaning.EACH: "`each` is one object of the collection; a collection is ready when every one of them is.",
    Meaning.RUNTIME: "`runtime` makes and reads conditions; it exists only in `status.conditions`.",
}


def hover_name(cursor: Cursor) -> tuple[str, Span] | None:
    """Return Markdown for the name at the cursor, and the span of the name."""
    symbol = cursor.symbol
    if not isinstance(symbol, Symbol):
        return None
    text = _describe(cursor, symbol)
    span = _span(cursor, symbol) if text else None
    return (text, span) if text and span else None


def _span(cursor: Cursor, symbol: Symbol) -> Span | None:
    declared, located = symbol.declaration, cursor.expression
    if declared and declared.contains(cursor.offset):
        return declared
    node = ast.node_at(located.root, located.offset) if located else None
    return located.span(node.end - len(symbol.name), node.end) if located and node else None


def _describe(cursor: Cursor, symbol: Symbol) -> str | None:
    owner = symbol.owner.part
    if symbol.variable:
        expression, variable = symbol.variable
        typed = typed_expression(symbol.owner, expression.place, expression.text)
        return _describe_variable(symbol, typed.result.variables.get(variable.span, DYN), "variable of a macro")
    if symbol.meaning is Meaning.RESOURCE and isinstance(owner, Resource):
        return describe_resource(symbol.owner.rgd, owner)
    if symbol.meaning is Meaning.ITERATOR and isinstance(owner, Resource) and owner.collection.iterator:
        fields = "`item`, `index` and `length` of a list, or `key`, `value` and `length` of a map"
        return f"**{plain(symbol.name)}**: one place of what `forEach` runs over, with {fields} (KREP-2)"
    if symbol.meaning is Meaning.ITERATOR and isinstance(owner, Resource):
        declared = symbol.declaration
        where = f" (line {cursor.document.text.position(declared.start).line + 1})" if declared else ""
        types = (typed_range(symbol.owner, each).result.type for each in owner.dimensions if each.name == symbol.name)
        what = f"iterator of `forEach`{where}; one object is made for each of its values"
        return _describe_variable(symbol, element_type(next(types, DYN)), what)
    return _OWN_NAMES.get(symbol.meaning) if symbol.meaning else None


def _describe_variable(symbol: Symbol, type_: Type, what: str) -> str:
    return f"**{plain(symbol.name)}**: {code(type_name(type_, symbol.owner))}, {what}"
