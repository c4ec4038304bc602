"""What may replace a name: the names that an undeclared one stands for, or the value that it reads in a cycle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kro_ls.analysis.facts import kind_name
from kro_ls.analysis.model.expressions import extract
from kro_ls.analysis.model.model import Resource
from kro_ls.analysis.names.inspection import selected_path
from kro_ls.cel.syntax import ast
from kro_ls.cel.types.check_result import ErrorKind
from kro_ls.cel.types.types import Kind
from kro_ls.cursor.typed_expression import unwrapped
from kro_ls.golang.quoting import go_quoted
from kro_ls.kro.environment import FUNCTIONS, MACROS
from kro_ls.repairs.declarations import declaration, fields_of_instance
from kro_ls.rules.diagnostics import Fix
from kro_ls.rules.types.typed import of_each
from kro_ls.spelling import closest, is_abbreviation, similar
from kro_ls.yaml_positions.nodes import Scalar, entries, entry_of, node_at, resolved

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.names.inspection import NameUse
    from kro_ls.cel.types.types import Type
    from kro_ls.repairs.place import Place


_SECTIONS: Final = ("spec", "status", "metadata")
_MOST_IDS: Final = 12
_TYPES: Final = ("string", "integer", "boolean", '"[]string"', "object", "float")


def undeclared_name(place: Place) -> Iterator[Fix]:
    """Yield fixes for an undeclared name: a field of the instance, a string without quotes, a new field."""
    name = place.marked
    if place.expression is None or not name.isidentifier():
        return
    root = place.expression.inspection.parsed.root
    selected = {each.operand for each in _chain(place)}
    for node in ast.walk(root):
        if isinstance(node, ast.Identifier) and place.source(node.start, node.end) == place.span:
            found = closest(name, fields_of_instance(place.rgd))
            if found:
                yield from place.rewritten(
                    f"Change to 'schema.spec.{found}'", node.start, node.end, f"schema.spec.{found}"
                )
            if node in selected:  # the author meant an object
                yield from _ids(place, node)
                return
            yield from place.rewritten(f"Quote '{name}' as text", node.start, node.end, f'"{name}"')
            for type_ in _TYPES:
                declared = declaration(place.rgd, name, type_)
                for fix in place.rewritten("", node.start, node.end, f"schema.spec.{name}"):
                    if declared:
                        title = f"Declare '{name}: {type_}' in the schema"
                        yield Fix(title, (*fix.replacements, declared))


def _ids(place: Place, node: ast.Identifier) -> Iterator[Fix]:
    """Yield the ids of the other resources, first those that the name abbreviates, by id or by kind.

    Only resources that have the selected fields are offered.
    """
    own = place.part.part.id if place.part and isinstance(place.part.part, Resource) else None
    resources = {name: each for name, each in place.rgd.resources.items() if name != own} if place.rgd else {}

    def is_other(name: str) -> bool:
        named = kind_name(resources[name].resource)
        return not any(is_abbreviation(node.name, each) for each in (name, named[1] if named else ""))

    for name in sorted(resources, key=is_other)[:_MOST_IDS]:
        yield from place.rewritten(f"Change to '{name}'", node.start, node.end, name)


def undefined_field(place: Place) -> Iterator[Fix]:
    """Yield fixes for the selection of a missing field: a field of another level or of list items, or a new one."""
    error, typed = place.error, place.typed
    if error is None or typed is None or not isinstance(error.node, ast.Select):
        return
    node = error.node
    operand = unwrapped(typed.type_of(node.operand))
    if error.kind is ErrorKind.UNSELECTABLE:
        yield from _of_items(place, node, operand)
        return
    yield from _quoted_key(place, node.field)
    names = _fields(place, operand)
    for name in similar(node.field, names):
        yield from place.rewritten(f"Change to '{name}'", *node.field_span, name)
    yield from _of_other_level(place, node, names)
    path = selected_path(node)
    if path[:2] == ("schema", "spec") and len(path) == 3:
        for type_ in _TYPES:
            declared = declaration(place.rgd, node.field, type_)
            if declared:
                yield Fix(f"Declare '{node.field}: {type_}' in the schema", (declared,))


def _quoted_key(place: Place, name: str) -> Iterator[Fix]:
    """Yield quotes for a field of the schema whose name YAML reads as a boolean."""
    for each in place.parts:
        spec = entry_of(each.part.node, "spec") if not isinstance(each.part, Resource) else None
        for entry in entries(spec.value) if spec else ():
            if each.placed.chunk.text[entry.key.start : entry.key.end] == name and entry.name != name:
                yield from place.replaced(
                    f'Quote the name where it is declared: "{name}"', f'"{name}"', each.span(entry.key.span)
                )


def _of_other_level(place: Place, node: ast.Select, names: tuple[str, ...]) -> Iterator[Fix]:
    """Yield the same name below a field that was left out, or in the place of the section before it.

    Below a section a similar name is enough.
    """
    typed = place.typed
    operand = unwrapped(typed.type_of(node.operand)) if typed else None
    for left_out in names:
        below = _fields(place, _field_type(place, operand, left_out)) if operand else ()
        meant = closest(node.field, below) if left_out in _SECTIONS else node.field if node.field in below else None
        if meant:
            yield from place.rewritten(f"Change to '{left_out}.{meant}'", *node.field_span, f"{left_out}.{meant}")
    parent = node
    while isinstance(parent, ast.Select):
        path = selected_path(parent)
        if len(path) == 2 and typed:
            yield from _of_other_section(place, parent)
        parent = parent.operand  # type: ignore[assignment]  # the loop ends where it is no selection


def _of_other_section(place: Place, section: ast.Select) -> Iterator[Fix]:
    """Yield the other section, such as `schema.spec` for `schema.status`, even where the section is missing."""
    typed = place.typed
    if typed is None or place.expression is None:
        return
    root = unwrapped(typed.type_of(section.operand))
    following = next((each for each in _chain(place) if each.operand is section), None)
    for other in _SECTIONS:
        below = _field_type(place, root, other)
        if other == section.field or below is None:
            continue
        wanted = following.field if following else None
        if wanted is None or wanted in _fields(place, below) or below.is_dynamic or below.kind is Kind.MAP:
            yield from place.rewritten(f"Change to '{other}'", *section.field_span, other)


def _chain(place: Place) -> Iterator[ast.Select]:
    root = place.expression.inspection.parsed.root if place.expression else None
    for node in ast.walk(root) if root else ():
        if isinstance(node, ast.Select):
            yield node


def _of_items(place: Place, node: ast.Select, operand: Type) -> Iterator[Fix]:
    """Yield the selection on each item of a list, or on the first one."""
    if operand.kind is not Kind.LIST or place.expression is None:
        return
    of_all, end = of_each(place.expression, node)
    name = place.text_of(node.operand)
    yield from place.rewritten(f"Take it of each: {name}{of_all}", node.operand.end, end, of_all)
    joined = f'{of_all}.join(",")'
    yield from place.rewritten(f"Join it of all: {name}{joined}", node.operand.end, end, joined)
    yield from place.rewritten(f"Take it of the first: {name}[0]", node.operand.end, node.operand.end, "[0]")


def _fields(place: Place, type_: Type | None) -> tuple[str, ...]:
    struct = (
        place.typed.environment.find_struct(type_.name) if place.typed and type_ and type_.kind is Kind.STRUCT else None
    )
    return tuple(struct.fields) if struct else ()


def _field_type(place: Place, type_: Type, name: str) -> Type | None:
    if place.typed is None or type_.kind is not Kind.STRUCT:
        return None
    return place.typed.environment.field_type(type_.name, name)


def unknown_call(place: Place) -> Iterator[Fix]:
    """Yield macros with a name similar to an unknown function, then the expression without the call."""
    for node in ast.walk(place.expression.inspection.parsed.root) if place.expression else ():
        if isinstance(node, ast.Call) and node.target is None and place.source(*node.name_span) == place.span:
            for name in similar(node.function, (*MACROS, *FUNCTIONS)):
                yield from place.rewritten(f"Change to '{name}'", *node.name_span, name)
        if not isinstance(node, ast.Call) or place.source(*node.name_span) != place.span:
            continue
        kept = node.target or (node.arguments[0] if len(node.arguments) == 1 else None)
        if kept:
            yield from place.rewritten(
                f"Remove the call of '{node.function}'", node.start, node.end, place.text_of(kept)
            )


def inlined_reference(place: Place) -> Iterator[Fix]:
    """Yield the fix that replaces the marked reference by the value in the template of the other resource."""
    expression = place.expression
    for use in expression.inspection.names if expression else ():
        start = use.node.end - len(use.name)
        path = ".".join((use.name, *use.path))
        if expression is None or place.source(start, use.node.end) != place.span:
            continue
        value = _written(place, use)
        if value and use.path and expression.text.startswith(path, start):
            title = f"Write the value of '{path}' here, which needs no '{use.name}'"
            yield from place.rewritten(title, start, start + len(path), value)


def _written(place: Place, use: NameUse) -> str:
    """Return the CEL of a string in the template of a resource; empty where it is not in the template."""
    parts = (each.part for each in place.parts)
    target = next((each for each in parts if isinstance(each, Resource) and each.id == use.name), None)
    node = resolved(node_at(target.template, use.path)) if target else None
    if not isinstance(node, Scalar) or not isinstance(node.value, str):
        return ""
    pieces, last = [], 0
    for each in extract(node.text).expressions:
        pieces += [go_quoted(node.text[last : each.start])] if each.start > last else []
        inner = node.text[each.start + 2 : each.end - 1].strip()
        pieces.append(inner if inner.replace(".", "").isidentifier() else f"({inner})")
        last = each.end
    pieces += [go_quoted(node.text[last:])] if last < len(node.text) else []
    return " + ".join(pieces) if len(pieces) < 2 else f"({' + '.join(pieces)})"
