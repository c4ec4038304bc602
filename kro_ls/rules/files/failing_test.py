"""An expectation of a test that the definition, as it is in the editor, does not meet.

The findings come from `rules/tested.py`; `workspace/test_runs.py` runs the tests.
"""

from __future__ import annotations

from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.rule import Rule

RULE = Rule(
    code="failing-test",
    severity=Severity.WARNING,
    summary="A test expects something else than its definition does now.",
    explanation="""\
While the definition or the test file is open, an editor runs the tests, with both files as they are in the editor,
and marks each expectation that is not met, with what was found instead. It runs nothing while kro refuses the
definition, and no test in which something else is wrong. Snapshots are compared as well, and never written. `kro-ls
check` runs no tests; `kro-ls test` does. If the definition is right, *Update the expected value* writes what was
found. With the severity `off` no test is run.""",
    wrong="",
    right="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
""",
)
