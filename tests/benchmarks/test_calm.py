"""Diagnostics are calm while a user types, on a sample of the definitions that were not used for tuning."""

from __future__ import annotations

from benchmarks.calm import Tally, resources, sample, total, whole
from benchmarks.completion_ranking import Case, cases
from tests.paths import needs_conformance

TEXT = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: a}
spec:
  schema: {apiVersion: v1, kind: A, spec: {name: string}}
  resources:
    - id: config
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${schema.spec.name}"}}
    - id: user
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${config.metadata.name}-user"}}
"""


def check_calm(shown: Tally, found: Tally) -> None:
    assert shown.share(shown.calm) >= 99
    assert shown.share(shown.calm_line) >= 99
    assert 1000 * shown.blinks / shown.keys < 1
    assert shown.diagnostics < found.diagnostics


def test_keys_and_blinks_are_counted() -> None:
    shown, found = total([whole(Case("a", TEXT, accepted=True))])
    assert 300 < shown.keys == found.keys <= len(TEXT)
    assert found.blinks > 0
    check_calm(shown, found)


def test_resources_are_typed_between_others() -> None:
    first, second = resources(Case("a", TEXT, accepted=True))
    assert (first.typed.splitlines()[0].strip(), second.typed.splitlines()[0].strip()) == ("- id: config", "- id: user")
    assert "config\n" not in first.into
    check_calm(*total([first, second]))


def test_a_sample_of_the_examples_is_calm() -> None:
    example = min((case for case in cases() if case.schemas is None and case.accepted), key=lambda case: len(case.text))
    check_calm(*total([whole(example)]))


@needs_conformance
def test_a_sample_of_what_kro_accepts_is_calm() -> None:
    known = [case for case in sample(is_held_out=True, every=9) if len(case.text) < 1500]
    tasks = [*map(whole, known[:2]), *(task for case in known for task in resources(case))]
    shown, found = total(tasks)
    assert shown.keys > 1500
    check_calm(shown, found)
