"""Breaks a dependency cycle by copying the value of a field to the place that reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.expressions import extract
from kro_ls.analysis.model.model import Resource
from kro_ls.golang.quoting import go_quoted
from kro_ls.yaml_positions.access import node_at, resolved
from kro_ls.yaml_positions.nodes import Scalar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.names.inspection import NameUse
    from kro_ls.repairs.place import Place
    from kro_ls.rules.diagnostics import Fix


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
