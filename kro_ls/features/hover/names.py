"""Describes the names that an expression can use: resources, iterators, macro variables and kro's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.model import Resource, ResourceType
from kro_ls.analysis.names.references import Meaning
from kro_ls.cel.syntax import ast
from kro_ls.cel.types.types import DYN
from kro_ls.cursor.locate import Symbol, declaration, expression_at, part_at, rgd_at, symbol_at
from kro_ls.cursor.type_names import type_name
from kro_ls.cursor.typed_text import element_type, typed_range, typed_text
from kro_ls.yaml_positions.access import field, text_of

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import Analysis, RgdAnalysis
    from kro_ls.cel.types.types import Type
    from kro_ls.yaml_positions.positions import Span

_TYPE_WORDS = {
    ResourceType.RESOURCE: "resource",
    ResourceType.COLLECTION: "collection (forEach)",
    ResourceType.EXTERNAL: "external reference by name",
    ResourceType.EXTERNAL_COLLECTION: "external reference by selector",
}

_OWN_NAMES = {
    Meaning.SCHEMA: "`schema` is the instance: `schema.spec`, `schema.metadata`, `schema.apiVersion`, `schema.kind`.",
    Meaning.EACH: "`each` is one object of the collection; a collection is ready when every one of them is.",
    Meaning.RUNTIME: "`runtime` makes and reads conditions; it exists only in `status.conditions`.",
}


def describe_name_at(analysis: Analysis, offset: int) -> tuple[str, Span] | None:
    """Return Markdown for the name at a document offset, and the span of the name."""
    symbol = symbol_at(analysis, offset)
    text = _describe_symbol(analysis, symbol) if symbol else None
    span = _span(analysis, symbol, offset) if symbol and text else None
    return (text, span) if text and span else None


def _span(analysis: Analysis, symbol: Symbol, offset: int) -> Span | None:
    declared = declaration(symbol)
    if declared and declared.contains(offset):
        return declared
    rgd = rgd_at(analysis, offset)
    found = part_at(rgd, offset) if rgd else None
    located = expression_at(found[0].part, found[1]) if found else None
    node = ast.node_at(located[0].inspection.parsed.root, located[1]) if located else None
    if found is None or located is None or node is None:
        return None
    return found[0].span(located[0].span(node.end - len(symbol.name), node.end))


def _describe_symbol(analysis: Analysis, symbol: Symbol) -> str | None:
    owner = symbol.owner.part
    if symbol.variable:
        expression, variable = symbol.variable
        type_ = typed_text(symbol.owner, expression.place, expression.text).result.variables.get(variable.span, DYN)
        return _describe_variable(symbol, type_, "variable of a macro")
    if symbol.meaning is Meaning.RESOURCE and isinstance(owner, Resource):
        return describe_resource(symbol.owner.rgd, owner)
    if symbol.meaning is Meaning.ITERATOR and isinstance(owner, Resource):
        declared = declaration(symbol)
        where = f" (line {analysis.text.position(declared.start).line + 1})" if declared else ""
        types = (typed_range(symbol.owner, each).result.type for each in owner.dimensions if each.name == symbol.name)
        what = f"iterator of `forEach`{where}; one object is made for each of its values"
        return _describe_variable(symbol, element_type(next(types, DYN)), what)
    return _OWN_NAMES.get(symbol.meaning) if symbol.meaning else None


def _describe_variable(symbol: Symbol, type_: Type, what: str) -> str:
    return f"**{symbol.name}**: `{type_name(type_, symbol.owner)}`, {what}"


def describe_resource(rgd: RgdAnalysis, resource: Resource) -> str:
    """Return the Markdown that describes a resource and its place in the graph."""
    kind = text_of(field(resource.object, "kind")) or "unknown kind"
    version = text_of(field(resource.object, "apiVersion"))
    name = text_of(field(field(resource.object, "metadata"), "name"))
    known = rgd.surroundings.kind(resource)
    lines = [
        f"**{resource.id}**: {_TYPE_WORDS[resource.type]}",
        "",
        f"- kind: `{kind}`" + (f" (`{version}`)" if version else ""),
        f"- schema: {known.source if known else 'unknown, so that its fields are not checked'}",
    ]
    if name:
        lines.append(f"- name: `{name}`")
    dependencies = dict(rgd.graph.dependencies).get(resource.id or "", ())
    dependents = [each for each, needs in rgd.graph.dependencies if resource.id in needs]
    lines.append(f"- depends on: {_listed(dependencies)}")
    lines.append(f"- used by: {_listed(tuple(dependents))}")
    if resource.id in rgd.graph.order:
        lines.append(f"- order: {rgd.graph.order.index(resource.id) + 1} of {len(rgd.graph.dependencies)}")
    return "\n".join(lines)


def _listed(ids: tuple[str, ...]) -> str:
    return ", ".join(f"`{each}`" for each in ids) or "nothing"
