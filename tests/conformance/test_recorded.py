"""Tests that kro-ls agrees with kro's recorded answers about our own definitions. Needs only this repository."""

from __future__ import annotations

from pathlib import Path

import pytest

from kro_ls.kro.versions.version import NEWEST
from tests.conformance.comparison import cases
from tests.conformance.known_differences import KnownDifferences
from tests.conformance.own_definitions import SETS, definitions
from tests.conformance.recorded import compare

RECORDED = Path(__file__).parent / "recorded"
OLDER = ("0.6.3", "0.7.0", "0.7.1", "0.8.0", "0.8.4")
"""Versions of which only these answers are recorded; recording them again needs kro's repository."""
VERSIONS = ("0.8.5", "0.9.0", "0.9.1", "0.9.2", "0.9.3", "0.9.4", "0.10.dev")


@pytest.mark.parametrize("version", [*OLDER, *VERSIONS])
@pytest.mark.parametrize("name", SETS)
def test_every_definition_has_its_answer(version: str, name: str) -> None:
    asked = definitions(name)
    stale = f"definitions have changed: run scripts/record {version} {name}"
    assert recorded(version, name) == [(each.name, each.digest) for each in asked], stale


@pytest.mark.parametrize("name", SETS)
def test_every_instance_has_its_answer(name: str) -> None:
    version = str(NEWEST)
    instances = [(instance.name, instance.digest) for each in definitions(name) for instance in each.instances]
    stale = f"instances have changed: run scripts/record {version} {name}"
    assert recorded(version, f"{name}-instances") == instances, stale


def recorded(version: str, name: str) -> list[tuple[str, str]]:
    return [(each["name"], each["digest"]) for each in cases(RECORDED / version / f"{name}.jsonl")]


@pytest.mark.parametrize("version", [*OLDER, *VERSIONS])
def test_agrees_with_kro_but_for_known_differences(version: str) -> None:
    known = KnownDifferences(RECORDED / version / "known-differences.json")
    surprises = [each for name, found in compare(RECORDED / version) for each in known.surprises(name, found)]
    assert not surprises, "\n".join(surprises)
    assert not known.stale(), f"these agree by now; take them off the list: {known.stale()}"
