"""An entry of status.conditions does not give a condition."""

from __future__ import annotations

from tests.fixtures.diagnostics import check_diagnostics


def test_finding() -> None:
    check_diagnostics("""
schema:
  apiVersion: v1alpha1
  kind: App
  status:
    conditions:
      - ${schema.metadata.name}
#         ^^^^^^^^^^^^^^^^^^^^ condition-result: a condition needs 'runtime.newCondition(...)'
""")


def test_near_miss() -> None:
    check_diagnostics("""
schema:
  apiVersion: v1alpha1
  kind: App
  status:
    conditions:
      - '${runtime.newCondition({type: "Available", status: "True"})}'
#       ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ condition-result
""")
