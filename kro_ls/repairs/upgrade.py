"""Applies fixes until none is left: all that are certain, or those that rewrite a definition for a version of kro."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.kro.versions.version import KREP_2, NEWEST, VERSIONS
from kro_ls.repairs.proof import errors, mends
from kro_ls.rules.safe_fixes import safe_fixes
from kro_ls.rules.schema_changes import schema_changes
from kro_ls.workspace.documents import Edit
from kro_ls.yaml_positions.scalars.writing import edited

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from kro_ls.kro.versions.version import Version
    from kro_ls.rules.diagnostics import Diagnostic, Fix
    from kro_ls.rules.schema_changes import SchemaChange
    from kro_ls.workspace.documents import Document
    from kro_ls.yaml_positions.text import Text


class Step(Struct, frozen=True):
    """An applied fix, and the message of its diagnostic."""

    message: str
    title: str


class Mended(Struct, frozen=True):
    """A document after all certain fixes, with the fixes."""

    document: Document
    steps: tuple[Step, ...]


class Upgrade(Struct, frozen=True):
    """The rewritten document and the applied fixes.

    `source` is the version that the text was written for, None if no version accepts it. `changes` are the differences
    in the instances' schema between source and target. `refused` are the errors in a source version that was named but
    refuses the text, too: then nothing is rewritten, since the meaning of the text is not clear.
    """

    document: Document
    steps: tuple[Step, ...]
    source: Version | None = None
    changes: tuple[SchemaChange, ...] = ()
    refused: tuple[Diagnostic, ...] = ()

    @property
    def text(self) -> Text:
        """The rewritten text."""
        return self.document.text

    @property
    def is_to_decide(self) -> bool:
        """Whether a person has to review it."""
        return bool(self.left or self.changes or self.refused)

    @property
    def left(self) -> tuple[Diagnostic, ...]:
        """The errors that a person has to resolve."""
        return tuple(errors(self.document))


def upgrade(document: Document, source: Version | None = None) -> Upgrade:
    """Return a document rewritten for the version of its settings; comments and everything valid stay as they are.

    `source` is the version that the text was written for. By default it is the version of the settings if that accepts
    the text, else the newest older version that does, else a newer one.
    """
    written: Document | None = document
    if source is not None:
        written = _in_version(document, source)
        if refused := errors(written):
            return Upgrade(document, (), source, refused=tuple(refused))
    elif errors(document):
        written = next((each for each in _in_other_versions(document) if not errors(each)), None)
    mended = _mended(document, lambda each: safe_fixes(each.diagnosis), most_rounds=20)
    if written is None:
        return Upgrade(mended.document, mended.steps)
    changes = schema_changes(written.analysis, mended.document.analysis)
    return Upgrade(mended.document, mended.steps, written.settings.version, changes)


def _in_other_versions(document: Document) -> Iterator[Document]:
    """Yield a document in every other version of kro: older ones first, from new to old, then newer ones."""
    own = document.settings.version
    released = [each for each in reversed(VERSIONS) if each.is_released and each != own]
    for version in (*sorted(released, key=lambda each: (each > own, each > NEWEST)), KREP_2):
        yield _in_version(document, version)


def _in_version(document: Document, version: Version) -> Document:
    return replace(document, settings=replace(document.settings, version=version))


def fix_everything(document: Document) -> Mended:
    """Return a document after its certain fixes.

    A fix is certain if it keeps the meaning for the version of kro and is the likeliest one, or if it is the only fix
    that a rule has for an error and applying it proves that it removes the error.
    """

    def certain(document: Document) -> list[tuple[Diagnostic, Fix]]:
        safe = [(each, fix) for each, fix in safe_fixes(document.diagnosis) if fix == each.fixes[0]]
        return safe or list(_first_certain(document))

    return _mended(document, certain, most_rounds=50)


def _first_certain(document: Document) -> Iterator[tuple[Diagnostic, Fix]]:
    """Yield the first certain fix; applying it may change the others."""
    for diagnostic in errors(document):
        if len(diagnostic.fixes) == 1 and mends(document, diagnostic, diagnostic.fixes[0]):
            yield diagnostic, diagnostic.fixes[0]
            return


def _mended(
    document: Document, chosen: Callable[[Document], Sequence[tuple[Diagnostic, Fix]]], *, most_rounds: int
) -> Mended:
    """Return a document after rounds of chosen fixes: one can make another one possible, or uncover it."""
    steps: list[Step] = []
    for _ in range(most_rounds):
        fixes = chosen(document)
        if not fixes:
            break
        text = edited(document.text.content, (edit for _, fix in fixes for edit in fix.replacements))
        document = document.edited(document.version, (Edit(text),))
        steps += [Step(diagnostic.message, fix.title) for diagnostic, fix in fixes]
    return Mended(document, tuple(steps))
