"""A ResourceGraphDefinition as values: its resources, its schema section and their expressions.

The model keeps whatever could be read; what has a wrong shape is left out of it, and the rules say why. Spans and
nodes have offsets in the text of their own part (`yaml_positions.stream`), so a part's model does not change when
the part moves.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.kro.places import Place
    from kro_ls.yaml_positions.document import PlacedChunk, YamlDocument
    from kro_ls.yaml_positions.nodes import Mapping, Node, Scalar
    from kro_ls.yaml_positions.positions import Span


class ResourceType(Enum):
    """What a resource is for kro (03 section A6.6)."""

    RESOURCE = "Resource"
    COLLECTION = "Collection"
    EXTERNAL = "External"
    EXTERNAL_COLLECTION = "ExternalCollection"


@dataclass(frozen=True, slots=True, eq=False)
class Dimension:
    """One iterator of a `forEach`; `expression` is None where its value is not one standalone expression."""

    name: str
    key: Scalar
    value: Node
    expression: Expression | None


class TextFault(Enum):
    """What can be wrong with `${...}` in a scalar before any CEL is parsed."""

    NESTED = "nested"
    UNTERMINATED = "unterminated"
    NOT_STANDALONE = "not standalone"


@dataclass(frozen=True, slots=True)
class FaultyText:
    """A scalar whose `${...}` kro refuses or misses; `span` is where, in the part's text."""

    fault: TextFault
    span: Span
    scalar: Scalar
    place: Place
    path: tuple[str | int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Resource:
    """One entry of `spec.resources`.

    `id` is None where the entry has no string there. `template` is the node under `template`, and `object` the
    mapping that describes the Kubernetes object: the template's or the external reference's.
    """

    chunk_text: str
    node: Node
    id: str | None
    id_node: Scalar | None
    type: ResourceType
    template: Node | None
    external_reference: Node | None
    object: Mapping | None
    dimensions: tuple[Dimension, ...]
    expressions: tuple[Expression, ...]
    faulty_texts: tuple[FaultyText, ...]

    @property
    def iterators(self) -> frozenset[str]:
        """The names of the resource's `forEach` iterators."""
        return frozenset(dimension.name for dimension in self.dimensions)


@dataclass(frozen=True, slots=True, eq=False)
class SchemaSection:
    """The `spec.schema` of an RGD: the API that it declares, with the expressions of its status."""

    chunk_text: str
    node: Node
    kind: str | None
    scope: str
    status: Mapping | None
    expressions: tuple[Expression, ...]
    faulty_texts: tuple[FaultyText, ...]


class PlacedResource(NamedTuple):
    """A resource in its document. (A tuple, because a thousand of these are made for each key stroke.)"""

    placed: PlacedChunk
    resource: Resource


@dataclass(frozen=True, slots=True, eq=False)
class PlacedSchema:
    """The schema section in its document; `key_span` is where its key stands, in document offsets."""

    placed: PlacedChunk
    key_span: Span | None
    section: SchemaSection


@dataclass(frozen=True, slots=True, eq=False)
class ResourceGraphDefinition:
    """One RGD document. `frame` is the part that holds the document's own top-level keys."""

    document: YamlDocument
    frame: PlacedChunk
    schema: PlacedSchema | None
    resources: tuple[PlacedResource, ...]
