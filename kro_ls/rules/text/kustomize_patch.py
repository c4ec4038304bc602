"""A part of a definition that Kustomize merges into a whole one.

Which files are patches is for `workspace/kustomize.py` to say. Source: the reference of the kustomization file.
"""

from __future__ import annotations

from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.rule import Rule

MESSAGE = (
    "Kustomize merges this patch into a definition, so it may be a part of one; "
    "check what kro will get with 'kustomize build . | kro-ls check -'"
)

RULE = Rule(
    code="kustomize-patch",
    severity=Severity.HINT,
    summary="The file is a patch, which Kustomize merges into a definition.",
    explanation="""\
A `kustomization.yaml` lists the file under `patches` or `patchesStrategicMerge`. What is missing in it stands in the
definition that it changes, so nothing is said of it but where it is no YAML. Check what kro will get with
`kustomize build . | kro-ls check -`.""",
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
