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
`.kro-ls.yaml` holds the settings of a folder, and files that end in `.test.yaml` hold tests. An unknown key, a value of
the wrong type, and a value that is not allowed are marked where they are, and `kro-ls` does not use the file. Node ids
in a test file, and the fields of their objects and of the status, are checked against the definition that the file
names. The editor that *Edit status* opens is checked in the same way, against the kind of the object.""",
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
