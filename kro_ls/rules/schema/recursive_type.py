"""A custom type that holds itself.

Source: kro `pkg/graph/dag` (cyclic dependency, self references are not allowed).
"""

from __future__ import annotations

from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.rule import Rule

RULE = Rule(
    code="recursive-type",
    severity=Severity.ERROR,
    summary="A custom type holds itself.",
    explanation="""\
kro writes out every custom type where it is used, so none can hold itself, be it through other types, a list or a map.
Use `object` for a part of any depth.""",
    wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  types:
    Tree:
      children: '[]Tree'
  spec:
    root: Tree
""",
    right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  types:
    Tree:
      children: '[]object'
  spec:
    root: Tree
""",
    kro_messages=(
        "self references are not allowed",
        "cyclic dependency in type {name}: graph contains a cycle: {cycle}",
    ),
)
