"""Parts of definitions that the tests here share."""

from __future__ import annotations

SCHEMA = """\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    size: string | default=small enum="small,large"
    sizes: '[]string | default=["a"]'
    level: integer | default=3 enum="1,2,3"
    replicas: integer | default=1 minimum=1 maximum=5
    labels: map[string]string | default={}
    place:
      city: string | default=Ulm
    token: string | default="MTIz"
"""

EXTERNAL = """\
  - id: secret
    externalRef:
      apiVersion: v1
      kind: Secret
      metadata: {name: secret}
  - id: all
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: all}
      data: {all: "${json.marshal(dyn(schema.spec))}${string(size(secret.data))}"}
"""


def template(expression: str, expectation: str = "") -> str:
    """Return an RGD with an expression in a template; the carets of the expectation count from the expression."""
    below = f"\n#             {expectation}" if expectation else ""
    return f"""\
{SCHEMA}resources:
{EXTERNAL}  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {{name: config}}
      data:
        val: |-
            ${{{expression}}}{below}
"""


def marked(expression: str, part: str) -> str:
    """Return carets below a part of an expression."""
    return " " * expression.index(part) + "^" * len(part)
