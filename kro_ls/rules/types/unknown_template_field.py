"""A field of a template that its kind does not have.

Source: kro `pkg/graph/parser/parser.go`.
"""

from __future__ import annotations

from kro_ls.kro.versions.history import GRAPHS
from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.rule import BrokenYaml, Repair, Rule

RULE = Rule(
    code="unknown-template-field",
    severity=Severity.ERROR,
    in_broken_yaml=BrokenYaml.BEFORE,
    summary="A template sets a field that its kind does not have.",
    explanation="""\
kro resolves every field of a template in the OpenAPI schema of its kind and refuses the ones that are not there.""",
    wrong="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
      dta:
        key: value
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
        key: value
""",
    in_graphs=GRAPHS,
    repairs=(Repair.MOVED_LINES, Repair.REMOVED_FIELD),
    kro_messages=("error getting field schema for path {path}: schema not found for field {name}",),
)
