"""What a definition hopes to see in the cluster: the values that its conditions compare with and the fields it reads.

A simulated object that is made by these meets the conditions, so that the graph can go on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from kro_ls.analysis.memory import remembered
from kro_ls.cel.syntax import ast

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kro_ls.analysis.model.paths import Path
    from kro_ls.openapi.json_values import JsonValue
    from kro_ls.runtime.compiled import CompiledGraph
    from kro_ls.runtime.expressions import CompiledExpression

_EQUALITIES = (ast.Operator.EQUALS, ast.Operator.GREATER_EQUALS, ast.Operator.LESS_EQUALS)


class Expected(Struct):
    """What is expected of one node's objects: values by path, paths that are read, and condition types."""

    values: dict[Path, JsonValue] = field(default_factory=dict)
    read: dict[Path, None] = field(default_factory=dict)
    conditions: dict[str, None] = field(default_factory=dict)


@remembered
def expected_values(graph: CompiledGraph) -> dict[str, Expected]:
    """Return what the expressions of a graph expect, by node id. Only simple comparisons and selections are seen."""
    expected = {node.id: Expected() for node in graph.nodes}
    for compiled in _expressions(graph):
        root = compiled.expression.inspection.parsed.root
        conditions = tuple(_condition_types(root))
        names = {use.name for use in compiled.expression.inspection.names}
        for name in names:
            id_ = compiled.owner if name == "each" else name
            if id_ in expected:
                expected[id_].conditions.update(dict.fromkeys(conditions))
        for node in ast.walk(root):
            _read(node, compiled.owner, expected)
            _compare(node, compiled.owner, expected)
    return expected


def _expressions(graph: CompiledGraph) -> Iterable[CompiledExpression]:
    for node in graph.nodes:
        yield from node.ready_when
        yield from node.include_when
        yield from (each for _, each in (*node.fields, *node.item_fields, *node.dimensions))
    yield from (each for _, each in graph.status)
    yield from graph.conditions


def _read(node: ast.Node, owner: str, expected: dict[str, Expected]) -> None:
    found = _path(node, owner)
    if found is not None and found[0] in expected:
        expected[found[0]].read.setdefault(found[1])


def _compare(node: ast.Node, owner: str, expected: dict[str, Expected]) -> None:
    if not (isinstance(node, ast.Call) and node.function in _EQUALITIES and len(node.arguments) == 2):
        return
    for one, other in (node.arguments, node.arguments[::-1]):
        found = _path(one, owner)
        if found is not None and found[0] in expected and isinstance(other, ast.Literal):
            value = other.value
            if not isinstance(value, bytes) and value is not None:
                expected[found[0]].values.setdefault(found[1], value)


def _path(node: ast.Node, owner: str) -> tuple[str, Path] | None:
    """Return the node id and the fields of `id.a.b["c"]`, None for anything else; `.orValue(...)` is looked through."""
    steps: list[str | int] = []
    while True:
        match node:
            case ast.Select():
                steps.append(node.field)
                node = node.operand
            case ast.Call(function="orValue", target=target) if target is not None:
                node = target
            case ast.Call(
                function=ast.Operator.INDEX | ast.Operator.OPTIONAL_INDEX,
                arguments=(operand, ast.Literal(value=str() | int() as step)),
            ):
                steps.append(step)
                node = operand
            case ast.Identifier():
                return (owner if node.name == "each" else node.name), tuple(reversed(steps))
            case _:
                return None


def _condition_types(root: ast.Node) -> Iterator[str]:
    """Yield the types of conditions that are looked for, as in `conditions.exists(c, c.type == "Ready")`."""
    for node in ast.walk(root):
        if isinstance(node, ast.Call) and node.function == ast.Operator.EQUALS and len(node.arguments) == 2:
            for one, other in (node.arguments, node.arguments[::-1]):
                is_type = isinstance(one, ast.Select) and one.field == "type"
                if is_type and isinstance(other, ast.Literal) and isinstance(other.value, str):
                    yield other.value
