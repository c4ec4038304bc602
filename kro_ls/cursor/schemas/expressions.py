"""The OpenAPI schema of a part of an expression: where its description, its enum and its default come from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.model import ResourceType
from kro_ls.cel.syntax import ast
from kro_ls.cel.syntax.identifiers import escape, field_name
from kro_ls.cel.types.check_result import NameReference
from kro_ls.cel.types.types import Kind
from kro_ls.cursor.parts import selected_resource
from kro_ls.cursor.typed_expression import unwrapped
from kro_ls.openapi.cel_types import ELEMENT, VALUE
from kro_ls.openapi.schema import Schema
from kro_ls.yaml_positions.nodes import entries, field, items

if TYPE_CHECKING:
    from kro_ls.cursor.parts import PlacedPart
    from kro_ls.cursor.typed_expression import TypedExpression
    from kro_ls.yaml_positions.nodes import Node


_SAME = frozenset({"filter", "sortBy", "value", "orValue", "or", "reverse", "distinct", "slice"})
"""Methods and macros whose result has the values of their receiver."""
_ONE_OF = frozenset({"first", "last", "min", "max"})
"""Methods whose result is an element of their receiver."""
_MOST_STEPS = 1000


def schema_of(typed: TypedExpression, node: ast.Node) -> Schema | None:
    """Return the schema of what a node stands for, None where it comes from no schema."""
    below: list[str] = []
    for _ in range(_MOST_STEPS):
        type_ = unwrapped(typed.type_of(node))
        if type_.kind is Kind.STRUCT:
            found = typed.schemas.find_schema(".".join([type_.name, *reversed(below)]))
            return None if found is None else Schema(dict(found))
        if isinstance(node, ast.Select):
            owner = unwrapped(typed.type_of(node.operand))
            if owner.kind is Kind.STRUCT:
                found = typed.schemas.find_schema(".".join([owner.name, field_name(node.field), *reversed(below)]))
                return None if found is None else Schema(dict(found))
        step = _step(typed, node)
        if step is None:
            return _root_schema(typed, node, below)
        typed, node, segment = step
        below.extend([segment] if segment else [])
    return None


def _root_schema(typed: TypedExpression, node: ast.Node, below: list[str]) -> Schema | None:
    """Return the schema below a variable that is not a struct, such as a collection."""
    reference = typed.result.references.get(node)
    if not isinstance(reference, NameReference) or reference.comprehension is not None:
        return None
    root = next((each for each in typed.roots if each.variable == reference.name), None)
    found = root.find_schema(".".join([root.name, *reversed(below)])) if root else None
    return None if found is None else Schema(dict(found))


def _step(typed: TypedExpression, node: ast.Node) -> tuple[TypedExpression, ast.Node, str] | None:
    """Return the node that this one is taken from, in which text, and the step from its schema to this one's."""
    call = node.call if isinstance(node, ast.MacroCall) else node
    if isinstance(call, ast.Identifier):
        return _variable_step(typed, call)
    if isinstance(call, ast.Select):
        return typed, call.operand, VALUE
    if not isinstance(call, ast.Call):
        return None
    if call.target is None:
        if call.function in ast.INDICES:
            of_list = unwrapped(typed.type_of(call.arguments[0])).kind is Kind.LIST
            return typed, call.arguments[0], ELEMENT if of_list else VALUE
        return (typed, call.arguments[1], "") if call.function == ast.Operator.CONDITIONAL else None
    if call.function in _SAME:
        return typed, call.target, ""
    return (typed, call.target, ELEMENT) if call.function in _ONE_OF else None


def _variable_step(typed: TypedExpression, name: ast.Identifier) -> tuple[TypedExpression, ast.Node, str] | None:
    reference = typed.result.references.get(name)
    if not isinstance(reference, NameReference):
        return None
    loop = reference.comprehension
    if loop is None:
        over = typed.ranges.get(name.name)
        return (over, over.root, ELEMENT) if over else None
    if name.name == loop.accumulator:
        return typed, loop.initializer, ""
    of_list = typed.type_of(loop.range).kind is Kind.LIST
    if name.name == loop.variable2:
        return typed, loop.range, ELEMENT if of_list else VALUE
    return (typed, loop.range, ELEMENT) if of_list and loop.variable2 is None else None


def template_keys(owner: PlacedPart, receiver: ast.Node) -> tuple[str, ...]:
    """Return the keys written under what a chain of fields and constant indices from a resource stands for."""
    chain = _chain(receiver)
    if not chain:
        return ()
    resource, path = selected_resource(owner, str(chain[0]), chain[1:])
    node: Node | None = resource.object if resource and resource.type is not ResourceType.EXTERNAL_COLLECTION else None
    for step in path:
        node = _child(node, step)
    return tuple(entry.name for entry in entries(node) if entry.name)


def _child(node: Node | None, step: str | int) -> Node | None:
    if isinstance(step, int):
        written = items(node)
        return written[step] if step < len(written) else None
    name = next((each.name for each in entries(node) if each.name and escape(each.name) == step), step)
    return field(node, name)


def _chain(node: ast.Node) -> list[str | int]:
    """Return `["config", "data", "key"]` for `config.data["key"]`, nothing for anything else."""
    steps: list[str | int] = []
    while not isinstance(node, ast.Identifier):
        if isinstance(node, ast.Select) and not node.test_only:
            steps.append(node.field)
            node = node.operand
        elif isinstance(node, ast.Call) and node.function in ast.INDICES and isinstance(node.arguments[1], ast.Literal):
            value = node.arguments[1].value
            if not isinstance(value, (str, int)) or (isinstance(value, int) and value < 0):
                return []
            steps.append(value)
            node = node.arguments[0]
        else:
            return []
    return [node.name, *reversed(steps)]
