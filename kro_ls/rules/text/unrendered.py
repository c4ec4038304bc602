"""Hints about files that Helm must render, or Kustomize must merge into a definition.

The analysis masks the actions of Helm, and `workspace/kustomize.py` decides which files are patches. Source: the
documentation of `helm template`, the reference of the kustomization file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.rules.diagnostics import Finding, Severity
from kro_ls.rules.rule import CodedFindings, Rule
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import Analysis

_HELM = (
    "Helm fills in '{{...}}', which is not checked here; "
    "check what kro will get with 'helm template . | kro-ls check -'"
)
_KUSTOMIZE = (
    "Kustomize merges this patch into a definition, so it may be a part of one; "
    "check what kro will get with 'kustomize build . | kro-ls check -'"
)


def to_render(analysis: Analysis) -> CodedFindings:
    """Yield the hint that Helm has to render the file, in document offsets."""
    if analysis.rgds:
        yield "helm-template", Finding(analysis.actions.spans[0], _HELM)


def to_merge(analysis: Analysis) -> CodedFindings:
    """Yield the hint that the file is a part of a definition, in document offsets."""
    if analysis.rgds:
        kind = analysis.rgds[0].rgd.document.child(("kind",))
        yield "kustomize-patch", Finding(kind.span if kind else Span(0, 0), _KUSTOMIZE)


RULES = (
    Rule(
        code="helm-template",
        severity=Severity.HINT,
        summary="Helm has to render this file before kro can read it.",
        explanation="""\
The file is no YAML because of template actions (`{{...}}`). They are left out and the rest is checked as far as that is
possible: nothing is said of a line with an action, nor of what an action may add. Check what kro will get with
`helm template . | kro-ls check -`.""",
        wrong="""\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: app
spec:
  schema:
    apiVersion: v1alpha1
    kind: App
    spec:
      {{- if .Values.named }}
      name: string
      {{- end }}
""",
        right="""\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: app
spec:
  schema:
    apiVersion: v1alpha1
    kind: App
    spec:
      name: string
""",
    ),
    Rule(
        code="kustomize-patch",
        severity=Severity.HINT,
        summary="The file is a patch, which Kustomize merges into a definition.",
        explanation="""\
A `kustomization.yaml` lists the file under `patches` or `patchesStrategicMerge`. What is missing in it stands in the
definition that it changes, so nothing is said of it but where it is no YAML. Check what kro will get with
`kustomize build . | kro-ls check -`.""",
    ),
)
