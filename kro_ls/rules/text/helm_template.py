"""A definition that Helm still has to render. The analysis masks its actions; this module says so.

Source: the documentation of `helm template`.
"""

from __future__ import annotations

from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.rule import Rule

MESSAGE = (
    "Helm fills in '{{...}}', which is not checked here; "
    "check what kro will get with 'helm template . | kro-ls check -'"
)

RULE = Rule(
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
)
