"""A field of a ResourceGraphDefinition whose value has another type than it needs.

Source: the ResourceGraphDefinition CRD.
"""

from __future__ import annotations

from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.rule import BrokenYaml, Repair, Rule

RULE = Rule(
    code="wrong-type",
    severity=Severity.ERROR,
    in_broken_yaml=BrokenYaml.BEFORE,
    summary="The value of a field has the wrong type.",
    explanation="""\
A list was expected and a string found, or the like. Conditions are always lists, even a single one:
`readyWhen` and `includeWhen` take a list of strings, `forEach` a list of mappings.""",
    wrong="""\
resources:
  - id: config
    readyWhen: ${config.metadata.name != ""}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
""",
    right="""\
resources:
  - id: config
    readyWhen:
      - ${config.metadata.name != ""}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
""",
    repairs=(Repair.WRONG_VALUE, Repair.GLUED_KEYS, Repair.MENDED_LINES),
    kro_messages=("{path} in body must be of type {type}",),
)
