"""A `.kro-ls.yaml`, a test file or an edited status is not as it must be."""

from __future__ import annotations

from pathlib import Path

from tests.fixtures.diagnostics import check_workspace


def test_finding(tmp_path: Path) -> None:
    check_workspace(
        tmp_path,
        """
//- .kro-ls.yaml
severty: {unused-type: off}
^^^^^^^ invalid-file: unknown setting 'severty'; did you mean 'severity'?
//- app.test.yaml
definition: app.yaml
tests:
  - name: a
    ^^^^^^^ invalid-file: 'expect' is missing
""",
    )


def test_near_miss(tmp_path: Path) -> None:
    check_workspace(
        tmp_path,
        """
//- .kro-ls.yaml
severity: {unused-type: off}
~~~~~~~~ invalid-file
//- app.test.yaml
definition: app.yaml
tests:
  - name: a
    expect: {}
    ~~~~~~ invalid-file
//- chainsaw.test.yaml
apiVersion: chainsaw.kyverno.io/v1alpha1
kind: Test
#     ~~~~ invalid-file
spec: {}
""",
    )
