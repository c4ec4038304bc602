"""Where older versions of kro do not look for the names and functions of an expression.

kro inspects an expression before it checks its types: a name that it does not know is refused, one of a resource makes
a dependency. At first it did not look everywhere, and there the names that CEL itself knows (`lists.range`, `string`)
are fine. Source: kro `pkg/cel/ast/inspector.go` and `pkg/graph/builder.go` at its tags.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.cel.syntax import ast
from kro_ls.kro.places import Place
from kro_ls.kro.versions import history
from kro_ls.kro.versions.version import OLDEST
from kro_ls.queries.cells import cached

if TYPE_CHECKING:
    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.analysis.names.inspection import Inspection
    from kro_ls.kro.versions.version import Version


def inspected_since(expression: Expression, node: ast.Node) -> Version:
    """Return the first version that looks at a node of an expression."""
    if expression.place in history.INSPECTED_PLACES:
        return history.INSPECTED_PLACES[expression.place]
    if expression.place is Place.STATUS and expression.compiled.number > 1:
        return history.STATUS_PARTS_INSPECTED
    return OLDEST if node in _outside_literals(expression.inspection) else history.LITERALS_INSPECTED


@cached
def _outside_literals(inspection: Inspection) -> frozenset[ast.Node]:
    """Return the nodes that kro inspected before it looked into lists, maps and structs."""
    found: set[ast.Node] = set()
    pending = [inspection.parsed.root]
    while pending:
        node = pending.pop()
        found.add(node)
        match node:
            case ast.MacroCall():
                found.add(node.call)
                pending.append(node.expansion)
            case ast.Comprehension():
                pending += (node.range, node.condition, node.step, node.result)
            case ast.ListLiteral() | ast.MapLiteral() | ast.StructLiteral():
                pass
            case _:
                pending += ast.children(node)
    return frozenset(found)
