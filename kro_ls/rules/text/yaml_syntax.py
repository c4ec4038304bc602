"""Text that is not YAML. The YAML room finds it; this module explains it."""

from __future__ import annotations

from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.rule import Rule

RULE = Rule(
    code="yaml-syntax",
    severity=Severity.ERROR,
    summary="The text is not valid YAML.",
    explanation="""\
The file cannot be read as YAML, so nothing can be applied. The damaged lines are set aside; the rest of the file is
still checked.

kubectl cuts a file at the lines that begin with `---`, and refuses it if one of the parts is not YAML or not a mapping
with a `kind`. It allows nothing but a comment on such a line, and no `%YAML` or `%TAG` before it.

A frequent cause is an expression that holds `: ` or ` #`, as the conditional operator often does: YAML ends a plain
value there. Quote the whole value then.""",
    wrong="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name == "" ? "none": "some"}
""",
    right="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: '${schema.metadata.name == "" ? "none": "some"}'
""",
)
