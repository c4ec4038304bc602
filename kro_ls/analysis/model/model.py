"""A ResourceGraphDefinition as values: its resources, its schema section and their expressions.

The model holds everything that could be read. It leaves out values of the wrong shape, which the rules report.
Offsets of spans and nodes are relative to the text of their own part (`yaml_positions.documents.stream`), so a part's
model does not change when the part moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import TYPE_CHECKING, ClassVar, Final, overload

from msgspec import Struct, field

from kro_ls.kro.forms import DEFAULT_GROUP, RGD_FORM
from kro_ls.kro.versions.dialect import NEWEST_DIALECT
from kro_ls.yaml_positions import nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.kro.forms import CollectionForm, DefinitionForm, ResourceForm
    from kro_ls.kro.places import Place
    from kro_ls.kro.versions.dialect import Dialect
    from kro_ls.queries.cells import Blocks, Cells
    from kro_ls.yaml_positions.documents.document import YamlDocument
    from kro_ls.yaml_positions.documents.runs import PlacedChunk
    from kro_ls.yaml_positions.nodes import Mapping, Node, Scalar
    from kro_ls.yaml_positions.positions import Span


class ResourceType(Enum):
    """The types of resources that kro knows (`pkg/graph/node.go`)."""

    RESOURCE = "Resource"
    COLLECTION = "Collection"
    EXTERNAL = "External"
    EXTERNAL_COLLECTION = "ExternalCollection"

    @property
    def is_external(self) -> bool:
        """Whether the object exists already."""
        return self in _EXTERNAL  # asked of each resource; to look up a member of an Enum is slow


_EXTERNAL: Final = (ResourceType.EXTERNAL, ResourceType.EXTERNAL_COLLECTION)


class Dimension(Struct, frozen=True, eq=False):
    """One iterator of a `forEach`; `expression` is None where its value is not one standalone expression."""

    name: str
    key: Scalar
    value: Node
    expression: Expression | None


class TextFault(Enum):
    """Faults of `${...}` in a scalar that are found before any CEL is parsed."""

    NESTED = "nested"
    UNTERMINATED = "unterminated"
    NOT_STANDALONE = "not standalone"


class FaultyText(Struct, frozen=True):
    """A scalar whose `${...}` kro refuses or misses; `span` is the fault in the part's text."""

    fault: TextFault
    span: Span
    scalar: Scalar
    place: Place
    path: tuple[str | int, ...]


class Resource(Struct, frozen=True, eq=False):
    """One entry of `spec.resources`.

    `id` is None where the entry has no string there. `template` is the node under `template`, and `object` the
    mapping that describes the Kubernetes object: the template's or the external reference's. `collection` is
    the form of a `forEach`, or of a selector. `dialect` is how it was read. `children` are the nodes of a
    child graph. `iterators` are the names of all `dimensions`, and `named_iterators` the dimensions whose name the
    author chose. `data` is the value that it declares in place of a kind, None in other forms. `sees_instance`:
    its expressions know the instance as `schema`.
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
    iterators: frozenset[str]
    named_iterators: tuple[Dimension, ...]
    data: Node | None
    sees_instance: bool
    collection: CollectionForm
    dialect: Dialect
    form: ResourceForm
    children: tuple[Resource, ...]
    cells: Cells = field(default_factory=dict)


class SchemaSection(Struct, frozen=True, eq=False):
    """The `spec.schema` of an RGD: the API that it declares, with the expressions of its status.

    `dialect` is how it was read.
    """

    sees_instance: ClassVar[bool] = True

    chunk_text: str
    node: Node
    kind: str | None
    scope: str
    status: Mapping | None
    expressions: tuple[Expression, ...]
    faulty_texts: tuple[FaultyText, ...]
    dialect: Dialect = NEWEST_DIALECT
    cells: Cells = field(default_factory=dict)

    @property
    def group(self) -> str:
        """The group of the API."""
        return nodes.text_of(nodes.field(self.node, "group")) or DEFAULT_GROUP


class PlacedResource(Struct, frozen=True):
    """A resource at its place in its document."""

    placed: PlacedChunk
    resource: Resource


class PlacedSchema(Struct, frozen=True, eq=False):
    """The schema section in its document; `key_span` is where its key stands, in document offsets."""

    placed: PlacedChunk
    key_span: Span | None
    section: SchemaSection


class PlacedResources(Sequence[PlacedResource]):
    """The resources of an RGD in the order of `spec.resources`, each placed on demand."""

    def __init__(self, parts: Blocks[Resource], places: Sequence[PlacedChunk]) -> None:
        self._parts = parts
        self._places = places

    def __len__(self) -> int:
        return len(self._parts)

    @overload
    def __getitem__(self, index: int) -> PlacedResource: ...
    @overload
    def __getitem__(self, index: slice) -> list[PlacedResource]: ...
    def __getitem__(self, index: int | slice) -> PlacedResource | list[PlacedResource]:
        numbers = range(len(self._parts))[index]
        if isinstance(numbers, range):
            return [self[number] for number in numbers]
        return PlacedResource(self._places[numbers], self._parts[numbers])

    def __iter__(self) -> Iterator[PlacedResource]:
        return map(PlacedResource, self._places, self._parts)


class OuterNodes(Struct, frozen=True):
    """The nodes outside of a child graph, and the `path` to it by the ids of the graphs that it is in: `g/inner`.

    `depths` are their ids, with how many graphs further out each is declared; of two with one id the nearer counts.
    `patches` are those among them that have no value.
    """

    path: str
    depths: dict[str, int]
    patches: frozenset[str]


class ResourceGraphDefinition(Struct, frozen=True, eq=False):
    """One RGD document. `frame` is the part that holds the document's own top-level keys.

    `parts` are the resources in the order of `spec.resources`, `places` are the chunks that they stand in.
    `form` is the kind of definition that it is; the nodes of a Graph are read as resources. Of a child graph, `outer`
    are the nodes outside of it that its expressions can use.
    """

    document: YamlDocument
    frame: PlacedChunk
    schema: PlacedSchema | None
    parts: Blocks[Resource]
    places: Sequence[PlacedChunk]
    form: DefinitionForm = RGD_FORM
    outer: OuterNodes | None = None

    @property
    def name(self) -> str | None:
        """The name of the definition, None where it has none."""
        found = self.document.child(("metadata", "name"))
        return nodes.text_of(found.node) if found else None

    @property
    def resources(self) -> PlacedResources:
        """The resources at their places."""
        return PlacedResources(self.parts, self.places)
