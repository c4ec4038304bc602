"""Tells what stands under the cursor: a resource, an iterator, kro's own names, a field or type, a function."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.analysis.inspection import inspect
from kro_ls.analysis.locate import Symbol, declaration, expression_at, part_at, rgd_at, symbol_at
from kro_ls.analysis.model import Resource, ResourceType
from kro_ls.analysis.reading import field, text_of
from kro_ls.analysis.references import Meaning
from kro_ls.cel import ast
from kro_ls.features.convert import to_offset, to_range
from kro_ls.features.documentation import describe_function
from kro_ls.features.schema_hover import describe_schema_at

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.workspace.documents import Document

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


def hover(document: Document, position: types.Position) -> types.Hover | None:
    """Return what is known of the name or function at a position."""
    offset = to_offset(document, position)
    symbol = symbol_at(document.analysis, offset)
    text = _describe_symbol(document, symbol) if symbol else None
    if text is None:
        return _hover_schema(document, offset) or _hover_function(document, offset)
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text))


def _hover_schema(document: Document, offset: int) -> types.Hover | None:
    found = describe_schema_at(document.analysis, offset)
    if found is None:
        return None
    text, span = found
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text), to_range(document, span))


def _describe_symbol(document: Document, symbol: Symbol) -> str | None:
    if symbol.variable:
        return f"`{symbol.name}`: variable of a macro"
    owner = symbol.owner.part
    if symbol.meaning is Meaning.RESOURCE and isinstance(owner, Resource):
        return describe_resource(symbol.owner.rgd, owner)
    if symbol.meaning is Meaning.ITERATOR:
        declared = declaration(symbol)
        where = f" (line {document.text.position(declared.start).line + 1})" if declared else ""
        return f"`{symbol.name}`: iterator of `forEach`{where}; one object is made for each of its values"
    return _OWN_NAMES.get(symbol.meaning) if symbol.meaning else None


def describe_resource(rgd: RgdAnalysis, resource: Resource) -> str:
    """Return the Markdown that describes a resource and its place in the graph."""
    kind = text_of(field(resource.object, "kind")) or "unknown kind"
    version = text_of(field(resource.object, "apiVersion"))
    name = text_of(field(field(resource.object, "metadata"), "name"))
    lines = [
        f"**{resource.id}**: {_TYPE_WORDS[resource.type]}",
        "",
        f"- kind: `{kind}`" + (f" (`{version}`)" if version else ""),
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


def _hover_function(document: Document, offset: int) -> types.Hover | None:
    rgd = rgd_at(document.analysis, offset)
    found = part_at(rgd, offset) if rgd else None
    located = expression_at(found[0].part, found[1]) if found else None
    if found is None or located is None:
        return None
    expression, cel_offset = located
    for node in reversed(ast.path_at(inspect(expression.text).parsed.root, cel_offset)):
        call = node.call if isinstance(node, ast.MacroCall) else node
        if isinstance(call, ast.Call) and call.name_span[0] <= cel_offset <= call.name_span[1]:
            text = describe_function(call)
            span = found[0].span(expression.span(*call.name_span))
            markup = types.MarkupContent(types.MarkupKind.Markdown, text) if text else None
            return types.Hover(markup, to_range(document, span)) if markup else None
    return None
