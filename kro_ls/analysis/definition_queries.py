"""The inputs of the queries about one RGD, what its parts declare for each other, and the kinds that they name.

A `Column` has a value for each of its resources, such as the findings in it.

The values are compared, so that an edit of one declaration does not affect a query that read another one.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

from msgspec import Struct

from kro_ls.analysis.facts import PARTS, Declaration, table
from kro_ls.analysis.model.reading import misplaces_resources
from kro_ls.analysis.names.dependency_graph import Dependencies, Graph
from kro_ls.queries.cells import cached
from kro_ls.queries.engine import Input, OwnedQuery, Query
from kro_ls.spelling import Spellings, closest_among

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from kro_ls.analysis.facts import BlockFacts, KindName
    from kro_ls.analysis.model.model import Resource, ResourceGraphDefinition, SchemaSection
    from kro_ls.kro.forms import DefinitionForm
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.kind_schema import GroupVersionKind, KindSchema
    from kro_ls.openapi.sources.bundled import Lifetime
    from kro_ls.queries.cells import Block
    from kro_ls.queries.engine import Reader
    from kro_ls.yaml_positions.documents.chunks import Chunk


class Candidates:
    """The ids of the resources in their order, and of nodes outside; compared by value.

    `blocks` are the facts of the resources, `outer` the ids outside.
    """

    __slots__ = ("_closest", "_groups", "_ids", "_outer")

    def __init__(self, blocks: tuple[BlockFacts, ...] = (), outer: tuple[str, ...] = ()) -> None:
        self._ids = tuple(chain.from_iterable([block.ids for block in blocks]))
        self._outer = outer
        self._groups = (*(block.spellings for block in blocks), *((Spellings(outer),) if outer else ()))
        # While an id is being typed, all parts that use it ask for the same name.
        self._closest: dict[str, str | None] = {}

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, Candidates) and self._outer == other._outer and self._ids == other._ids
        )

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        return bool(self._groups)

    def __contains__(self, name: object) -> bool:
        return name in self._ids or name in self._outer

    def closest(self, name: str, own: str | None) -> str | None:
        """Return the id that a name most likely means, the first of several, except the id of the part itself."""
        if name not in self._closest:
            self._closest[name] = closest_among(name, self._groups)
        found = self._closest[name]
        return closest_among(name, [group.without(own) for group in self._groups]) if own and found == own else found


NO_CANDIDATES = Candidates()


RGD: Input[ResourceGraphDefinition] = Input("rgd")
"""The whole definition. It changes with each edit, so a query that reads it runs after each edit."""

IS_DAMAGED: Input[bool] = Input("is_damaged")
"""Whether YAML cannot read a part of its document."""

FRAME: Input[Chunk] = Input("frame")
"""The part of its text that holds its own top-level keys."""

FORM: Input[DefinitionForm] = Input("form")
"""The kind of definition that it is."""

SECTION: Input[SchemaSection | None] = Input("section")
"""Its schema section."""

SCHEMAS: Input[SchemaIndex] = Input("schemas")
"""The kinds of all sources."""

OMIT_ENABLED: Input[bool] = Input("omit_enabled")
"""Whether the cluster's feature gate for omit() is on."""

OUTER_IDS: Input[frozenset[str]] = Input("outer_ids")
"""The ids of nodes outside of a child graph."""


@Query
def declarations(reader: Reader) -> dict[str, Declaration]:
    """Return the declarations of the ids."""
    found: dict[str, Declaration] = table(reader).declarations
    return found


@Query
def dependencies(reader: Reader) -> Dependencies:
    """Return the ids that each resource depends on; of several resources with one id, the first counts."""
    found: Dependencies = table(reader).dependencies
    return found


@Query
def graph(reader: Reader) -> Graph:
    """Return the dependencies among the resources as a graph."""
    return Graph(dependencies(reader))


@Query
def cycles(reader: Reader) -> tuple[tuple[str, ...], ...]:
    """Return the cycles among the resources; in most definitions, their order shows that there are none."""
    return () if table(reader).is_in_order else graph(reader).cycles


@Query
def candidates(reader: Reader) -> Candidates:
    """Return the ids that an undeclared name may mean."""
    found, outer = table(reader), OUTER_IDS(reader)
    if not found.declarations and not outer:
        return NO_CANDIDATES
    return Candidates(found.blocks, tuple(sorted(found.undeclared_in(outer))))


@Query
def has_anonymous(reader: Reader) -> bool:
    """Return whether an undeclared name may mean a resource whose id is missing, unusable or taken."""
    return table(reader).has_anonymous or misplaces_resources(RGD(reader))


@Query
def is_unfinished(reader: Reader) -> bool:
    """Return whether there are no resources, or one without a kind."""
    return table(reader).is_unfinished


@Query
def is_schema_damaged(reader: Reader) -> bool:
    """Return whether YAML cannot read all of `spec.schema`, so that a field may be missing."""
    schema = RGD(reader).schema
    return schema is not None and any(each.code != "duplicate-key" for each in schema.placed.chunk.errors)


@Query
def is_cluster_scoped(reader: Reader) -> bool:
    """Return whether instances have no namespace."""
    section = SECTION(reader)
    return section is not None and section.scope == "Cluster"


@Query
def kinds(reader: Reader) -> dict[KindName, KindSchema | None]:
    """Return the kinds that resources name; None for one that no source has."""
    schemas = SCHEMAS(reader)
    return {name: schemas.find_api_version(*name) for name in table(reader).kinds}


class MissingKind(Struct, frozen=True, gc=False):
    """A kind that no source has. `is_kubernetes`: its group and version are Kubernetes' own, so it does not exist.

    `similar` are kinds that may be meant; `lifetime` is when other versions of Kubernetes have the kind.
    """

    api_version: str
    kind: str
    is_kubernetes: bool
    similar: tuple[GroupVersionKind, ...]
    lifetime: Lifetime | None


@Query
def missing_kinds(reader: Reader) -> dict[KindName, MissingKind]:
    """Return the kinds that resources name and no source has."""
    missing = sorted(name for name, kind in kinds(reader).items() if kind is None)
    return {name: _missing(reader, name) for name in missing}


def _missing(reader: Reader, name: KindName) -> MissingKind:
    schemas = SCHEMAS(reader)
    group, _, version = name[0].rpartition("/")
    lifetime = schemas.lifetime(group, version, name[1])
    return MissingKind(
        *name,
        is_kubernetes=lifetime is not None or schemas.is_kubernetes_group(group, version),
        similar=similar_kinds(reader, name),
        lifetime=lifetime,
    )


def similar_kinds(reader: Reader, name: KindName) -> tuple[GroupVersionKind, ...]:
    """Return the kinds that may have been meant. Never the RGD's own: an instance would create the next."""
    group, _, version = name[0].rpartition("/")
    found = SCHEMAS(reader).similar(group, version, name[1])
    section = SECTION(reader)
    if section is None:
        return found
    return tuple(each for each in found if (each.group, each.kind) != (section.group, section.kind))


Value = TypeVar("Value")

Values: TypeAlias = "tuple[tuple[int, tuple[Value, ...]], ...]"
"""Values of consecutive resources, with the number of the first; those that are all empty are left out."""


class Column(Generic[Value]):
    """A value of each resource. Most are empty, and most edits change one of them."""

    def __init__(self, of_blocks: Callable[[Reader, tuple[Block[Resource], ...]], Iterable[tuple[Value, ...]]]) -> None:
        @Query
        def of_all(reader: Reader) -> Values[Value]:
            parts = PARTS(reader)
            values = zip(parts.starts, of_blocks(reader, parts.blocks), strict=False)
            return tuple([(start, each) for start, each in values if each])

        self._query = of_all

    def __call__(self, reader: Reader) -> Values[Value]:
        """Return the values."""
        return self._query(reader)

    def present(self, reader: Reader) -> Iterator[tuple[int, Value]]:
        """Yield the values that are not empty, each with the number of its resource."""
        for start, values in self(reader):
            for number, value in enumerate(values, start):
                if value:
                    yield number, value


def queried_column(function: Callable[[Reader, Resource], Value]) -> Column[Value]:
    """Return a column of values that depend on the rest of the definition."""
    of_resource = OwnedQuery(function)

    @OwnedQuery
    def of_block(reader: Reader, block: Block[Resource]) -> tuple[Value, ...]:
        if reader.revision.is_final:  # each value is asked for once, so it is not stored
            values = tuple([function(reader, each) for each in block])
        else:
            values = tuple(of_resource.each(reader, block))
        return values if any(values) else ()

    return Column(of_block.each)


def derived_column(function: Callable[[Resource], Value]) -> Column[Value]:
    """Return a column of values that depend on the resource alone, and are cached by it."""

    @cached
    def of_block(block: Block[Resource]) -> tuple[Value, ...]:
        values = tuple(map(function, block))
        return values if any(values) else ()

    return Column(lambda _, blocks: map(of_block, blocks))
