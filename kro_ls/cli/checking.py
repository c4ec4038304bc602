"""Checks files and collects what was found, for every format to print."""

from __future__ import annotations

import traceback
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from kro_ls.analysis.analysis import analyze
from kro_ls.analysis.diagnostics import Severity
from kro_ls.analysis.rules import RULES
from kro_ls.cli.inputs import files_in, read_text, read_text_with_rgd
from kro_ls.cli.progress import with_progress
from kro_ls.workspace.files import UnreadableFileError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kro_ls.analysis.analysis import Analysis
    from kro_ls.analysis.settings import Settings
    from kro_ls.yaml_positions.text import Text

FAILING = (Severity.ERROR, Severity.WARNING)
"""The severities that make a check fail."""


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A file that holds RGDs, as it was named or found, and its analysis."""

    path: str
    analysis: Analysis


@dataclass(frozen=True)
class Report:
    """What one run found: the files with RGDs in the order they were named, and what could not be read."""

    files: tuple[CheckedFile, ...]
    unreadable: tuple[UnreadableFileError, ...]

    @property
    def definitions(self) -> int:
        """The number of ResourceGraphDefinitions."""
        return sum(len(file.analysis.rgds) for file in self.files)

    @cached_property
    def severities(self) -> Counter[Severity]:
        """The number of diagnostics of each severity."""
        return Counter(diagnostic.severity for file in self.files for diagnostic in file.analysis.diagnostics)

    @property
    def failed(self) -> bool:
        """Whether there is an error or a warning."""
        return any(self.severities[severity] for severity in FAILING)

    @property
    def silenced(self) -> int:
        """The number of diagnostics that comments in the files turn off."""
        return sum(len(file.analysis.silenced) for file in self.files)

    @property
    def silenced_errors(self) -> int:
        """The number of silenced diagnostics for which kro refuses the definition all the same."""
        refusals = {rule.code for rule in RULES if rule.severity is Severity.ERROR}
        return sum(diagnostic.code in refusals for file in self.files for diagnostic in file.analysis.silenced)


def check_files(paths: Iterable[Path], settings: Settings) -> Report:
    """Return the report on files and folders (`-` is standard input); what cannot be read does not stop the others."""
    checked: list[CheckedFile] = []
    unreadable: list[UnreadableFileError] = []
    for path, named in with_progress(list(files_in(paths, unreadable.append))):
        try:
            text = read_text(path) if named else read_text_with_rgd(path)
            analysis = _analyze(path, text, settings) if text else None
        except UnreadableFileError as error:
            unreadable.append(error)
            continue
        if analysis and analysis.rgds:
            checked.append(CheckedFile(str(path), analysis))
    return Report(tuple(checked), tuple(unreadable))


def _analyze(path: Path, text: Text, settings: Settings) -> Analysis:
    """Return the analysis; a fault of ours with one file must not hide what is wrong with the others."""
    try:
        return analyze(text, settings)
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        what = f"{type(error).__name__}: {error} ({Path(place.filename).name}:{place.lineno})"
        raise UnreadableFileError(path, f"kro-ls failed on this file, please report it: {what}") from error
