"""A key that a mapping holds twice. The YAML room finds it; this module explains it."""

from __future__ import annotations

from kro_ls.kro.versions.history import GRAPHS
from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.rule import InTemplates, Repair, Rule

RULE = Rule(
    code="duplicate-key",
    severity=Severity.WARNING,
    summary="A mapping has the same key twice.",
    explanation="""\
A mapping should hold a key once. kubectl silently drops all values but the last before the API server and kro see the
file.""",
    wrong="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
      data:
        color: red
        color: blue
""",
    right="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
      data:
        color: red
        background: blue
""",
    in_graphs=GRAPHS,
    in_patches=True,
    in_templates=InTemplates.NEVER,
    repairs=(Repair.REMOVED_REPETITION,),
    kro_messages=('key "{name}" already set in map',),
)
