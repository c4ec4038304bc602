"""Documents as values: an edit gives a new one, whose analysis is computed on demand and cached."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.analysis.analysis import Analysis, Edited, analyze
from kro_ls.queries.cells import cached_attribute
from kro_ls.rules.diagnosis import DEFAULT_SETTINGS, Diagnosis, diagnose, lowered, prepare, refuted_by
from kro_ls.rules.diagnostics import Severity
from kro_ls.yaml_positions.positions import PositionEncoding
from kro_ls.yaml_positions.reparse import Change

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.kind_schema import KindSchema
    from kro_ls.queries.cells import Cells
    from kro_ls.rules.files.definitions_together import KindElsewhere, ObjectElsewhere
    from kro_ls.rules.files.failing_test import TestedDefinition
    from kro_ls.rules.files.missing_permission import GrantingRole
    from kro_ls.rules.files.substituted_expression import Substitution
    from kro_ls.rules.settings import Settings
    from kro_ls.workspace.described import Described
    from kro_ls.workspace.evolution import Baseline
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


# About 250 lines.
_LARGE = 10_000

_ALLOWED = "with the nearest definition of the kind; another one in the workspace allows it"
_NO_CHANGE = Change(0, 0, 0)
_BEFORE = "before"
_ANALYSIS = "analysis"
_ANALYSIS_SECONDS = "seconds"
_ALIAS = re.compile(r"[:\-,\[{][ \t]*\*[^\s*]")


class Edit(Struct, frozen=True):
    """One change: the new text of a range in the client's units, or of the whole document where `start` is None."""

    text: str
    start: tuple[int, int] | None = None
    end: tuple[int, int] | None = None


class Document(Struct, frozen=True, eq=False, dict=True, weakref=True):
    """One version of an open document.

    Lines and characters of the client are 0-based, characters count code units of `encoding`. `version` is the
    client's, None for a document that was never versioned. `change` is the edit that made this version of the last.
    """

    uri: str
    version: int | None
    text: Text
    encoding: PositionEncoding = PositionEncoding.UTF16
    settings: Settings = DEFAULT_SETTINGS
    schemas: SchemaIndex | None = None
    other_schemas: tuple[SchemaIndex, ...] = ()
    """The kinds with other definitions of those that several files define."""
    beside: Beside = NOTHING_BESIDE
    baseline: Baseline | None = None
    """What the definitions were in a commit that the user wants to compare with."""
    tested: tuple[TestedDefinition | None, ...] = ()
    """What is known of the definitions that the YAML documents of a test file are about."""
    instance_of: KindSchema | None = None
    """The kind that the text is an instance of, whatever it says; None for a text that has to say it."""
    change: Change = _NO_CHANGE
    is_renewed: bool = False
    """Whether this version has the text of one that was worked out, with other settings or kinds."""
    is_final: bool = False
    """Whether no other version is expected, as of a file that a command checks."""

    @cached_attribute  # no field, which another version would be given
    def cells(self) -> Cells:
        """What was computed about this version."""
        return {}

    @cached_attribute
    def analysis(self) -> Analysis:
        """The analysis of this version; the first use makes it. Without `schemas` no custom kind is known."""
        if self.is_final:  # nobody asks how long it took, and the system may take long to say
            return analyze(self.text, self.schemas, self.settings.features, is_final=True)
        started = time.thread_time()
        found = analyze(self.text, self.schemas, self.settings.features, self._before)
        self.__dict__[_ANALYSIS_SECONDS] = time.thread_time() - started
        return found

    @property
    def is_analysed(self) -> bool:
        """Whether the analysis is at hand."""
        return _ANALYSIS in self.__dict__

    @property
    def analysis_seconds(self) -> float:
        """The processor time that the analysis took, whoever asked for it; 0 for one that is not made at once."""
        seconds: float = self.__dict__.get(_ANALYSIS_SECONDS, 0.0)
        return seconds

    @cached_attribute
    def diagnosis(self) -> Diagnosis:
        """What is wrong with this version; the first use finds it."""
        return self._agreed(diagnose(self.analysis, self.settings))

    @property
    def _before(self) -> Edited | None:
        return self.__dict__.get(_BEFORE)

    def without_before(self) -> Edited | None:
        """Let go of what this version went on from, if it has been worked out, and return that.

        Who drops it frees it, which takes a while for a large one; it is the last who holds what the edit replaced.
        """
        return self.__dict__.pop(_BEFORE, None) if "diagnosis" in self.__dict__ else None

    def _agreed(self, found: Diagnosis) -> Diagnosis:
        for schemas in self.other_schemas:  # nobody can tell which definitions are in the cluster
            refuted = refuted_by(schemas, found.diagnostics, found.analysis, self.settings)
            diagnostics = lowered(found.diagnostics, dict.fromkeys(refuted, _ALLOWED), Severity.INFORMATION)
            found = replace(found, diagnostics=diagnostics)
        return found

    @cached_attribute
    def described(self) -> tuple[Described, ...]:
        """The documents in the text that are not RGDs and whose form is known."""
        from kro_ls.workspace.described import described_documents, described_instance

        if self.instance_of:
            return (described_instance(self.text, self.instance_of),)
        return described_documents(self.analysis, self.uri, self.schemas, self.tested)

    @property
    def is_cold(self) -> bool:
        """Whether a diagnosis of this version may take long: nothing is known of it, and the text is large, be it only
        by its aliases.
        """
        if self._before is not None or "diagnosis" in self.__dict__:  # the rule, and asked several times for each edit
            return False
        content = self.text.content
        return len(content) > _LARGE or _ALIAS.search(content) is not None

    def prepared(self) -> Iterator[Diagnosis | None]:
        """Work the diagnosis out in small steps, and yield what is known of it when it can be shown.

        What was worked out is not lost as long as somebody holds the iterator.
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
        """Return the same version beside another commit; what was worked out stays known."""
        compared = replace(self, baseline=baseline)
        compared.__dict__.update(self.__dict__)
        return compared

    def testing(self, tested: tuple[TestedDefinition | None, ...]) -> Document:
        """Return the same version of a test file with what is known now of its definitions."""
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
        """Have a later version go on from what was worked out of this one, or of one before it."""
        before = self._before  # first: it goes when the diagnosis is known
        analysis: Analysis | None = self.__dict__.get(_ANALYSIS)
        if analysis is not None:
            later.__dict__[_BEFORE] = Edited(analysis, change)
        elif before is not None:
            since = before.change.then(change.start, change.end, change.length)
            later.__dict__[_BEFORE] = replace(before, change=since)
        return later

    def edited(self, version: int | None, edits: tuple[Edit, ...]) -> Document:
        """Return the document after the edits, each of which counts in the text that the one before it left."""
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
