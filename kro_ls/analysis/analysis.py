"""Analyses the RGDs of a text: the model, the graph, and what each part needs to know of the others.

An analysis is a value: it depends on the text, kro's feature gates and the known kinds alone. What is wrong with it is
for `rules.diagnosis` to say.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from kro_ls.analysis.model.reading import CUTS, is_rgd, read
from kro_ls.analysis.names.graph import Graph, build_graph
from kro_ls.analysis.names.references import dependency_names
from kro_ls.analysis.surroundings import surroundings_of
from kro_ls.kro.kinds import schema_index
from kro_ls.openapi.sources.bundled import kubernetes
from kro_ls.yaml_positions.stream import YamlStream, parse_stream

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import PlacedResource, ResourceGraphDefinition
    from kro_ls.analysis.surroundings import Surroundings
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.yaml_positions.text import Text


@dataclass(frozen=True, slots=True, eq=False)
class RgdAnalysis:
    """What is known of one RGD document."""

    rgd: ResourceGraphDefinition
    resources: dict[str, PlacedResource]
    graph: Graph
    surroundings: Surroundings


@dataclass(frozen=True, slots=True, eq=False)
class Analysis:
    """What is known of a text. `stream` has no documents where no RGD can be in the text."""

    text: Text
    stream: YamlStream
    rgds: tuple[RgdAnalysis, ...]


def may_hold_rgd(content: str) -> bool:
    """Whether a text is worth analysing: cheap, and never wrong about a text that does hold an RGD."""
    return "ResourceGraphDefinition" in content


@lru_cache(maxsize=1)
def default_schemas() -> SchemaIndex:
    """Return the kinds of the newest bundled Kubernetes and of kro, and no custom kind."""
    return schema_index(kubernetes())


def analyze(text: Text, schemas: SchemaIndex | None = None, feature_gates: frozenset[str] = frozenset()) -> Analysis:
    """Return the analysis of a text; documents that are not RGDs are left alone."""
    if not may_hold_rgd(text.content):
        return Analysis(text, YamlStream(text, ()), ())
    stream = parse_stream(text, CUTS)
    index = schemas or default_schemas()
    rgds = tuple(
        _analyze_rgd(read(document), feature_gates, index) for document in stream.documents if is_rgd(document)
    )
    return Analysis(text, stream, rgds)


def _analyze_rgd(rgd: ResourceGraphDefinition, feature_gates: frozenset[str], schemas: SchemaIndex) -> RgdAnalysis:
    resources: dict[str, PlacedResource] = {}
    for placed in rgd.resources:
        if placed.resource.id is not None:
            resources.setdefault(placed.resource.id, placed)
    dependencies = tuple(
        (resource_id, tuple(name for name in dependency_names(placed.resource) if name in resources))
        for resource_id, placed in resources.items()
    )
    surroundings = surroundings_of(rgd, resources, feature_gates, schemas)
    return RgdAnalysis(rgd, resources, build_graph(dependencies), surroundings)
