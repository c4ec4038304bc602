"""The view of a dependency graph that all drawings show, with its child graphs.

A node of a child graph is named by the way to it: `inner/note`. Drawings can group resources by the first word of
their ids, by API group, or by namespace.
"""

from __future__ import annotations

import re
from collections import Counter
from enum import Enum
from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.analysis.model.model import ResourceType
from kro_ls.analysis.model.paths import format_path
from kro_ls.analysis.names.dependency_graph import Graph
from kro_ls.analysis.names.references import own_depending_references, references
from kro_ls.graphs import children_by_id, declaring_graph
from kro_ls.kro.places import BOOL_PLACES, OBJECT_PLACES, Place
from kro_ls.queries.cells import cached, cached_attribute
from kro_ls.yaml_positions.nodes import field, node_at, text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.model import PlacedResource, Resource
    from kro_ls.analysis.names.references import Reference
    from kro_ls.yaml_positions.positions import Span


ARROWS = "an arrow leads from a resource to the resources that read it"
"""The legend of every drawing: arrows point in the order of creation."""


class Cause(Struct, frozen=True):
    """A place where a resource reads something: what it reads (`db.metadata.name`), in which expression, and where.

    `path` is the field that the expression stands in, with its place, in kro's notation: `template.metadata.name`.
    `span` is where the read name stands: in the resource's own text, or in the document once it is placed.
    """

    reads: str
    expression: str
    path: str
    span: Span


class Change(Enum):
    """How a resource, or a reference, differs from an older version of the definition."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


MARKS = {Change.ADDED: "+", Change.REMOVED: "\N{MINUS SIGN}", Change.CHANGED: "~"}
"""The marks of changed resources in texts, in front of their ids."""


class DrawnResource(Struct, frozen=True):
    """One resource, or a node of a child graph, whose `id` is the way to it (`inner/note`).

    `kind` is None where the template does not say it. `position` is the 0-based place in kro's topological order, None
    in a cycle and after it. With `is_conditional` kro may leave it out (`includeWhen`).
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
    def api_version(self) -> str | None:
        """The group and version of its kind; None where the template does not say it."""
        return text_of(field(self.placed.resource.object, "apiVersion"))

    @property
    def namespace(self) -> str | None:
        """The namespace as written, which may hold expressions; None where the template names none."""
        return text_of(node_at(self.placed.resource.object, ("metadata", "namespace")))

    @property
    def conditions(self) -> dict[str, list[str]]:
        """Its conditions as written, by the field that they stand in: `includeWhen`, `readyWhen`."""
        found: dict[str, list[str]] = {}
        for each in self.placed.resource.expressions:
            if each.place in BOOL_PLACES:
                found.setdefault(each.place.value, []).append(each.compiled.user_text)
        return found

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


class Edge(Struct, frozen=True):
    """A resource and another that it needs. `change` is None where nothing is compared, or nothing changed."""

    resource: str
    need: str
    is_cyclic: bool
    change: Change | None


class Comparison(Struct, frozen=True):
    """What changed since an older version of the definition.

    `resources` has the changes by id, those that were removed included; `removed` are these, as they were. `edges` has
    the changes of (resource, need). `differences` are the lines of resources that changed, by id, each with a `+`, `-`
    or space in front.
    """

    resources: dict[str, Change]
    removed: tuple[DrawnResource, ...]
    edges: dict[tuple[str, str], Change]
    differences: dict[str, tuple[str, ...]]


class GraphView(Struct, frozen=True, dict=True):
    """One definition: its name if it has one, its resources as written, and the edges (resource, need) of cycles.

    `graph` is that of a Graph with all its child graphs. `comparison` is None where nothing is compared.
    """

    analysis: RgdAnalysis
    graph: Graph
    name: str | None
    resources: tuple[DrawnResource, ...]
    cyclic_edges: frozenset[tuple[str, str]]
    comparison: Comparison | None = None

    @property
    def shown(self) -> tuple[DrawnResource, ...]:
        """The resources, then those that were removed."""
        return self.resources + (self.comparison.removed if self.comparison else ())

    def change(self, resource: str) -> Change | None:
        """Return how a resource changed; None if it did not, or if nothing is compared."""
        return self.comparison.resources.get(resource) if self.comparison else None

    def edges(self) -> Iterator[Edge]:
        """Yield the edges by resource, then those that were removed."""
        changes = self.comparison.edges if self.comparison else {}
        for each in self.resources:
            for need in each.dependencies:
                edge = (each.id, need)
                yield Edge(*edge, edge in self.cyclic_edges, changes.get(edge))
        for (resource, need), change in changes.items():
            if change is Change.REMOVED:
                yield Edge(resource, need, is_cyclic=False, change=change)

    @cached_attribute
    def passes(self) -> dict[str, int]:
        """The earliest pass in which kro can create each resource; empty while there is a cycle.

        kro creates a whole Graph in one pass, node after node: there it is the step within that pass.
        """
        from kro_ls.analysis.names.longest_chains import creation_passes

        takes_passes = self.analysis.rgd.form.declares_kind
        return creation_passes(self.graph, {each.id for each in self.resources if takes_passes and each.is_external})

    @cached_attribute
    def waves(self) -> dict[str, int]:
        """The apply wave of each resource: the highest is deleted first. Empty while there is a cycle."""
        from kro_ls.analysis.names.longest_chains import apply_waves

        return apply_waves(self.graph)

    @cached_attribute
    def critical_path(self) -> tuple[str, ...]:
        """The longest chain of resources that wait for one another, in that order; empty while there is a cycle."""
        from kro_ls.analysis.names.longest_chains import critical_path

        return critical_path(self.graph)


def view(analysis: RgdAnalysis) -> GraphView:
    """Return the view of a definition with its child graphs, without resources that lack an id or repeat one.

    The node of a child graph depends on all nodes in it. What these read of the nodes around them is theirs alone.
    """
    positions = {resource: position for position, resource in enumerate(_order(analysis))}
    resources = tuple(_resources(analysis, positions))
    graph = analysis.graph
    if len(resources) > len(graph.dependencies):  # there are child graphs
        ids = {each.id for each in resources}
        graph = Graph(tuple((each.id, tuple(id_ for id_ in each.dependencies if id_ in ids)) for each in resources))
    cyclic_edges = {edge for cycle in graph.cycles for edge in zip(cycle, (*cycle[1:], cycle[0]), strict=True)}
    written = analysis.rgd.document.child(("metadata", "name"))
    name = text_of(written.node) if written else None
    return GraphView(analysis, graph, name, resources, frozenset(cyclic_edges))


def _resources(graph: RgdAnalysis, positions: dict[str, int]) -> Iterator[DrawnResource]:
    """Yield the resources of a graph, each followed by those of its child graph."""
    children = children_by_id(graph)
    for id_, needs in graph.graph.dependencies:
        placed = graph.resources[id_]
        names = dict.fromkeys(each.name for each in own_depending_references(placed.resource))
        ways = [_way(graph, need) for need in needs if need in names]
        ways += [way for name in names if name not in placed.resource.iterators for way in _outside(graph, name)]
        child = children.get(id_)
        ways += [_way(child, each) for each, _ in child.graph.dependencies] if child else ()
        way = _way(graph, id_)
        yield _drawn(way, tuple(ways), placed, positions.get(way))
        yield from _resources(child, positions) if child else ()


def _drawn(id_: str, needs: tuple[str, ...], placed: PlacedResource, position: int | None) -> DrawnResource:
    resource = placed.resource
    form = resource.form
    kind = form.name if form.is_data or form.has_nodes else text_of(field(resource.object, "kind"))
    conditional = field(resource.node, Place.INCLUDE_WHEN.value) is not None
    return DrawnResource(id_, kind, resource.type, needs, position, conditional, placed)


def _order(graph: RgdAnalysis) -> Iterator[str]:
    """Yield the ways to the nodes in the order in which kro takes them; nodes in cycles are missing."""
    children = children_by_id(graph)
    for id_ in graph.graph.order:
        yield from _order(children[id_]) if id_ in children else ()
        yield _way(graph, id_)


def _way(graph: RgdAnalysis, id_: str) -> str:
    """Return the name of a node of a child graph: the way to it."""
    return f"{graph.rgd.outer.path}/{id_}" if graph.rgd.outer else id_


def _outside(graph: RgdAnalysis, name: str) -> Iterator[str]:
    """Yield the way to what a name means around a child graph that does not declare it."""
    owner = None if name in graph.table.declarations else declaring_graph(graph, name)
    if owner:
        yield _way(owner, name)


@cached
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
    shown = f"${{{text}}}" if expression.compiled.standalone else _reading_lines(text, reference.name)
    return Cause(".".join((reference.name, *reference.use.path)), shown, path, reference.span)


def _reading_lines(text: str, name: str) -> str:
    """Return a text, such as a whole document, without those of its lines that do not read a resource."""
    lines = [line.strip() for line in text.splitlines()]
    reading = [line for line in lines if "${" in line and name in line]
    return " … ".join(reading) if reading else text


_MOST_WITH_ONE_WORD = 0.6
"""If a larger share of the ids begins with the same word, their second word makes the groups."""
_WORDS = re.compile(r"[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+", re.ASCII)


class GroupBy(Enum):
    """What the resources of a group have in common, as the data of a graph names it."""

    PREFIX = "prefix"
    API_GROUP = "apiGroup"
    NAMESPACE = "namespace"


def group_titles(resources: Sequence[DrawnResource], by: GroupBy) -> dict[str, str]:
    """Return the title of each resource's group by the resource's id; a resource may be alone in its group."""
    title_of = {GroupBy.PREFIX: _prefixes(resources), GroupBy.API_GROUP: _api_group, GroupBy.NAMESPACE: _namespace}[by]
    return {each.id: title_of(each) for each in resources}


def groups(drawn: GraphView, by: GroupBy | None) -> tuple[dict[str, list[DrawnResource]], list[DrawnResource]]:
    """Return the members of each group by its title, and the resources that are alone; for None all are alone."""
    if by is None:
        return {}, [*drawn.shown]
    titles = group_titles(drawn.shown, by)
    found: dict[str, list[DrawnResource]] = {}
    for each in drawn.shown:
        found.setdefault(titles[each.id], []).append(each)
    alone = [each for each in drawn.shown if len(found[titles[each.id]]) == 1]
    return {title: members for title, members in found.items() if len(members) > 1}, alone


def _namespace(resource: DrawnResource) -> str:
    return resource.namespace or "no namespace"


def _api_group(resource: DrawnResource) -> str:
    if resource.api_version is None:
        return "no API group"
    group, slash, _ = resource.api_version.partition("/")
    return group if slash else "core"


def _prefixes(resources: Sequence[DrawnResource]) -> Callable[[DrawnResource], str]:
    words = {each.id: _WORDS.findall(each.id) or [each.id] for each in resources}
    counts = Counter(found[0] for found in words.values())
    most = len(words) * _MOST_WITH_ONE_WORD
    return lambda each: "".join(words[each.id][: 2 if counts[words[each.id][0]] > most else 1])
