"""The fixes that `check` shows: for errors, those that an editor offers, each proved by applying it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kro_ls.rules.diagnostics import Severity

if TYPE_CHECKING:
    from kro_ls.cli.file_check import FileCheck
    from kro_ls.cli.report import CheckedFile
    from kro_ls.rules.diagnostics import Diagnostic, Fix
    from kro_ls.workspace.documents import Document

_MOST_WORK: Final = 25
_LINES_OF_WORK: Final = 500
"""An error in a file of this length is twice as much work as one in a short file."""


class ProvedFixes:
    """Finds the fixes of one run; once a person would notice the wait, only those that need no proof."""

    def __init__(self, check: FileCheck) -> None:
        self._check = check
        self._left = _MOST_WORK
        self._documents: dict[str, Document] = {}

    def of(self, file: CheckedFile, diagnostic: Diagnostic) -> tuple[Fix, ...]:
        """Return the fixes to show, the best first."""
        work = 1 + file.text.line_count // _LINES_OF_WORK
        if diagnostic.severity is not Severity.ERROR or not file.found.definitions or work > self._left:
            return diagnostic.fixes
        self._left -= work
        from kro_ls.repairs.proof import fixes

        if file.path not in self._documents:
            self._documents[file.path] = self._check.document(file.path, file.found.settings)
        return fixes(self._documents[file.path], diagnostic)
