"""The fields that expressions select: of the instance, or of the object that a resource stands for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.analysis.model.model import Resource
from kro_ls.cel.syntax import ast
from kro_ls.cel.syntax.identifiers import field_name, unescape
from kro_ls.cel.types.types import Kind
from kro_ls.cursor.types.typed_expression import typed_expression, unwrapped
from kro_ls.openapi.cel_types import ELEMENT, TYPE_NAME_PREFIX, VALUE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.cursor.parts import PlacedPart

_INDICES = (ast.Operator.INDEX, ast.Operator.OPTIONAL_INDEX)
_STEPS_BELOW = frozenset({ELEMENT, VALUE})


class Selection(Struct, frozen=True):
    """A field of what a variable (`schema`, a resource's id, `each`) stands for.

    A name in `path` steps into an object, None into an item of a list or a value of a map.
    """

    variable: str
    path: tuple[str | None, ...]


def selections_of(owner: PlacedPart, name: str) -> Iterator[tuple[Expression, ast.Select, Selection]]:
    """Yield where the expressions of a part select a field of this name, in the order of the text."""
    wanted = field_name(name)
    for expression in owner.part.expressions:
        if name not in expression.text and wanted not in expression.text:
            continue
        for node in ast.walk(expression.inspection.parsed.root):
            if isinstance(node, ast.Select) and property_name(node) == name:
                selection = selection_of(owner, expression, node)
                if selection:
                    yield expression, node, selection


def selection_of(owner: PlacedPart, expression: Expression, node: ast.Select) -> Selection | None:
    """Return what a node of an expression selects, None where that cannot be told.

    A plain chain of names tells it by itself; what comes from a macro's variable or a function, its type.
    """
    return _plain_selection(owner, expression, node) or _typed_selection(owner, expression, node)


def property_name(node: ast.Select) -> str:
    """Return the name of the property that a node selects, as it is declared."""
    return unescape(node.field) or node.field


def _plain_selection(owner: PlacedPart, expression: Expression, selected: ast.Select) -> Selection | None:
    node: ast.Node = selected
    steps: list[str | None] = []
    while not isinstance(node, ast.Identifier):
        if isinstance(node, ast.Select):
            steps.append(property_name(node))
            node = node.operand
        elif isinstance(node, ast.Call) and node.function in _INDICES and len(node.arguments) == 2:
            steps.append(None)
            node = node.arguments[0]
        else:
            return None
    if not any(use.node is node for use in expression.inspection.names):
        return None
    is_iterator = isinstance(owner.part, Resource) and node.name in owner.part.iterators
    return None if is_iterator else Selection(node.name, tuple(reversed(steps)))


def _typed_selection(owner: PlacedPart, expression: Expression, node: ast.Select) -> Selection | None:
    typed = typed_expression(owner, expression.place, expression.text)
    type_ = unwrapped(typed.type_of(node.operand))
    if type_.kind is not Kind.STRUCT or not type_.name.startswith(TYPE_NAME_PREFIX):
        return None
    variable, *below = type_.name.removeprefix(TYPE_NAME_PREFIX).split(".")
    steps = (None if step in _STEPS_BELOW else unescape(step) or step for step in below)
    return Selection(variable, (*steps, property_name(node)))
