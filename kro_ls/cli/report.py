"""What a check found, for every format to print."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.rules.diagnosis import DEFAULT_SETTINGS
from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.kinds.missing_kinds import UNKNOWN_KIND
from kro_ls.rules.registry import RULES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.rules.diagnostics import Diagnostic
    from kro_ls.rules.settings import Settings
    from kro_ls.workspace.files import UnreadableFileError
    from kro_ls.yaml_positions.text import Text

_FAILING = (Severity.ERROR, Severity.WARNING)

LEVELS = {severity.value: tuple(Severity)[:number] for number, severity in enumerate(Severity, 1)}
"""The severities that are printed, by what `--show` is given: those that are at least as bad."""


class Failure(Struct, frozen=True):
    """Why there is no result for an item: the predicate of a sentence about it."""

    reason: str


class Checked(Struct, frozen=True):
    """What was found in one file.

    `silenced` are the diagnostics that comments in the file and `--ignore` turn off, `definitions` the number of
    ResourceGraphDefinitions, `unknown_kinds` the custom kinds that hints call unknown, such as `example.com/v1 Bucket`.
    """

    settings: Settings = DEFAULT_SETTINGS
    diagnostics: tuple[Diagnostic, ...] = ()
    silenced: tuple[Diagnostic, ...] = ()
    definitions: int = 0
    unknown_kinds: tuple[str, ...] = ()


class CheckedFile(Struct, frozen=True):
    """A file with RGDs or CRDs, by the path that was named or found, and its diagnostics."""

    path: str
    text: Text
    found: Checked

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What is wrong, in the order of the text."""
        return self.found.diagnostics


class Report(Struct, frozen=True, dict=True):
    """The result of one run: the files with RGDs or CRDs as they were named, and those that could not be read."""

    files: tuple[CheckedFile, ...]
    unreadable: tuple[UnreadableFileError, ...] = ()

    def shown(self, level: str) -> Iterator[tuple[CheckedFile, Diagnostic]]:
        """Yield the diagnostics that one of the LEVELS prints."""
        severities = LEVELS[level]
        for file in self.files:
            for diagnostic in file.diagnostics:
                if diagnostic.severity in severities:
                    yield file, diagnostic

    @property
    def definitions(self) -> int:
        """The number of ResourceGraphDefinitions."""
        return sum(file.found.definitions for file in self.files)

    @cached_property
    def severities(self) -> Counter[Severity]:
        """The number of diagnostics of each severity."""
        return Counter(diagnostic.severity for file in self.files for diagnostic in file.diagnostics)

    @property
    def unknown_kinds(self) -> tuple[str, ...]:
        """The custom kinds that hints call unknown, sorted."""
        return tuple(sorted({kind for file in self.files for kind in file.found.unknown_kinds}))

    @property
    def failed(self) -> bool:
        """Whether anything makes the check fail."""
        return any(fails(diagnostic) for file in self.files for diagnostic in file.diagnostics)

    @property
    def doubtful(self) -> int:
        """The number of diagnostics that rest on kinds whose presence in the cluster is not assured."""
        return sum(diagnostic.is_doubtful for file in self.files for diagnostic in file.diagnostics)

    @property
    def silenced(self) -> int:
        """The number of diagnostics that comments in the files and `--ignore` turn off."""
        return sum(len(file.found.silenced) for file in self.files)

    @property
    def silenced_errors(self) -> int:
        """The number of silenced diagnostics for which kro still refuses the definition."""
        refusals = {rule.code for rule in RULES if rule.severity is Severity.ERROR}
        return sum(diagnostic.code in refusals for file in self.files for diagnostic in file.found.silenced)


def fails(diagnostic: Diagnostic) -> bool:
    """Whether a diagnostic makes a check fail: an error or a warning, unless it is doubtful."""
    return diagnostic.severity in _FAILING and not diagnostic.is_doubtful


def is_unknown_kind_hint(diagnostic: Diagnostic) -> bool:
    """Whether a diagnostic is a hint about an unknown kind; the report summarises these once for all files."""
    return diagnostic.code == UNKNOWN_KIND.code and diagnostic.severity is Severity.HINT
