"""A schema that no cluster takes."""

from __future__ import annotations

from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.rule import Rule

RULE = Rule(
    code="schema-too-large",
    severity=Severity.WARNING,
    summary="The schema of the instance is too large.",
    explanation="""\
kro writes out every custom type wherever it is used, so that a few lines can stand for millions of fields. kro itself
has no limit, but a CRD of such a size cannot be stored.""",
    wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  types:
    T1: {a: T2, b: T2}
    T2: {a: T3, b: T3}
    T3: {a: T4, b: T4}
    T4: {a: T5, b: T5}
    T5: {a: T6, b: T6}
    T6: {a: T7, b: T7}
    T7: {a: T8, b: T8}
    T8: {a: T9, b: T9}
    T9: {a: T10, b: T10}
    T10: {a: T11, b: T11}
    T11: {a: T12, b: T12}
    T12: {a: T13, b: T13}
    T13: {a: T14, b: T14}
    T14: {a: T15, b: T15}
    T15: {a: T16, b: T16}
    T16: {a: T17, b: T17}
    T17: {a: string, b: string}
  spec:
    root: T1
""",
    right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  types:
    Endpoint: {host: string, port: integer}
  spec:
    root: Endpoint
""",
)
