"""A fault in a file of kro-ls itself: the settings of a folder, or tests.

The findings come from `rules/instances.py`.
"""

from __future__ import annotations

from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.rule import Rule

RULE = Rule(
    code="invalid-file",
    severity=Severity.WARNING,
    summary="A `.kro-ls.yaml` or a test file is not as it must be.",
    explanation="""\
`.kro-ls.yaml` holds the settings of a folder, and files that end in `.test.yaml` hold tests. A key that is not known, a
value of another type, and a value that is not one of those allowed are shown where they stand. `kro-ls` refuses to use
the file.""",
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
