"""What the drawings of a dependency graph show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.yaml_positions.access import field, text_of

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.model import Resource, ResourceType


class DrawnResource(Struct, frozen=True):
    """One resource.

    `kind` is None where the template does not say it. `position` is the 0-based place in kro's topological order, None
    in a cycle and after it.
    """

    id: str
    kind: str | None
    type: ResourceType
    dependencies: tuple[str, ...]
    position: int | None


class GraphView(Struct, frozen=True):
    """One definition: its name if it has one, its resources as written, and the edges (resource, need) of cycles."""

    name: str | None
    resources: tuple[DrawnResource, ...]
    cyclic_edges: frozenset[tuple[str, str]]


def view(analysis: RgdAnalysis) -> GraphView:
    """Return what can be drawn; resources without an id are left out, and of two with the same id the second."""
    graph = analysis.graph
    positions = {resource: position for position, resource in enumerate(graph.order)}
    resources = tuple(
        _drawn(analysis.resources[resource_id].resource, resource_id, dependencies, positions.get(resource_id))
        for resource_id, dependencies in graph.dependencies
    )
    cyclic_edges = {edge for cycle in graph.cycles for edge in zip(cycle, (*cycle[1:], cycle[0]), strict=True)}
    name = analysis.rgd.document.child(("metadata", "name"))
    return GraphView(text_of(name.node) if name else None, resources, frozenset(cyclic_edges))


def _drawn(resource: Resource, resource_id: str, dependencies: tuple[str, ...], position: int | None) -> DrawnResource:
    return DrawnResource(resource_id, text_of(field(resource.object, "kind")), resource.type, dependencies, position)
