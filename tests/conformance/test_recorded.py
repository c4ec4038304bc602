"""Our own definitions: kro-ls says what kro was recorded to say. Needs nothing but this repository."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conformance.comparison import cases
from tests.conformance.known_differences import KnownDifferences
from tests.conformance.own_definitions import SETS, definitions
from tests.conformance.recorded import compare

RECORDED = Path(__file__).parent / "recorded"
VERSIONS = ("0.9.4",)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", SETS)
def test_every_definition_has_its_answer(version: str, name: str) -> None:
    asked = definitions(name)
    stale = f"definitions have changed: run scripts/record {version} {name}"
    assert recorded(version, name) == [(each.name, each.digest) for each in asked], stale
    instances = [(instance.name, instance.digest) for each in asked for instance in each.instances]
    assert recorded(version, f"{name}-instances") == instances, stale


def recorded(version: str, name: str) -> list[tuple[str, str]]:
    return [(each["name"], each["digest"]) for each in cases(RECORDED / version / f"{name}.jsonl")]


@pytest.mark.parametrize("version", VERSIONS)
def test_agrees_with_kro_but_for_known_differences(version: str) -> None:
    known = KnownDifferences(RECORDED / version / "known-differences.json")
    surprises = [each for name, found in compare(RECORDED / version) for each in known.surprises(name, found)]
    assert not surprises, "\n".join(surprises)
    assert not known.stale(), f"these agree by now; take them off the list: {known.stale()}"
