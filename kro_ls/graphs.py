"""The child graphs of a Graph of kro 0.10: each is analysed as a definition, which knows the graph around it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from kro_ls.analysis.analysis import RgdAnalysis
from kro_ls.analysis.definition_queries import OUTER_IDS, RGD, SECTION
from kro_ls.analysis.facts import PARTS
from kro_ls.analysis.model.model import OuterNodes, ResourceGraphDefinition
from kro_ls.kro.forms import GRAPH_FORM
from kro_ls.queries.cells import Blocks, cached
from kro_ls.queries.engine import Revision

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import Analysis
    from kro_ls.analysis.model.model import PlacedResource, Resource
    from kro_ls.analysis.model.paths import Path
    from kro_ls.queries.engine import Input


@cached
def child_graphs(graph: RgdAnalysis) -> tuple[RgdAnalysis, ...]:
    """Return the child graphs of a Graph's nodes, in their order."""
    if graph.rgd.form is not GRAPH_FORM:
        return ()
    return tuple(_child_graph(graph, number) for number, each in enumerate(graph.rgd.parts) if each.form.has_nodes)


def _child_graph(graph: RgdAnalysis, number: int) -> RgdAnalysis:
    rgd = graph.rgd
    above = rgd.outer or OuterNodes("", {}, frozenset())
    path = "/".join(filter(None, [above.path, rgd.parts[number].id]))
    own = {each.id: each.form.is_patch for each in rgd.parts if each.id is not None}
    depths = {name: depth + 1 for name, depth in above.depths.items()} | dict.fromkeys(own, 1)
    patches = (above.patches - own.keys()) | {name for name, is_patch in own.items() if is_patch}
    parts = Blocks.of(rgd.parts[number].children)
    child = ResourceGraphDefinition(
        rgd.document,
        rgd.frame,
        None,
        parts,
        [rgd.places[number]] * len(parts),
        GRAPH_FORM,
        outer=OuterNodes(path, depths, patches),
    )
    inputs: dict[Input[Any], Any] = {
        **graph.reader.revision.inputs,
        RGD: child,
        PARTS: parts,
        SECTION: None,
        OUTER_IDS: frozenset(depths),
    }
    return RgdAnalysis(Revision(inputs).reader(), graph)


def children_of(graph: RgdAnalysis) -> tuple[tuple[Resource, RgdAnalysis], ...]:
    """Return the nodes that have a child graph, with it."""
    children = child_graphs(graph)
    owners = (each for each in graph.rgd.parts if each.form.has_nodes) if children else ()
    return tuple(zip(owners, children, strict=True))


def children_by_id(graph: RgdAnalysis) -> dict[str | None, RgdAnalysis]:
    """Return the child graphs by the ids of their nodes, of two with one id the first."""
    return {owner.id: child for owner, child in reversed(children_of(graph))}


def frames_of(rgd: RgdAnalysis) -> Iterator[RgdAnalysis]:
    """Yield a definition, and the child graphs in it at every depth, each after the graph that it is in."""
    yield rgd
    for each in child_graphs(rgd):
        yield from frames_of(each)


def frames_in(analysis: Analysis) -> Iterator[RgdAnalysis]:
    """Yield the definitions of a text, and the child graphs of Graphs among them."""
    for each in analysis.rgds:
        yield from frames_of(each)


def at_path(rgd: RgdAnalysis, path: str) -> PlacedResource | None:
    """Return a resource by its id, or a node of a child graph by the ids on the way to it: `g/a`."""
    owner, _, rest = path.partition("/")
    if not rest:
        return rgd.resources.get(owner)
    child = children_by_id(rgd).get(owner)
    return at_path(child, rest) if child else None


def declaring_graph(rgd: RgdAnalysis, name: str) -> RgdAnalysis | None:
    """Return the graph that declares an id which expressions can use: the one given, or the nearest around it."""
    if name in rgd.table.numbers:
        return rgd
    return declaring_graph(rgd.outer, name) if rgd.outer else None


_NODES: Final = ("spec", GRAPH_FORM.items)
_CHILD = ("graph", "nodes")


def in_frame(path: Path) -> tuple[int, Path]:
    """Return how much longer a path is than its part in the innermost graph, and that part."""
    left_out = 0
    while path[:2] == _NODES and path[3:5] == _CHILD:
        path = (*_NODES, *path[5:])
        left_out += 3
    return left_out, path
