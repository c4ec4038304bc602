"""Compares kro-ls with the recorded answers of kro. Each difference must be on the list, with a reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conformance.known_differences import KnownDifferences
from tests.conformance.runner import run, shares
from tests.paths import CONFORMANCE, needs_conformance

KNOWN = Path(__file__).parent / "known-differences.json"


@needs_conformance
def test_agrees_with_kro_but_for_known_differences(capsys: pytest.CaptureFixture[str]) -> None:
    known = KnownDifferences(KNOWN)
    surprises: list[str] = []
    for file, comparisons in run(CONFORMANCE):
        with capsys.disabled():
            for share in shares(file, comparisons):
                print(f"\n{share.file} {share.field}: {share.agree} of {share.of}", end="")
        surprises += known.surprises(file, comparisons)
    assert not surprises, "\n".join(surprises)
    assert not known.stale(), f"these agree by now; take them off the list: {known.stale()}"
