"""A definition is too large for kubectl apply."""

from __future__ import annotations

import pytest

from tests.fixtures.diagnostics import check_diagnostics


def definition(size: int, letter: str, mark: str = "") -> str:
    return f"""\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: example
  {mark or "# small enough"}
spec:
  schema:
    apiVersion: v1alpha1
    kind: Example
  resources:
    - id: config
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {{name: config}}
        data: {{text: "{letter * size}"}}
"""


@pytest.mark.parametrize(("size", "letter"), [(263_000, "a"), (200_000, "ä"), (200_000, "<")])
def test_the_size_as_json_counts(size: int, letter: str) -> None:
    check_diagnostics(definition(size, letter, "#     ^^^^^^^ large-definition: use 'kubectl apply --server-side'"))


@pytest.mark.parametrize(("size", "letter"), [(255_000, "a"), (130_000, "ä")])
def test_near_misses(size: int, letter: str) -> None:
    check_diagnostics(definition(size, letter, "#     ~~~~~~~ large-definition"))
