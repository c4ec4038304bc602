"""The recorded answers of kro: whatever disagrees must stand in the list of known differences, with a reason."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.conformance.runner import run, shares
from tests.paths import CONFORMANCE, needs_conformance

KNOWN = Path(__file__).parent / "known-differences.json"


@dataclass(frozen=True, slots=True)
class KnownDifference:
    """A disagreement that is accepted for now; without a case it stands for a whole field that is not built yet."""

    file: str
    field: str
    case: str | None
    reason: str


def known_differences() -> list[KnownDifference]:
    return [KnownDifference(**entry) for entry in json.loads(KNOWN.read_text(encoding="utf-8"))]


def test_every_known_difference_has_a_reason() -> None:
    assert all(each.reason.strip() for each in known_differences())


@needs_conformance
def test_agrees_with_kro_but_for_known_differences(capsys: pytest.CaptureFixture[str]) -> None:
    known = known_differences()
    surprises: list[str] = []
    used: set[KnownDifference] = set()
    for file, comparisons in run(CONFORMANCE):
        with capsys.disabled():
            for share in shares(file, comparisons):
                print(f"\n{share.file} {share.field}: {share.agree} of {share.of}", end="")
        for comparison in comparisons:
            if not comparison.agrees:
                matching = [
                    each
                    for each in known
                    if (each.file, each.field) == (file, comparison.field) and each.case in (None, comparison.case)
                ]
                used.update(matching)
                if not matching:
                    surprises.append(f"{file} {comparison.field} {comparison.case}: {comparison.detail}")
    assert not surprises, "\n".join(surprises)
    stale = [each for each in known if each not in used]
    assert not stale, f"these agree by now; take them off the list: {stale}"
