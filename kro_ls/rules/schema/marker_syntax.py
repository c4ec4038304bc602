"""Markers that cannot be read.

Source: kro `pkg/simpleschema/markers.go`.
"""

from __future__ import annotations

from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.rule import Repair, Rule

RULE = Rule(
    code="marker-syntax",
    severity=Severity.ERROR,
    summary="The markers of a field cannot be read.",
    explanation="""\
After the `|` stand markers `name=value`, separated by blanks only. A value with blanks is put in double quotes, and a
double quote inside of it is written `\\"`.""",
    wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    team: string | required
""",
    right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    team: string | required=true
""",
    repairs=(Repair.CLOSED_TEXT,),
    kro_messages=(
        "marker key '{key}' without a value",
        "empty marker key",
        "invalid marker key {key}: unknown marker: {name}",
        "unclosed quote",
        "unclosed bracket/brace",
        "unmatched closing bracket/brace",
    ),
)
