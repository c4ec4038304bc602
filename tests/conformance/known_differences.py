"""Known differences between kro-ls and kro, with reasons."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tests.conformance.comparison import Comparison


@dataclass(frozen=True, slots=True)
class KnownDifference:
    """A disagreement that is accepted for now; without a case it covers a whole field that is not implemented yet."""

    file: str
    field: str
    case: str | None
    reason: str


class KnownDifferences:
    """The list in a file. Each entry needs a reason, and is removed when both agree."""

    def __init__(self, file: Path) -> None:
        self._known = [KnownDifference(**entry) for entry in json.loads(file.read_text(encoding="utf-8"))]
        self._used: set[KnownDifference] = set()
        assert all(each.reason.strip() for each in self._known), f"{file}: an entry has no reason"

    def surprises(self, file: str, comparisons: Iterable[Comparison]) -> list[str]:
        """Return the disagreements of a data file that are not on the list."""
        found = []
        for comparison in comparisons:
            if not comparison.agrees:
                key = (file, comparison.field)
                matching = [
                    each
                    for each in self._known
                    if (each.file, each.field) == key and each.case in (None, comparison.case)
                ]
                self._used.update(matching)
                if not matching:
                    found.append(f"{file} {comparison.field} {comparison.case}: {comparison.detail}")
        return found

    def stale(self) -> list[KnownDifference]:
        """Return the entries that no disagreement needed."""
        return [each for each in self._known if each not in self._used]
