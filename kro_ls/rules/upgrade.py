"""Rewrites a definition for a version of kro: the fixes that keep its meaning, until none is left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.graphs.children import frames_in
from kro_ls.kro.versions.version import KREP_2, NEWEST, VERSIONS
from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.schema_changes import schema_changes
from kro_ls.yaml_positions.nodes import Alias, walk
from kro_ls.yaml_positions.text import Text
from kro_ls.yaml_positions.writing import edited

if TYPE_CHECKING:
    from kro_ls.kro.versions.version import Version
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.rules.diagnosis import Diagnosis
    from kro_ls.rules.diagnostics import Diagnostic, Fix
    from kro_ls.rules.schema_changes import SchemaChange
    from kro_ls.rules.settings import Settings
    from kro_ls.yaml_positions.positions import Span

# A fix can uncover what another one mends, such as the field above a removed one; each round mends all it sees.
_MOST_ROUNDS: Final = 20


class Step(Struct, frozen=True):
    """A fix that was applied, and the message that asked for it."""

    message: str
    title: str


class Upgrade(Struct, frozen=True):
    """The rewritten text, what was done to it, and the diagnosis of what it is now.

    `source` is the version that the text was written for, None where no version takes it. `changes` are what the target
    makes of the instances' schema that the source did not. `refused` are the errors of a source that was named but does
    not take the text either: nothing was rewritten, since it is not clear what the text means.
    """

    text: Text
    steps: tuple[Step, ...]
    diagnosis: Diagnosis
    source: Version | None = None
    changes: tuple[SchemaChange, ...] = ()
    refused: tuple[Diagnostic, ...] = ()

    @property
    def is_to_decide(self) -> bool:
        """Whether somebody has to look at it."""
        return bool(self.left or self.changes or self.refused)

    @property
    def left(self) -> tuple[Diagnostic, ...]:
        """The errors that somebody has to decide about."""
        return _errors(self.diagnosis)


def upgrade(
    text: Text, settings: Settings, schemas: SchemaIndex | None = None, source: Version | None = None
) -> Upgrade:
    """Return a text as the version of the settings wants it; comments and all that is right stay as they are.

    `source` is the version that the text was written for. By default it is the newest version that takes it: the one of
    the settings, else an older one, else a newer one.
    """
    diagnosis = diagnose_text(text, settings, schemas)
    if source is not None:
        written = diagnose_text(text, replace(settings, version=source), schemas)
        if _errors(written):
            return Upgrade(text, (), diagnosis, source, refused=_errors(written))
    elif _errors(diagnosis):
        source, written = _accepted(text, settings, schemas) or (None, diagnosis)
    else:
        source, written = settings.version, diagnosis
    steps: list[Step] = []
    for _ in range(_MOST_ROUNDS):
        chosen = safe_fixes(diagnosis)
        if not chosen:
            break
        steps += [Step(diagnostic.message, fix.title) for diagnostic, fix in chosen]
        text = Text(edited(text.content, (edit for _, fix in chosen for edit in fix.replacements)))
        diagnosis = diagnose_text(text, settings, schemas)
    changes = schema_changes(written.analysis, diagnosis.analysis) if source else ()
    return Upgrade(text, tuple(steps), diagnosis, source, changes)


def _accepted(text: Text, settings: Settings, schemas: SchemaIndex | None) -> tuple[Version, Diagnosis] | None:
    """Return the newest version that takes a text, older ones first, with its diagnosis."""
    released = [each for each in reversed(VERSIONS) if each.is_released and each != settings.version]
    for version in (*sorted(released, key=lambda each: (each > settings.version, each > NEWEST)), KREP_2):
        diagnosis = diagnose_text(text, replace(settings, version=version), schemas)
        if not _errors(diagnosis):
            return version, diagnosis
    return None


def _errors(diagnosis: Diagnosis) -> tuple[Diagnostic, ...]:
    return tuple(each for each in diagnosis.diagnostics if each.severity is Severity.ERROR)


def safe_fixes(diagnosis: Diagnosis) -> list[tuple[Diagnostic, Fix]]:
    """Return the fixes that keep the meaning, of those that touch the same text only the first.

    Where a field has another name, what stands in it is not understood yet, so such fixes come alone. What aliases
    stand for is left: it may mean something else in another place.
    """
    shared = _shared_spans(diagnosis)
    safe = [(each, fix) for each in diagnosis.diagnostics for fix in each.fixes if fix.keeps_meaning]
    fixable = [each for each in safe if not any(_touches(edit.span, shared) for edit in each[1].replacements)]
    of_fields = [(each, fix) for each, fix in fixable if each.code in ("unknown-field", "invalid-value")]
    chosen: list[tuple[Diagnostic, Fix]] = []
    mended: set[Diagnostic] = set()
    taken: list[Span] = []
    for diagnostic, fix in of_fields or fixable:
        if diagnostic not in mended and not any(_touches(edit.span, taken) for edit in fix.replacements):
            chosen.append((diagnostic, fix))
            mended.add(diagnostic)
            taken += [edit.span for edit in fix.replacements]
    return chosen


def _shared_spans(diagnosis: Diagnosis) -> list[Span]:
    """Return the spans of what has an alias somewhere."""
    if "*" not in diagnosis.analysis.text.content:
        return []
    frames = [each.rgd.frame for each in frames_in(diagnosis.analysis) if each.outer is None]
    return [
        frame.document_span(node.target.span)
        for frame in frames
        for node in (walk(frame.chunk.root) if frame.chunk.root else ())
        if isinstance(node, Alias) and node.target
    ]


def _touches(span: Span, others: list[Span]) -> bool:
    return any(span.start <= other.end and other.start <= span.end for other in others)
