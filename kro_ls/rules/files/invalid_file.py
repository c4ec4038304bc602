"""A fault in a file of kro-ls itself: the settings of a folder, or tests.

The findings come from `rules/instances.py` and `rules/tested.py`.
"""

from __future__ import annotations

from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.rule import Rule

RULE = Rule(
    code="invalid-file",
    severity=Severity.WARNING,
    summary="A `.kro-ls.yaml`, a test file or an edited status is not as it must be.",
    explanation="""\
`.kro-ls.yaml` holds the settings of a folder, and files that end in `.test.yaml` hold tests. A key that is not known, a
value of another type, and a value that is not one of those allowed are shown where they stand. `kro-ls` refuses to use
the file. What is written in the editor that *Edit status* of a preview opens is checked in the same way, by the kind of
the object. In a test file the ids of nodes, and the fields of their objects and of the status, are those of the
definition that it names.""",
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
