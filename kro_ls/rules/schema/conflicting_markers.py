"""Markers of one field that kro refuses together.

Source: kro `pkg/simpleschema/markers.go`.
"""

from __future__ import annotations

from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.rule import Rule

RULE = Rule(
    code="conflicting-markers",
    severity=Severity.ERROR,
    summary="Two markers of a field exclude each other.",
    explanation="""\
A list has one list type: `uniqueItems=true` makes it a `set`. `listMapKey` needs `listType=map`, and names
each key once.""",
    wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    names: '[]string | uniqueItems=true listType=atomic'
""",
    right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    names: '[]string | uniqueItems=true'
""",
    kro_messages=(
        "listMapKey set while listType is {state}, listType must be set to map",
        "cannot set unique when listType is set to {type}",
        "listType attempting to overwrite set type of {type}",
        "duplicate listMapKey marker, value {value}",
    ),
)
