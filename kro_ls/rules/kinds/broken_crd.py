"""A CustomResourceDefinition that the API server would refuse.

Source: k8s.io/apiextensions-apiserver; the findings come from `openapi/sources/crds`, by `rules/crd_files.py`.
"""

from __future__ import annotations

from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.rule import Rule

RULE = Rule(
    code="broken-crd",
    severity=Severity.WARNING,
    summary="A CustomResourceDefinition would be refused by the API server.",
    explanation="""\
The kinds of a broken CustomResourceDefinition never get into the cluster, so kro refuses the templates that use them.
What can be read of it is used all the same to check those templates. This rule looks at the files of
CustomResourceDefinitions, not at ResourceGraphDefinitions.""",
    kro_messages=(
        "type: Required value: must not be empty for specified {place}",
        "{path}: Forbidden: must be {absent} to be structural",
        "{path}: Forbidden: {keyword} is not supported",
        'spec.scope: Unsupported value: {value}: supported values: "Cluster", "Namespaced"',
        'metadata.name: Invalid value: {name}: must be spec.names.plural+"."+spec.group',
        "spec.versions: Invalid value: must have exactly one version marked as storage version",
        "spec.versions: Required value",
    ),
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
