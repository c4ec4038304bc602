"""What changed in a dependency graph since an older version of the definition."""

from __future__ import annotations

from difflib import unified_diff
from typing import TYPE_CHECKING

from msgspec.structs import replace

from kro_ls.queries.cells import cached
from kro_ls.render.graph_view import Change, Comparison, view
from kro_ls.yaml_positions.nodes import to_python

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.model import Resource
    from kro_ls.render.graph_view import DrawnResource, GraphView

_CONTEXT = 2
_MOST_LINES = 200
"""The most lines of a difference that are shown."""
_MOST_COMPARED = 2000
"""The most lines that are compared: the time grows with the square of the lines."""


def previous_definition(number: int, now: Sequence[RgdAnalysis], before: Sequence[RgdAnalysis]) -> RgdAnalysis | None:
    """Return the older version of the definition at a 0-based place in its file, None if it is new.

    It is the definition with the same name or, after a renaming, the one at the same place.
    """
    names_now = [view(each).name for each in now]
    names_before = [view(each).name for each in before]
    name = names_now[number]
    if name is not None and name in names_before:
        return before[names_before.index(name)]
    is_elsewhere = number >= len(before) or (names_before[number] is not None and names_before[number] in names_now)
    return None if is_elsewhere else before[number]


def compared(drawn: GraphView, before: RgdAnalysis | None) -> GraphView:
    """Return the graph with its changes; without an older version everything counts as added."""
    old = view(before) if before else None
    old_resources = {each.id: each for each in old.resources} if old else {}
    resources: dict[str, Change] = {}
    edges: dict[tuple[str, str], Change] = {}
    differences: dict[str, tuple[str, ...]] = {}
    for each in drawn.resources:
        previous = old_resources.get(each.id)
        if previous is None:
            resources[each.id] = Change.ADDED
        elif difference := _difference(each.placed.resource, previous.placed.resource):
            resources[each.id] = Change.CHANGED
            differences[each.id] = difference
        edges.update(_edge_changes(each, previous))
    ids = {each.id for each in drawn.resources}
    removed = tuple(each for id_, each in old_resources.items() if id_ not in ids)
    for each in removed:
        resources[each.id] = Change.REMOVED
        edges.update({(each.id, need): Change.REMOVED for need in each.dependencies})
    return replace(drawn, comparison=Comparison(resources, removed, edges, differences))


def _edge_changes(now: DrawnResource, before: DrawnResource | None) -> dict[tuple[str, str], Change]:
    old = set(before.dependencies) if before else set()
    new = set(now.dependencies)
    found = {(now.id, need): Change.ADDED for need in now.dependencies if need not in old}
    if before:
        found |= {(now.id, need): Change.REMOVED for need in before.dependencies if need not in new}
        for need in now.dependencies:
            if need in old and _reasons(now, need) != _reasons(before, need):
                found[now.id, need] = Change.CHANGED
    return found


def _reasons(resource: DrawnResource, need: str) -> set[tuple[str, str]]:
    return {(each.path, each.expression) for each in resource.causes(need)}


@cached
def _difference(now: Resource, before: Resource) -> tuple[str, ...]:
    """Return the lines that differ, none if only comments or quotes differ."""
    if now.chunk_text == before.chunk_text and now.node.span == before.node.span:
        return ()
    if to_python(now.node) == to_python(before.node):
        return ()
    old, new = _lines(before), _lines(now)
    if max(len(old), len(new)) > _MOST_COMPARED:
        return (f" … {len(new)} lines, {len(old)} before",)
    # Behind the two lines that would name files.
    lines = list(unified_diff(old, new, n=_CONTEXT, lineterm=""))[2:]
    shown = [" …" if each.startswith("@@") else each for each in lines[1:]]
    rest = len(shown) - _MOST_LINES
    return (*shown[:_MOST_LINES], f" … {rest} more lines") if rest > 0 else tuple(shown)


def _lines(resource: Resource) -> list[str]:
    """Return the text of a resource without the indentation that its first line has, behind the dash."""
    span, text = resource.node.span, resource.chunk_text
    column = span.start - text.rfind("\n", 0, span.start) - 1
    first, *rest = text[span.start : span.end].rstrip().split("\n")
    return [first, *(line[min(column, len(line) - len(line.lstrip(" "))) :] for line in rest)]
