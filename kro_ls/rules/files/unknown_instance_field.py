"""A field of an instance that the definition does not declare.

Source: k8s.io/apiextensions-apiserver, pkg/apiserver/schema/pruning; the findings come from `rules/instances.py`.
"""

from __future__ import annotations

from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.kro_texts import UNKNOWN_FIELD
from kro_ls.rules.rule import Rule

RULE = Rule(
    code="unknown-instance-field",
    severity=Severity.WARNING,
    summary="An instance has a field that its definition does not declare.",
    explanation="""\
The API server drops fields that the schema of a kind does not have, and `kubectl` refuses to send them unless it is
told not to validate. Mostly the field is misspelt, or the definition declares it elsewhere.""",
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
    kro_messages=(UNKNOWN_FIELD,),
)
