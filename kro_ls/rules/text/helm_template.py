"""A definition that Helm still has to render. The analysis masks its actions; this module says so, and what is certain.

Source: the documentation of `helm template`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.rule import Rule

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import Analysis
    from kro_ls.rules.diagnostics import Diagnostic

MESSAGE = (
    "Helm fills in '{{...}}', which is not checked here; "
    "check what kro will get with 'helm template . | kro-ls check -'"
)
_BRANCHES = frozenset(("yaml-syntax", "duplicate-key", "duplicate-resource-id"))
"""What the branches of a condition may seem to be together."""

_MAY_BE_ADDED = frozenset(
    """
    missing-field resource-form incomplete-object unresolved-reference undefined-field unknown-type missing-namespace
    unused-resource unused-schema-field unused-type unused-iterator unreachable-type status-without-reference
    """.split()
)
"""What may not be so, where an action adds keys or items."""


def is_certain(diagnostic: Diagnostic, analysis: Analysis) -> bool:
    """Whether something that is found in a template must be wrong in whatever Helm makes of it."""
    actions = analysis.actions
    if diagnostic.code in _BRANCHES or (actions.add_text and diagnostic.code in _MAY_BE_ADDED):
        return False
    content = analysis.text.content
    start = content.rfind("\n", 0, diagnostic.span.start) + 1
    end = content.find("\n", diagnostic.span.end)
    end = len(content) if end < 0 else end
    return not any(span.start < end and start < span.end for span in actions.spans)


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
