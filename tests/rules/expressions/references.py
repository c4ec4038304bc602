"""Parts of definitions that the tests here share."""

from __future__ import annotations

SHARED = """\
  - id: shared
    readyWhen: ["${has(shared.data)}"]
    externalRef:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: shared}
"""


def in_template(expression: str, expectation: str = "") -> str:
    """Return resources with an expression in a template and the expectation, whose carets count from the expression."""
    below = "#               " + expectation if expectation else ""
    return f"""
resources:
{SHARED}
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {{name: config}}
      data:
        value: '${{{expression}}}'
{below}
"""
