"""Documents as values: an edit gives a new one, whose analysis is computed on demand and cached.

Beside RGDs a text may hold documents with a known schema: instances, settings, tests, observed objects.
"""

from __future__ import annotations

import re
import time
from itertools import zip_longest
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.analysis.analysis import Analysis, Edited, analyze, default_schemas
from kro_ls.analysis.model.reading import is_rgd
from kro_ls.queries.cells import cached_attribute
from kro_ls.rules.diagnosis import DEFAULT_SETTINGS, Diagnosis, diagnose, lowered, prepare, refuted_by
from kro_ls.rules.diagnostics import Severity
from kro_ls.workspace.file_schemas import PROJECT_FILE, TEST_ENDINGS, schema_of_tests
from kro_ls.workspace.observed_objects import SCHEME, observed_schema
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.nodes import field, text_of
from kro_ls.yaml_positions.positions import PositionEncoding
from kro_ls.yaml_positions.text import Change

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.kind_schema import Choice, KindSchema
    from kro_ls.queries.cells import Cells
    from kro_ls.rules.files.definitions_together import KindElsewhere, ObjectElsewhere
    from kro_ls.rules.files.failing_test import TestedDefinition
    from kro_ls.rules.files.missing_permission import GrantingRole
    from kro_ls.rules.files.substituted_expression import Substitution
    from kro_ls.rules.settings import Settings
    from kro_ls.workspace.evolution import Baseline
    from kro_ls.yaml_positions.documents.document import YamlDocument
    from kro_ls.yaml_positions.nodes import Node
    from kro_ls.yaml_positions.text import Text


class Beside(Struct, frozen=True):
    """What other files say about the definitions of a file; a document is checked again when this differs by value.

    `substitution` says what Flux or a script replaces in it. `taken` are its kinds that definitions of other files also
    declare, `circles` those in a circle with kinds of other files. `objects` are objects of other files with the name
    of one of its own. `roles` are all those that kro's chart aggregates.
    """

    substitution: Substitution | None = None
    taken: tuple[KindElsewhere, ...] = ()
    circles: tuple[KindElsewhere, ...] = ()
    objects: tuple[ObjectElsewhere, ...] = ()
    roles: tuple[GrantingRole, ...] = ()


NOTHING_BESIDE = Beside()


LONG_SECONDS = 0.03
"""In processor time: users would notice longer work in other documents."""

# About 250 lines.
_LARGE = 10_000
_ALWAYS_SLOW = 500_000
"""Characters. Every request about a longer text is slow, even a list of its parts."""

_ALLOWED = "with the nearest definition of the kind; another one in the workspace allows it"
_NO_CHANGE = Change(0, 0, 0)
_BEFORE = "before"
_ANALYSIS = "analysis"
_ANALYSIS_SECONDS = "seconds"
_TAKES_LONG = "takes_long"
_ALIAS = r"[:\-,\[{][ \t]*\*[^\s*]"


class Edit(Struct, frozen=True):
    """One change: the new text of a range in the client's units, or of the whole document where `start` is None."""

    text: str
    start: tuple[int, int] | None = None
    end: tuple[int, int] | None = None


class Described(Struct, frozen=True, eq=False):
    """A YAML document and its schema. `kind` is that of an instance, None for a file of ours; `choice` has the
    definitions of the kind if there are several.

    With `is_observed` it is the state of an object in a cluster, which is checked as the API server checks it. `tested`
    is the definition that a test file is about.
    """

    document: YamlDocument
    schema: JsonObject
    kind: KindSchema | None = None
    choice: Choice | None = None
    is_observed: bool = False
    tested: TestedDefinition | None = None


class Document(Struct, frozen=True, eq=False, dict=True, weakref=True):
    """One version of an open document.

    Lines and characters of the client are 0-based; characters count code units of `encoding`. `version` is its own,
    None for a document without versions. `change` is the edit that led from the previous version to this one.
    """

    uri: str
    version: int | None
    text: Text
    encoding: PositionEncoding = PositionEncoding.UTF16
    settings: Settings = DEFAULT_SETTINGS
    schemas: SchemaIndex | None = None
    other_schemas: tuple[SchemaIndex, ...] = ()
    """The kinds with each of the other definitions where several files define one."""
    beside: Beside = NOTHING_BESIDE
    baseline: Baseline | None = None
    """The definitions in the commit that the user compares with."""
    tested: tuple[TestedDefinition | None, ...] = ()
    """The definitions that the YAML documents of a test file are about."""
    instance_of: KindSchema | None = None
    """The kind of the instance in the text, whatever the text says; None if the text decides."""
    change: Change = _NO_CHANGE
    is_renewed: bool = False
    """Whether only settings or kinds differ from the previous version."""
    is_final: bool = False
    """Whether there will be no other version, as of a file that a command checks."""
    path: str | None = None
    """The path of the file that the URI names, if it names one; the URI of a file that a command checks is its path."""

    @property
    def name(self) -> str:
        """The path of the file, or the URI if there is none."""
        return self.path or self.uri

    @cached_attribute  # not a field, which another version would get
    def cells(self) -> Cells:
        """Results about this version."""
        return {}

    @cached_attribute
    def analysis(self) -> Analysis:
        """The analysis of this version, computed on first use. Without `schemas` custom kinds are unknown."""
        if self.is_final:  # its time is not needed, and may be slow to measure
            return analyze(self.text, self.schemas, self.settings.features, is_final=True)
        started = time.thread_time()
        found = analyze(self.text, self.schemas, self.settings.features, self._before)
        self.__dict__[_ANALYSIS_SECONDS] = time.thread_time() - started
        return found

    @property
    def is_analysed(self) -> bool:
        """Whether the analysis is cached."""
        return _ANALYSIS in self.__dict__

    @cached_attribute
    def diagnosis(self) -> Diagnosis:
        """The diagnosis of this version, computed on first use."""
        return self._agreed(diagnose(self.analysis, self.settings))

    @property
    def _before(self) -> Edited | None:
        return self.__dict__.get(_BEFORE)

    def without_before(self) -> Edited | None:
        """Remove and return the previous analysis, if this version has its diagnosis.

        The caller must drop the result. It is the last reference to the previous version, so freeing it can be slow.
        """
        return self.__dict__.pop(_BEFORE, None) if "diagnosis" in self.__dict__ else None

    def _agreed(self, found: Diagnosis) -> Diagnosis:
        for schemas in self.other_schemas:  # any of the definitions may be in the cluster
            refuted = refuted_by(schemas, found.diagnostics, found.analysis, self.settings)
            diagnostics = lowered(found.diagnostics, dict.fromkeys(refuted, _ALLOWED), Severity.INFORMATION)
            found = replace(found, diagnostics=diagnostics)
        return found

    @cached_attribute
    def described(self) -> tuple[Described, ...]:
        """The documents in the text that are not RGDs and have a known schema."""
        if kind := self.instance_of:
            return (Described(parse_stream(self.text).documents[0], kind.schema, kind),)
        return described_documents(self.analysis, self.uri, self.schemas, self.tested)

    @property
    def analysis_seconds(self) -> float:
        """The processor time of the analysis; 0 if it was computed in steps or not yet."""
        seconds: float = self.__dict__.get(_ANALYSIS_SECONDS, 0.0)
        return seconds

    def is_slow(self, *, about_all: bool = False) -> bool:
        """Whether a job about this version, `about_all` of its text or a place, could delay other documents."""
        length = len(self.text.content)
        return (
            self.__dict__.get(_TAKES_LONG, False)
            or self.change.length > _LARGE
            or length > (_LARGE if about_all else _ALWAYS_SLOW)
            or self.is_cold
        )

    @property
    def is_cold(self) -> bool:
        """Whether a diagnosis of this version may be slow: nothing is cached, and the text is large or has aliases."""
        if self._before is not None or "diagnosis" in self.__dict__:  # the usual case, several times per edit
            return False
        content = self.text.content
        return len(content) > _LARGE or re.search(_ALIAS, content) is not None

    def took(self, seconds: float) -> None:
        """Record the processor time of a diagnosis and its analysis: the next one is likely to take as long.

        After a change of kinds alone a diagnosis is quick, which says nothing about other jobs.
        """
        if seconds > LONG_SECONDS:
            self.__dict__[_TAKES_LONG] = True
        elif not self.is_renewed:
            self.__dict__[_TAKES_LONG] = False

    def prepared(self) -> Iterator[Diagnosis | None]:
        """Compute the diagnosis in small steps, and yield intermediate results that can be shown.

        Results stay cached as long as the iterator is referenced.
        """
        if self._before:
            yield self.diagnosis
            return
        diagnosis = None
        for step in prepare(self.text, self.settings, self.schemas):
            diagnosis = step if isinstance(step, Diagnosis) else None
            if isinstance(step, Analysis):
                self.__dict__[_ANALYSIS] = step
            yield diagnosis
        if diagnosis is not None:
            self.__dict__.update(analysis=diagnosis.analysis, diagnosis=self._agreed(diagnosis))

    def compared(self, baseline: Baseline | None) -> Document:
        """Return the same version with another baseline and all cached results."""
        compared = replace(self, baseline=baseline)
        compared.__dict__.update(self.__dict__)
        return compared

    def testing(self, tested: tuple[TestedDefinition | None, ...]) -> Document:
        """Return the same version of a test file with the current state of its definitions."""
        changed = replace(self, tested=tested)
        changed.__dict__.update({name: value for name, value in self.__dict__.items() if name != "described"})
        return changed

    def renewed(
        self,
        *,
        settings: Settings,
        schemas: SchemaIndex | None,
        other_schemas: tuple[SchemaIndex, ...],
        beside: Beside = NOTHING_BESIDE,
    ) -> Document:
        """Return the same version with other settings, kinds and files beside it."""
        renewed = replace(
            self, settings=settings, schemas=schemas, other_schemas=other_schemas, beside=beside, is_renewed=True
        )
        return self._followed_by(renewed, _NO_CHANGE)

    def _followed_by(self, later: Document, change: Change) -> Document:
        """Give a later version the analysis of this one, or of a previous one, to start from.

        It is slow if this one takes long, until its own diagnosis is quick.
        """
        is_diagnosed = "diagnosis" in self.__dict__
        later.__dict__[_TAKES_LONG] = self.__dict__.get(_TAKES_LONG, False) if is_diagnosed else self.is_slow()
        before = self._before  # read first: a thread removes it after the diagnosis
        analysis: Analysis | None = self.__dict__.get(_ANALYSIS)
        if analysis is not None:
            later.__dict__[_BEFORE] = Edited(analysis, change)
        elif before is not None:
            since = before.change.then(change.start, change.end, change.length)
            later.__dict__[_BEFORE] = replace(before, change=since)
        return later

    def edited(self, version: int | None, edits: tuple[Edit, ...]) -> Document:
        """Return the document after edits, each of which applies to the result of the previous one."""
        text = self.text
        change = Change(0, 0, 0)
        for number, edit in enumerate(edits):
            start, end = 0, len(text.content)
            if edit.start is not None and edit.end is not None:
                start = text.encoded_offset(*edit.start, self.encoding)
                end = max(start, text.encoded_offset(*edit.end, self.encoding))
            text = text.replace(start, end, edit.text)
            this = Change(start, end, len(edit.text))
            change = change.then(start, end, len(edit.text)) if number else this
        later = replace(self, version=version, text=text, change=change, is_renewed=False)
        return self._followed_by(later, change)


def described_documents(
    analysis: Analysis, uri: str, schemas: SchemaIndex | None, tested: tuple[TestedDefinition | None, ...] = ()
) -> tuple[Described, ...]:
    """Return the described documents of a text; large texts without RGDs are left out.

    `tested` are the definitions that the documents of a test file are about.
    """
    if uri.startswith(f"{SCHEME}:"):
        schema = observed_schema(uri, schemas or default_schemas())
        return tuple(Described(each, schema, is_observed=True) for each in parse_stream(analysis.text).documents)
    if uri.endswith(TEST_ENDINGS):
        return described_tests(analysis, tested)
    if uri.rpartition("/")[2] == PROJECT_FILE:
        from kro_ls.workspace.settings_schema import settings_schema

        return tuple(Described(each, settings_schema()) for each in parse_stream(analysis.text).documents)
    return tuple(_instances(analysis, schemas)) if schemas else ()


def described_tests(analysis: Analysis, tested: tuple[TestedDefinition | None, ...]) -> tuple[Described, ...]:
    """Return the described documents of a test file, whatever its name; `tested` are the definitions that they test."""
    found = []
    for document, definition in zip_longest(parse_stream(analysis.text).documents, tested):
        # The tests of other tools are objects of Kubernetes.
        if document and field(document.frame.chunk.root, "apiVersion") is None:
            nodes = definition.nodes if definition else None
            schema = schema_of_tests(None if nodes is None else tuple(nodes))
            found.append(Described(document, schema, tested=definition))
    return tuple(found)


def _instances(analysis: Analysis, schemas: SchemaIndex) -> Iterator[Described]:
    documents = analysis.stream.documents
    if not documents:
        from kro_ls.workspace.text_files import LARGEST_FILE, may_hold_instance

        content = analysis.text.content
        if len(content) > LARGEST_FILE or not may_hold_instance(content.encode("utf-8", "surrogatepass")):
            return
        documents = parse_stream(analysis.text).documents
    for document in documents:
        kind = None if is_rgd(document) else object_kind(document.frame.chunk.root, schemas)
        if kind and kind.is_generated:
            yield Described(document, kind.schema, kind, schemas.choice(kind.name))


def object_kind(node: Node | None, schemas: SchemaIndex) -> KindSchema | None:
    """Return the kind that a mapping names in `apiVersion` and `kind`, None where it is unknown."""
    api_version, kind = (text_of(field(node, name)) for name in ("apiVersion", "kind"))
    return schemas.find_api_version(api_version, kind) if api_version and kind else None
