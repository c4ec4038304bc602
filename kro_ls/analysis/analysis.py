"""Analyses the RGDs of a text: the model, the graph, and what each part needs to know of the others.

An analysis is a value: it depends on the text, kro's feature gates and the kinds of all sources alone.
`rules.diagnosis` reports what is wrong with it. It can be computed from the analysis before an edit, and is then equal
to a fresh one, but shares the objects of the chunks that the edit did not change (`yaml_positions.documents.stream`).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from kro_ls.analysis.definition_queries import (
    FORM,
    FRAME,
    IS_DAMAGED,
    OMIT_ENABLED,
    OUTER_IDS,
    RGD,
    SCHEMAS,
    SECTION,
    cycles,
    graph,
    kinds,
    missing_kinds,
    similar_kinds,
)
from kro_ls.analysis.facts import PARTS, FactTable, instance_paths, kind_name, table
from kro_ls.analysis.model.model import PlacedResource
from kro_ls.analysis.model.reading import (
    CUTS,
    MOST_DOCUMENTS,
    form_of,
    read,
    unread_documents,
    with_list_items,
)
from kro_ls.analysis.model.templates import NO_ACTIONS, Actions, is_broken_by_actions, masked
from kro_ls.analysis.names.references import names
from kro_ls.analysis.scope import bindings_of, instance, kind_of, typed_scope_of
from kro_ls.kro.controller import OMIT
from kro_ls.kro.forms import API_VERSION, GRAPH_FORM, KIND
from kro_ls.kro.schema_index import schema_index
from kro_ls.kro.versions.dialect import dialect_with
from kro_ls.kro.versions.history import FORMER_KIND
from kro_ls.openapi.sources.bundled import kubernetes
from kro_ls.queries.cells import set_of
from kro_ls.queries.engine import Revision
from kro_ls.yaml_positions.documents.stream import YamlStream, parse_stream, reparse
from kro_ls.yaml_positions.text import Change, Text, holds

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kro_ls.analysis.definition_queries import MissingKind
    from kro_ls.analysis.facts import FieldNames, KindName
    from kro_ls.analysis.model.model import Resource, ResourceGraphDefinition, SchemaSection
    from kro_ls.analysis.names.dependency_graph import Graph
    from kro_ls.analysis.scope import TypedScope
    from kro_ls.analysis.types.variables import Bindings
    from kro_ls.kro.forms import DefinitionForm
    from kro_ls.openapi.cel_types import SchemaRoot
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.kind_schema import GroupVersionKind, KindSchema
    from kro_ls.queries.cells import Blocks, Cells
    from kro_ls.queries.engine import Input, Reader
    from kro_ls.yaml_positions.documents.chunks import Chunk


class ResourcesById(Mapping[str, "PlacedResource"]):
    """The first resource with each id, in the order of `spec.resources`."""

    def __init__(self, rgd: ResourceGraphDefinition, table: FactTable) -> None:
        self._rgd = rgd
        self._numbers: dict[str, int] = table.numbers

    def __getitem__(self, name: str) -> PlacedResource:
        number = self._numbers[name]
        return PlacedResource(self._rgd.places[number], self._rgd.parts[number])

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)


class RgdAnalysis(Struct, frozen=True, eq=False):
    """The analysis of one RGD document, of a Graph, or of a child graph in the Graph `outer`.

    All of it comes from queries, which `reader` reads; in a query, it records them.
    """

    reader: Reader
    outer: RgdAnalysis | None = None
    cells: Cells = msgspec.field(default_factory=dict)

    @property
    def rgd(self) -> ResourceGraphDefinition:
        """The definition itself."""
        return RGD(self.reader)

    @property
    def parts(self) -> Blocks[Resource]:
        """The resources, in the order of `spec.resources`."""
        return PARTS(self.reader)

    @property
    def frame(self) -> Chunk:
        """The part of the text that holds the definition's own top-level keys."""
        return FRAME(self.reader)

    @property
    def form(self) -> DefinitionForm:
        """The kind of definition that it is."""
        return FORM(self.reader)

    @property
    def section(self) -> SchemaSection | None:
        """The schema section."""
        return SECTION(self.reader)

    @property
    def schemas(self) -> SchemaIndex:
        """The kinds of all sources."""
        return SCHEMAS(self.reader)

    @property
    def table(self) -> FactTable:
        """The facts of all resources."""
        return table(self.reader)

    @property
    def resources(self) -> ResourcesById:
        """The resources that expressions can refer to, by id."""
        return ResourcesById(self.rgd, self.table)

    @property
    def graph(self) -> Graph:
        """The dependencies among these resources."""
        return graph(self.reader)

    @property
    def cycles(self) -> tuple[tuple[str, ...], ...]:
        """The cycles among these resources."""
        return cycles(self.reader)

    @property
    def instance(self) -> SchemaRoot | None:
        """The instance with all fields, which `schema` means; None without a schema section."""
        return instance(self.reader)

    def scope(self, part: Resource | SchemaSection) -> TypedScope:
        """Return what the check of a part depends on."""
        return typed_scope_of(self.reader, part)

    def bindings(self, part: Resource | SchemaSection, names: Iterable[str]) -> Bindings:
        """Return the bindings of those of some names that the RGD declares for a part."""
        return bindings_of(self.reader, part, names)

    def kind(self, resource: Resource) -> KindSchema | None:
        """Return the kind of a resource's object, None where it is unknown or not said."""
        return kind_of(self.reader, kind_name(resource))

    def find_kind(self, name: KindName) -> KindSchema | None:
        """Return a kind of any name that an object may give it, None where it is unknown."""
        return self.schemas.find_api_version(*name)

    @property
    def kinds(self) -> dict[KindName, KindSchema | None]:
        """The kinds that resources name; None for one that no source has."""
        return kinds(self.reader)

    @property
    def missing_kinds(self) -> dict[KindName, MissingKind]:
        """The kinds that resources name and no source has."""
        return missing_kinds(self.reader)

    def similar_kinds(self, name: KindName) -> tuple[GroupVersionKind, ...]:
        """Return the kinds that may have been meant by a name."""
        return similar_kinds(self.reader, name)

    def has_kinds_of(self, schemas: SchemaIndex) -> bool:
        """Whether every kind that resources name is the same, or missing, in another index."""
        if schemas.object_meta is not self.schemas.object_meta:
            return False
        return all(schemas.find_api_version(*name) is kind for name, kind in self.kinds.items())

    @property
    def section_names(self) -> frozenset[str]:
        """As `names` of the schema section; none without one."""
        return names(self.section) if self.section else set_of(())

    @property
    def section_reads(self) -> frozenset[FieldNames]:
        """As `instance_paths` of the schema section; none without one."""
        return instance_paths(self.section) if self.section else set_of(())


class Analysis(Struct, frozen=True, eq=False):
    """The analysis of a text. `stream` has no documents where no RGD can be in the text.

    Of a template, which has `actions`, the stream is that of the text without them. `features` are the feature gates of
    kro that are on, and the names of `kro.versions.dialect`.
    """

    text: Text
    stream: YamlStream
    rgds: tuple[RgdAnalysis, ...]
    actions: Actions = NO_ACTIONS
    features: frozenset[str] = frozenset()


class Edited(Struct, frozen=True):
    """An analysis, and the change of its text since."""

    analysis: Analysis
    change: Change


_ACTION = "{{"

_SMALL = 20_000
"""Characters below which a final text is parsed whole; a larger one may repeat parts, which cuts parse only once."""


def may_hold_rgd(content: str) -> bool:
    """Whether a text may have an RGD: cheap, and true for every text that has one."""
    if holds(content, KIND) or holds(content, FORMER_KIND):
        return True
    return holds(content, GRAPH_FORM.kind) and holds(content, API_VERSION)


@lru_cache(maxsize=1)  # built once, from the package
def default_schemas() -> SchemaIndex:
    """Return the kinds of the newest bundled Kubernetes and of kro, and no custom kind."""
    return schema_index(kubernetes())


def analyze(
    text: Text,
    schemas: SchemaIndex | None = None,
    features: frozenset[str] = frozenset(),
    before: Edited | None = None,
    *,
    is_final: bool = False,
) -> Analysis:
    """Return the analysis of a text; documents that are not RGDs are left alone.

    `features` are the feature gates of kro that are on, and the names of `kro.versions.dialect`. `before` is the
    previous analysis, if there is one: it saves time and does not change the result. A text that `is_final` is
    rarely edited, so nothing is prepared for edits.
    """
    if not may_hold_rgd(text.content):
        return Analysis(text, YamlStream(text, ()), (), features=features)
    previous = before.analysis.rgds if before and before.analysis.features == features else ()
    stream, actions = _parsed(text, before, is_final=is_final)
    index = schemas or default_schemas()
    unread = unread_documents(stream)
    documents = [each for each in stream.documents if form_of(each) and each.start not in unread]
    matching = previous if len(previous) == len(documents) else (None,) * len(documents)
    is_same = before is not None and before.analysis.stream is stream
    return Analysis(
        text,
        stream,
        tuple(
            _analyze_rgd(
                each.rgd if each and is_same else read(document, each.rgd if each else None, dialect_with(features)),
                features,
                index,
                each,
                is_final=is_final,
            )
            for document, each in zip(documents, matching, strict=True)
        ),
        actions,
        features,
    )


def _parsed(text: Text, before: Edited | None, *, is_final: bool) -> tuple[YamlStream, Actions]:
    """Return the documents of a text, of a template those without its actions, and the actions."""
    if before and before.analysis.text is text:
        return before.analysis.stream, before.analysis.actions
    if before and before.analysis.stream.documents and not before.analysis.actions.spans:
        stream = reparse(before.analysis.stream, text, before.change, CUTS, MOST_DOCUMENTS)
    else:
        stream = _parsed_afresh(text, is_final=is_final)
    actions = NO_ACTIONS
    if text.contains(_ACTION) and is_broken_by_actions(stream):
        content, actions = masked(text.content)
        stream = parse_stream(Text(content), CUTS, MOST_DOCUMENTS)
    return with_list_items(stream), actions


def _parsed_afresh(text: Text, *, is_final: bool) -> YamlStream:
    """Return the documents of a text; a sound one is read the same with cuts and without them."""
    if is_final and len(text.content) < _SMALL:
        stream = parse_stream(text, (), MOST_DOCUMENTS)
        if not stream.errors:
            return stream
    return parse_stream(text, CUTS, MOST_DOCUMENTS)


def _analyze_rgd(
    rgd: ResourceGraphDefinition,
    features: frozenset[str],
    schemas: SchemaIndex,
    before: RgdAnalysis | None,
    *,
    is_final: bool,
) -> RgdAnalysis:
    inputs: dict[Input[Any], Any] = {
        RGD: rgd,
        PARTS: rgd.parts,
        IS_DAMAGED: bool(rgd.document.damaged),
        FRAME: rgd.frame.chunk,
        FORM: rgd.form,
        SECTION: rgd.schema.section if rgd.schema else None,
        SCHEMAS: schemas,
        OMIT_ENABLED: OMIT.name in features,
        OUTER_IDS: set_of(()),
    }
    if before is None or is_final:
        revision = Revision(inputs, is_final=is_final)
    else:
        revision = before.reader.revision.changed(inputs)
    return RgdAnalysis(revision.reader())
