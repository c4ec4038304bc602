"""Faults are offered a fix that mends them, on a sample of those that nothing was tuned with."""

from __future__ import annotations

from random import Random

from benchmarks.faults import MUTATORS, planted
from benchmarks.fixes import mended_share, offered_share, planted_repairs, recorded_repairs
from tests.paths import needs_conformance

TEXT = """\
  resources:
    - id: config
      template:
        kind: ConfigMap
        metadata: {name: "${schema.spec.name}"}
"""


def test_the_same_faults_are_planted_each_time() -> None:
    assert list(planted("a", TEXT)) == list(planted("a", TEXT))
    assert all(fault.text != TEXT for fault in planted("a", TEXT))


def test_a_fault_is_where_it_is_said_to_be() -> None:
    start, end, new = next(iter(MUTATORS["kind-case"](TEXT, Random(0))))
    assert (TEXT[start:end], new in "xa") == ("C", True)


@needs_conformance
def test_recorded_faults_are_mended() -> None:
    found = list(recorded_repairs(held_out=True, every=4))
    assert len(found) > 50
    assert offered_share(found) > 95
    assert mended_share(found) > 95


def test_planted_faults_are_mended() -> None:
    found = list(planted_repairs(held_out=True, every=12))
    assert len(found) > 50
    assert offered_share(found) > 90
    assert mended_share(found) > 90
