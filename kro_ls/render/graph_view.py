"""What the drawings of a dependency graph show."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.analysis.memory import remembered
from kro_ls.analysis.model.model import ResourceType
from kro_ls.analysis.model.paths import format_path
from kro_ls.analysis.names.graph import apply_waves, creation_passes
from kro_ls.analysis.names.references import own_depending_references, references
from kro_ls.kro.places import OBJECT_PLACES, Place
from kro_ls.render.whole_graph import whole_graph
from kro_ls.yaml_positions.access import field, text_of

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.model import PlacedResource, Resource
    from kro_ls.analysis.names.graph import Graph
    from kro_ls.analysis.names.references import Reference
    from kro_ls.render.whole_graph import Node
    from kro_ls.yaml_positions.positions import Span


ARROWS = "an arrow leads from a resource to the resources that read it"
"""What every drawing says of its arrows: they point the way kro creates."""


class Cause(Struct, frozen=True):
    """A place where a resource reads something: what it reads (`db.metadata.name`), in which expression, and where.

    `path` is the field that the expression stands in, with its place, in kro's notation: `template.metadata.name`.
    `span` is where the read name stands: in the resource's own text, or in the document once it is placed.
    """

    reads: str
    expression: str
    path: str
    span: Span


class DrawnResource(Struct, frozen=True):
    """One resource, or a node of a child graph, whose `id` is the way to it (`inner/note`).

    `kind` is None where the template does not say it. `position` is the 0-based place in kro's topological order, None
    in a cycle and after it. `is_conditional` tells that kro may leave it out (`includeWhen`).
    """

    id: str
    kind: str | None
    type: ResourceType
    dependencies: tuple[str, ...]
    position: int | None
    is_conditional: bool
    placed: PlacedResource

    @property
    def is_external(self) -> bool:
        """Whether kro only reads it."""
        return self.type in (ResourceType.EXTERNAL, ResourceType.EXTERNAL_COLLECTION)

    @property
    def span(self) -> Span:
        """The whole resource in the document."""
        return self.placed.placed.span(self.placed.resource.node)

    @property
    def id_span(self) -> Span:
        """Its id in the document."""
        node = self.placed.resource.id_node
        return self.placed.placed.span(node) if node else self.span

    def causes(self, need: str) -> tuple[Cause, ...]:
        """Return why it depends on another resource, with spans in the document."""
        is_inside = need.startswith(f"{self.id}/")
        found = () if is_inside else _causes(self.placed.resource).get(need.rpartition("/")[2], ())
        place = self.placed.placed.document_span
        return tuple(Cause(each.reads, each.expression, each.path, place(each.span)) for each in found)


class GraphView(Struct, frozen=True, dict=True):
    """One definition: its name if it has one, its resources as written, and the edges (resource, need) of cycles.

    `graph` is that of a Graph with all its child graphs.
    """

    analysis: RgdAnalysis
    graph: Graph
    name: str | None
    resources: tuple[DrawnResource, ...]
    cyclic_edges: frozenset[tuple[str, str]]

    @cached_property
    def passes(self) -> dict[str, int]:
        """The earliest pass in which kro can create each resource; empty while there is a cycle.

        kro creates a whole Graph in one pass, node after node: there it is the step within that pass.
        """
        if self.analysis.rgd.is_graph:
            return creation_passes(self.graph, ())
        return creation_passes(self.graph, {each.id for each in self.resources if each.is_external})

    @cached_property
    def waves(self) -> dict[str, int]:
        """The apply wave of each resource: the highest is deleted first. Empty while there is a cycle."""
        return apply_waves(self.graph)

    @cached_property
    def critical_path(self) -> tuple[str, ...]:
        """The longest chain of resources that wait for one another, in that order; empty while there is a cycle."""
        waves, needs = self.waves, dict(self.graph.dependencies)
        chain: list[str] = []
        # What is in a wave has a dependent in the next, for it stands as late as its dependents allow.
        for resource in self.graph.order if waves else ():
            if waves[resource] == len(chain) + 1 and (not chain or chain[-1] in needs[resource]):
                chain.append(resource)
        return tuple(chain)


def view(analysis: RgdAnalysis) -> GraphView:
    """Return what can be drawn; resources without an id are left out, and of two with the same id the second."""
    whole = whole_graph(analysis)
    positions = {resource: position for position, resource in enumerate(whole.order)}
    resources = tuple(_drawn(each, positions.get(each.id)) for each in whole.nodes.values())
    cycles = whole.graph.cycles
    cyclic_edges = {edge for cycle in cycles for edge in zip(cycle, (*cycle[1:], cycle[0]), strict=True)}
    written = analysis.rgd.document.child(("metadata", "name"))
    name = text_of(written.node) if written else None
    return GraphView(analysis, whole.graph, name, resources, frozenset(cyclic_edges))


def _drawn(node: Node, position: int | None) -> DrawnResource:
    resource = node.placed.resource
    kind = resource.form if resource.form in ("def", "graph") else text_of(field(resource.object, "kind"))
    conditional = field(resource.node, Place.INCLUDE_WHEN.value) is not None
    return DrawnResource(node.id, kind, resource.type, node.needs, position, conditional, node.placed)


@remembered
def _causes(resource: Resource) -> dict[str, tuple[Cause, ...]]:
    """Return the causes by the name of what is read; the instance's are under `schema`."""
    found: dict[str, list[Cause]] = {}
    of_instance = (each for each in references(resource) if each.name == "schema")
    for reference in dict.fromkeys((*of_instance, *own_depending_references(resource))):
        found.setdefault(reference.name, []).append(_cause(reference))
    return {name: tuple(causes) for name, causes in found.items()}


def _cause(reference: Reference) -> Cause:
    expression = reference.expression
    inner = format_path(expression.path)
    path = expression.place.value
    if expression.place in OBJECT_PLACES:
        path = f"{path}{'' if inner.startswith('[') else '.'}{inner}"
    text = expression.compiled.user_text
    shown = f"${{{text}}}" if expression.compiled.standalone else text
    return Cause(".".join((reference.name, *reference.use.path)), shown, path, reference.span)
