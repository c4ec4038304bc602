"""An instance that the API server refuses by the schema of the definition in the workspace.

Source: k8s.io/apiextensions-apiserver; the findings come from `rules/instances.py`.
"""

from __future__ import annotations

from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.rule import Rule

RULE = Rule(
    code="invalid-instance",
    severity=Severity.ERROR,
    summary="The API server would refuse this instance.",
    explanation="""\
kro generates a CustomResourceDefinition from a ResourceGraphDefinition, and the API server checks each instance by it:
types, required fields, enums, bounds, patterns and `validation` rules. An object of a kind that a definition in the
workspace declares is checked in the same way, with what the definition says now. Of several definitions the nearest in
the tree of folders counts. Values that `envsubst` or Flux replaces, such as `${NAME}`, are not checked.""",
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
    kro_messages=(
        "{path}: Required value",
        "{path}: Unsupported value: {value}: supported values: {values}",
        "{path} in body must be of type {type}",
        "{path} in body should {condition}",
        "failed rule: {rule}",
    ),
)
