"""The parts of an RGD, its schema section and its resources, where they stand in the document; and nodes of YAML."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from msgspec import Struct

from kro_ls.analysis.model.model import Resource, ResourceType
from kro_ls.graphs import child_graphs, frames_of
from kro_ls.openapi.cel_types import ELEMENT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kro_ls.analysis.analysis import Analysis, RgdAnalysis
    from kro_ls.analysis.model.model import PlacedResource, SchemaSection
    from kro_ls.analysis.model.paths import Path
    from kro_ls.yaml_positions.documents.document import Located, YamlDocument
    from kro_ls.yaml_positions.documents.runs import PlacedChunk
    from kro_ls.yaml_positions.positions import Span

S = TypeVar("S")


class PlacedPart(Struct, frozen=True):
    """A resource or the schema section of an RGD, where it stands in the document."""

    rgd: RgdAnalysis
    placed: PlacedChunk
    part: Resource | SchemaSection

    def span(self, span: Span) -> Span:
        """Return a span of the part's text in document offsets."""
        return self.placed.document_span(span)

    def to_part(self, offset: int) -> int | None:
        """Return the offset in the part's text of a document offset, None outside of the part."""
        local = self.placed.to_chunk(offset)
        # A part with a chunk of its own has the blank lines around it, too.
        if local is None or not (self.placed.path or self.part.node.start <= local <= self.part.node.end):
            return None
        return local


def parts(rgd: RgdAnalysis) -> Iterator[PlacedPart]:
    """Yield the schema section and the resources of an RGD; of a Graph the nodes of child graphs, too."""
    schema = _schema(rgd)
    if schema:
        yield schema
    for frame in frames_of(rgd):
        for each in frame.rgd.resources:
            yield resource_part(frame, each)


_COLLECTIONS = (ResourceType.COLLECTION, ResourceType.EXTERNAL_COLLECTION)


def selected_resource(owner: PlacedPart, variable: str, path: Sequence[S]) -> tuple[Resource | None, Sequence[S]]:
    """Return the resource whose object a variable's path in a part leads into, and the path in that object.

    An item of a collection is an index, `ELEMENT` or None in the path; without it the list itself is selected.
    """
    placed = owner.rgd.resources.get(variable)
    if placed is None:
        return owner.part if variable == "each" and isinstance(owner.part, Resource) else None, path
    if placed.resource.type not in _COLLECTIONS:
        return placed.resource, path
    is_item = path[:1] and (path[0] in (ELEMENT, None) or isinstance(path[0], int))
    return (placed.resource, path[1:]) if is_item else (None, path)


def parts_in(rgd: RgdAnalysis, window: Span) -> Iterator[PlacedPart]:
    """Yield the parts whose texts touch a span of the document."""
    schema = _schema(rgd)
    if schema and schema.placed.start <= window.end and schema.placed.end >= window.start:
        yield schema
    resources = rgd.rgd.resources
    first = bisect_left(resources, window.start, key=lambda each: each.placed.end)
    last = bisect_right(resources, window.end, key=lambda each: each.placed.start)
    for each in resources[first:last]:
        yield resource_part(rgd, each)
    for child in child_graphs(rgd):
        yield from parts_in(child, window)


def resource_part(rgd: RgdAnalysis, resource: PlacedResource) -> PlacedPart:
    """Return a resource of an RGD as a part of it."""
    return PlacedPart(rgd, resource.placed, resource.resource)


def rgd_at(analysis: Analysis, offset: int) -> RgdAnalysis | None:
    """Return the RGD whose document holds a document offset; where two documents touch, the first."""
    number = bisect_left(analysis.rgds, offset, key=lambda each: each.rgd.document.start)
    for rgd in analysis.rgds[max(number - 1, 0) : number + 1]:
        if rgd.rgd.document.start <= offset <= rgd.rgd.document.end:
            return rgd
    return None


def part_at(rgd: RgdAnalysis, offset: int) -> PlacedPart | None:
    """Return the part that holds a document offset; where two parts touch, the first."""
    schema = _schema(rgd)
    if schema and schema.to_part(offset) is not None:
        return schema
    resources, places = rgd.rgd.parts, rgd.rgd.places
    run = rgd.rgd.document.run_at(places[0].path[:-1]) if resources else None
    if run:
        number = run.number_at(offset) if run.start <= offset <= run.end else 0
    else:  # all of them stand in the document's frame
        local = rgd.rgd.frame.to_chunk(offset)
        number = 0 if local is None else bisect_left(resources, local, key=lambda each: each.node.start)
    for at in range(max(number - 1, 0), min(number + 1, len(resources))):
        part = PlacedPart(rgd, places[at], resources[at])
        if part.to_part(offset) is not None:
            inner = (part_at(child, offset) for child in child_graphs(rgd) if resources[at].children)
            return next((found for found in inner if found), part)
    return None


def _schema(rgd: RgdAnalysis) -> PlacedPart | None:
    schema = rgd.rgd.schema
    return PlacedPart(rgd, schema.placed, schema.section) if schema else None


class YamlPlace(NamedTuple):
    """The innermost node at an offset; between nodes, the one to which the indentation assigns what is typed."""

    path: Path
    located: Located
    in_key: bool


def yaml_place_at(document: YamlDocument, offset: int) -> YamlPlace | None:
    """Return the place at a document offset, None in an empty document."""
    found = document.path_at(offset)
    return YamlPlace(*found) if found else None
