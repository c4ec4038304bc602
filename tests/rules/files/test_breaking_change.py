"""A change since a commit would break the instances that exist."""

from __future__ import annotations

import pytest

from kro_ls.analysis.analysis import analyze
from kro_ls.rules.diagnosis import DEFAULT_SETTINGS
from kro_ls.workspace.evolution import Baseline, check_evolution, declared_in
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd_around
from tests.fixtures.diagnostics import check_found
from tests.fixtures.language import read_files

COMMITTED = """
schema:
  apiVersion: v1
  kind: App
  spec:
    name: string
"""


@pytest.mark.parametrize(
    "now",
    [
        """
schema:
  apiVersion: v1
  kind: App
  spec:
    name: integer
    ^^^^ breaking-change: spec.name: the type changed from 'string' to 'integer' since HEAD
""",
        """
schema:
  apiVersion: v1
  kind: App
  spec:
    name: string | default=a
    ~~~~ breaking-change
    size: integer
    ~~~~ breaking-change
""",
    ],
)
def test_a_change(now: str) -> None:
    committed = Text(rgd_around(COMMITTED))
    baseline = Baseline("HEAD", tuple(declared_in("app.yaml", analyze(committed))))
    (file,) = read_files(now, rgd_around)
    check_found(file, check_evolution(analyze(Text(file.content)), baseline, DEFAULT_SETTINGS))
