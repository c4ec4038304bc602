"""The inputs of the queries about one RGD, and what its parts declare for each other.

What an edit leaves equal stops here: a query that read one declaration does not notice that another one changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.candidates import NO_CANDIDATES, Candidates
from kro_ls.analysis.facts import Declaration, FactTable, block_facts
from kro_ls.analysis.names.dependency_graph import Dependencies, Graph
from kro_ls.queries.engine import Input, Query

if TYPE_CHECKING:
    from kro_ls.analysis.facts import KindName
    from kro_ls.analysis.model.model import Resource, ResourceGraphDefinition, SchemaSection
    from kro_ls.kro.definition_form import DefinitionForm
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.kind_schema import KindSchema
    from kro_ls.queries.engine import Reader
    from kro_ls.yaml_positions.blocks import Blocks
    from kro_ls.yaml_positions.chunks import Chunk

RGD: Input[ResourceGraphDefinition] = Input("rgd")
"""The whole definition, another one after each edit. What reads it runs after each edit."""

PARTS: Input[Blocks[Resource]] = Input("parts")
"""Its resources."""

FRAME: Input[Chunk] = Input("frame")
"""The part of its text that holds its own top-level keys."""

FORM: Input[DefinitionForm] = Input("form")
"""The kind of definition that it is."""

SECTION: Input[SchemaSection | None] = Input("section")
"""Its schema section."""

SCHEMAS: Input[SchemaIndex] = Input("schemas")
"""The known kinds."""

MISPLACES_RESOURCES: Input[bool] = Input("misplaces_resources")
"""Whether resources stand where kro does not look for them."""

SCHEMA_DAMAGED: Input[bool] = Input("schema_damaged")
"""Whether YAML cannot read all of `spec.schema`, so that a field may be missing."""

OMIT_ENABLED: Input[bool] = Input("omit_enabled")
"""Whether the cluster's feature gate for omit() is on."""

OUTER_IDS: Input[frozenset[str]] = Input("outer_ids")
"""The ids of nodes outside of a child graph."""


@Query
def table(reader: Reader) -> FactTable:
    """Return the facts of the resources."""
    return FactTable(tuple([block_facts(block) for block in PARTS(reader).blocks]))


@Query
def declarations(reader: Reader) -> dict[str, Declaration]:
    """Return what the ids mean for others."""
    found: dict[str, Declaration] = table(reader).declarations
    return found


@Query
def dependencies(reader: Reader) -> Dependencies:
    """Return the ids that each resource depends on; of several resources with one id, the first counts."""
    found: Dependencies = table(reader).dependencies
    return found


@Query
def is_in_order(reader: Reader) -> bool:
    """Return whether each resource is known to depend on earlier ones alone."""
    found: bool = table(reader).is_in_order
    return found


@Query
def graph(reader: Reader) -> Graph:
    """Return the dependencies among the resources as a graph."""
    return Graph(dependencies(reader), is_in_order=is_in_order(reader))


@Query
def candidates(reader: Reader) -> Candidates:
    """Return the ids that a name may mean which nothing declares."""
    found, outer = table(reader), OUTER_IDS(reader)
    if not found.numbers and not outer:
        return NO_CANDIDATES
    return Candidates(found.blocks, tuple(sorted(outer.difference(found.numbers))))


@Query
def aliased(reader: Reader) -> frozenset[str | None]:
    """Return the ids of collections that have a further name."""
    found: frozenset[str | None] = table(reader).aliased
    return found


@Query
def has_anonymous(reader: Reader) -> bool:
    """Return whether a name that nothing declares may mean a resource whose id is missing, unusable or taken."""
    return MISPLACES_RESOURCES(reader) or table(reader).has_anonymous


@Query
def is_unfinished(reader: Reader) -> bool:
    """Return whether there are no resources, or one that does not say yet what it is."""
    return table(reader).is_unfinished


@Query
def is_cluster_scoped(reader: Reader) -> bool:
    """Return whether instances have no namespace."""
    section = SECTION(reader)
    return section is not None and section.scope == "Cluster"


@Query
def object_meta(reader: Reader) -> JsonObject:
    """Return the schema of the `metadata` of every object."""
    return SCHEMAS(reader).object_meta


class Kinds:
    """The known kinds by the names that objects give them. `get` is the form in which the engine asks for entries."""

    def __init__(self, schemas: SchemaIndex) -> None:
        self._schemas = schemas
        self._found: dict[KindName, KindSchema | None] = {}

    def get(self, name: KindName, /) -> KindSchema | None:
        """Return a kind, None where no source has it."""
        if name not in self._found:
            self._found[name] = self._schemas.find_api_version(*name)
        return self._found[name]


@Query
def kinds(reader: Reader) -> Kinds:
    """Return the known kinds."""
    return Kinds(SCHEMAS(reader))
