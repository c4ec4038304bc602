"""A literal of a template that has a wrong type for its field.

Source: kro `pkg/graph/parser/parser.go`.
"""

from __future__ import annotations

from kro_ls.kro.versions.history import GRAPHS
from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.rule import BrokenYaml, Repair, Rule

RULE = Rule(
    code="template-value-type",
    severity=Severity.ERROR,
    in_broken_yaml=BrokenYaml.BEFORE,
    summary="A value in a template has a wrong type for its field.",
    explanation="""\
kro compares the kind of every literal (text, integer, number, boolean, list, object) with the schema of its field. An
expression that stands alone may fill any field here; its type is checked afterwards.""",
    wrong="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
      data:
        replicas: 3
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
        replicas: "3"
""",
    in_graphs=GRAPHS,
    repairs=(Repair.CLOSED_EXPRESSION, Repair.WRONG_VALUE, Repair.GLUED_KEYS),
    kro_messages=("expected {types} type for path {path}, got {given}",),
)
