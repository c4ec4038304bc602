"""Analyses the RGDs of a text: the model, the graph, and what each part needs to know of the others.

An analysis is a value: it depends on the text, kro's feature gates and the known kinds alone. What is wrong with it is
for `rules.diagnosis` to say. It can be made from the analysis before an edit, and is then the same as a fresh one, but
what the edit did not change are the same objects: `yaml_positions.reparse` says which chunks these are.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

import msgspec
from msgspec import Struct

from kro_ls.analysis.facts import FactTable, FieldNames, instance_paths, is_readable
from kro_ls.analysis.model.documents import unread_documents, with_list_items
from kro_ls.analysis.model.misplaced import misplaces_resources
from kro_ls.analysis.model.reading import CUTS, MOST_DOCUMENTS, form_of, read
from kro_ls.analysis.model.sections import CutSection, SectionEntry
from kro_ls.analysis.model.templates import NO_ACTIONS, Actions, is_broken_by_actions, masked
from kro_ls.analysis.names.references import foreign_names, names
from kro_ls.analysis.scoped import Changes, ScopedParts, scoped_parts
from kro_ls.analysis.surroundings import Declarations, Surroundings
from kro_ls.kro.definition import API_VERSION, GRAPH_FORM, KIND
from kro_ls.kro.feature_gates import OMIT
from kro_ls.kro.kinds import schema_index
from kro_ls.kro.versions.dialect import dialect_with
from kro_ls.kro.versions.history import FORMER_KIND
from kro_ls.openapi.sources.bundled import kubernetes
from kro_ls.yaml_positions.blocks import Blocks
from kro_ls.yaml_positions.reparse import Change, reparse
from kro_ls.yaml_positions.stream import YamlStream, parse_stream
from kro_ls.yaml_positions.stretches import holds
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kro_ls.analysis.memory import Memory
    from kro_ls.analysis.model.model import PlacedResource, Resource, ResourceGraphDefinition, SchemaSection
    from kro_ls.analysis.names.graph import Graph
    from kro_ls.analysis.summary import Block
    from kro_ls.openapi.index import SchemaIndex


Name = TypeVar("Name", str, FieldNames)


class ResourcesById(Mapping[str, "PlacedResource"]):
    """The first resource with each id, in the order of `spec.resources`."""

    def __init__(self, rgd: ResourceGraphDefinition, table: FactTable) -> None:
        self._resources = rgd.resources
        self._numbers = table.numbers

    def __getitem__(self, name: str) -> PlacedResource:
        return self._resources[self._numbers[name]]

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)


class RgdAnalysis(Struct, frozen=True, eq=False):
    """What is known of one RGD document, or of a Graph, or of a child graph in another one, which is then `outer`.

    `outputs` are the entries of the status where these are parts of their own.
    """

    rgd: ResourceGraphDefinition
    scoped: ScopedParts[Resource]
    outputs: ScopedParts[SectionEntry] | None = None
    outer: RgdAnalysis | None = None
    memory: Memory = msgspec.field(default_factory=dict)

    @property
    def surroundings(self) -> Surroundings:
        """What each part can use, and what it is."""
        return self.scoped.surroundings

    @property
    def table(self) -> FactTable:
        """The facts of all resources."""
        return self.surroundings.declarations.table

    @property
    def resources(self) -> ResourcesById:
        """The resources that expressions can refer to, by id."""
        return ResourcesById(self.rgd, self.table)

    @property
    def graph(self) -> Graph:
        """The dependencies among these resources."""
        return self.table.graph

    @property
    def section_foreign_names(self) -> frozenset[str]:
        """As `foreign_names` of the schema section; none without one."""
        return self._of_section(foreign_names, lambda block: block.foreign)

    @property
    def section_names(self) -> frozenset[str]:
        """As `names` of the schema section; none without one."""
        return self._of_section(names, lambda block: block.names)

    @property
    def section_reads(self) -> frozenset[FieldNames]:
        """As `instance_paths` of the schema section; none without one."""
        return self._of_section(instance_paths, lambda block: block.summary.reads)

    def _of_section(
        self, of_part: Callable[[SchemaSection], frozenset[Name]], of_block: Callable[[Block], frozenset[Name]]
    ) -> frozenset[Name]:
        section = self.surroundings.declarations.section
        if isinstance(section, CutSection) and self.outputs:
            return of_part(section.head).union(*map(of_block, self.outputs.table.blocks))
        return of_part(section) if section else frozenset()

    @property
    def is_section_readable(self) -> bool:
        """As `is_readable` of the schema section; true without one."""
        section = self.surroundings.declarations.section
        if isinstance(section, CutSection) and self.outputs:
            return is_readable(section.head) and self.outputs.table.summary.is_readable
        return section is None or is_readable(section)


class Analysis(Struct, frozen=True, eq=False):
    """What is known of a text. `stream` has no documents where no RGD can be in the text.

    Of a template, which has `actions`, the stream is that of the text without them. `features` are the feature gates of
    kro that are on, and the names of `kro.versions.dialect`.
    """

    text: Text
    stream: YamlStream
    rgds: tuple[RgdAnalysis, ...]
    actions: Actions = NO_ACTIONS
    features: frozenset[str] = frozenset()


class Edited(Struct, frozen=True):
    """An analysis and what was done to its text since."""

    analysis: Analysis
    change: Change


_ACTION = "{{"


def may_hold_rgd(content: str) -> bool:
    """Whether a text is worth analysing: cheap, and never wrong about a text that does hold an RGD."""
    if holds(content, KIND) or holds(content, FORMER_KIND):
        return True
    return holds(content, GRAPH_FORM.kind) and holds(content, API_VERSION)


@lru_cache(maxsize=1)
def default_schemas() -> SchemaIndex:
    """Return the kinds of the newest bundled Kubernetes and of kro, and no custom kind."""
    return schema_index(kubernetes())


def analyze(
    text: Text,
    schemas: SchemaIndex | None = None,
    features: frozenset[str] = frozenset(),
    before: Edited | None = None,
) -> Analysis:
    """Return the analysis of a text; documents that are not RGDs are left alone.

    `features` are the feature gates of kro that are on, and the names of `kro.versions.dialect`. `before` is an
    earlier analysis, if there is one: it makes this quicker and changes nothing.
    """
    if not may_hold_rgd(text.content):
        return Analysis(text, YamlStream(text, ()), (), features=features)
    earlier = before.analysis.rgds if before and before.analysis.features == features else ()
    stream, actions = _parsed(text, before)
    index = schemas or default_schemas()
    unread = unread_documents(stream)
    documents = [each for each in stream.documents if form_of(each) and each.start not in unread]
    known = earlier if len(earlier) == len(documents) else (None,) * len(documents)
    return Analysis(
        text,
        stream,
        tuple(
            _analyze_rgd(
                read(document, each.rgd if each else None, dialect_with(features)),
                features,
                index,
                each,
            )
            for document, each in zip(documents, known, strict=True)
        ),
        actions,
        features,
    )


def _parsed(text: Text, before: Edited | None) -> tuple[YamlStream, Actions]:
    """Return the documents of a text, of a template those without its actions, and the actions."""
    if before and before.analysis.text is text:
        return before.analysis.stream, before.analysis.actions
    if before and before.analysis.stream.documents and not before.analysis.actions.spans:
        stream = reparse(before.analysis.stream, text, before.change, CUTS, MOST_DOCUMENTS)
    else:
        stream = parse_stream(text, CUTS, MOST_DOCUMENTS)
    actions = NO_ACTIONS
    if text.contains(_ACTION) and is_broken_by_actions(stream):
        content, actions = masked(text.content)
        stream = parse_stream(Text(content), CUTS, MOST_DOCUMENTS)
    return with_list_items(stream), actions


def _analyze_rgd(
    rgd: ResourceGraphDefinition,
    features: frozenset[str],
    schemas: SchemaIndex,
    before: RgdAnalysis | None,
) -> RgdAnalysis:
    declarations = Declarations(
        FactTable.of(rgd.parts, before.rgd.parts if before else Blocks(), before.table if before else None),
        rgd.schema.section if rgd.schema else None,
        misplaces_resources(rgd),
        rgd.schema is not None and any(each.code != "duplicate-key" for each in rgd.schema.placed.chunk.errors),
        OMIT.name in features,
    )
    surroundings = before.surroundings if before else None
    if surroundings is None or not surroundings.are_of(declarations, schemas):
        surroundings = Surroundings(declarations, schemas, surroundings)
    changes = Changes(surroundings, before.surroundings if before else None)
    scoped = scoped_parts(rgd.parts, declarations.table, changes, before.scoped if before else None)
    return RgdAnalysis(rgd, scoped, _scoped_outputs(changes, before.outputs if before else None))


def _scoped_outputs(changes: Changes, before: ScopedParts[SectionEntry] | None) -> ScopedParts[SectionEntry] | None:
    section = changes.now.declarations.section
    if not isinstance(section, CutSection):
        return None
    known, table = (before.parts, before.table) if before else (Blocks[SectionEntry](), None)
    return scoped_parts(section.outputs, FactTable.of_outputs(section.outputs, known, table), changes, before)
