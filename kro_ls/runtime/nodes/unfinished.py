"""Resources of a half-typed definition of which nothing can become yet, and why."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.model import PlacedResource, Resource
    from kro_ls.openapi.json_values import JsonObject

_API_VERSION = re.compile(r"([^\s/:]+/)?[^\s/:]+")


class MissingNode(Struct, frozen=True):
    """A resource that no preview can show; `id` is empty where it has none."""

    id: str
    placed: PlacedResource
    reason: str


def unfinished(resource: Resource, template: JsonObject) -> str:
    """Return what a resource needs before an object can be made of its template; empty where it is complete."""
    if resource.object is None:
        return "it has no template yet" if resource.template is None else "its template is empty"
    for name in ("apiVersion", "kind"):
        value = template.get(name)
        if value in (None, ""):
            return f"its {name} is missing"
        if not isinstance(value, str):
            return f"its {name} is not a string"
    if not _API_VERSION.fullmatch(str(template["apiVersion"])):
        return f"its apiVersion is no group and version: {template['apiVersion']}"
    metadata = template.get("metadata")
    if not isinstance(metadata, dict):
        return "its metadata is missing" if metadata is None else "its metadata is not a mapping"
    return "" if isinstance(metadata.get("name", ""), str) else "its name is not a string"


def missing_nodes(rgd: RgdAnalysis) -> tuple[MissingNode, ...]:
    """Return the resources that are not among the nodes that run, in the order in which they are written."""
    order, cycles = frozenset(rgd.graph.order), rgd.graph.cycles
    seen: set[str] = set()
    found = []
    for placed in rgd.rgd.resources:
        id_ = placed.resource.id
        if not id_:
            found.append(MissingNode("", placed, "it has no id yet"))
        elif id_ in seen:
            found.append(MissingNode(id_, placed, f"another resource has the id {id_}"))
        elif id_ not in order:
            found.append(MissingNode(id_, placed, _held_up(id_, cycles)))
        if id_:
            seen.add(id_)
    return tuple(found)


def _held_up(id_: str, cycles: tuple[tuple[str, ...], ...]) -> str:
    for cycle in cycles:
        if id_ in cycle:
            start = cycle.index(id_)
            around = (*cycle[start:], *cycle[:start], id_)
            return f"it is part of a cycle: {' → '.join(around)}"
    return "it depends on a cycle"
