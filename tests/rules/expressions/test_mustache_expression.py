"""An expression is written in double braces."""

from __future__ import annotations

from tests.fixtures.diagnostics import check_diagnostics, check_fixed

SOURCE = """
resources:
  - id: web
    template:
      apiVersion: v1
      kind: Service
      metadata:
        name: "{{schema.spec.name}}"
#              ^^^^^^^^^^^^^^^^^^^^ mustache-expression: kro takes this as text
        annotations: {of: "{{ self.metadata.name }}"}
#                          ^^^^^^^^^^^^^^^^^^^^^^^^ mustache-expression: is written '${schema.metadata.name}'
      spec: {ports: [{port: 80}], selector: {app: "${schema.metadata.name}"}}
"""


def test_reads_of_the_instance() -> None:
    check_diagnostics(SOURCE)


def test_fix() -> None:
    fixed = check_fixed(
        """
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: "my-{{schema.metadata.name}}"}
#                          ^^^^^^^^^^^^^^^^^^^^^^^^ mustache-expression
""",
        "Change to '${schema.metadata.name}'",
    )
    assert 'name: "my-${schema.metadata.name}"' in fixed


def test_near_miss() -> None:
    check_diagnostics("""
resources:
  - id: workflow
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: "${schema.metadata.name}"}
      data:
        argo: "{{workflow.status}}"
#              ~~~~~~~~~~~~~~~~~~~ mustache-expression
        alert: "{{ $labels.pod }} {{schema.other}}"
""")
