"""A status expression refers to neither a resource nor the instance."""

from __future__ import annotations

from tests.fixtures.diagnostics import check_diagnostics
from tests.rules.status.definitions import HEAD


def test_expressions_that_refer_to_nothing() -> None:
    check_diagnostics(f"""{HEAD}
    sum: ${{1 + 1}}
#        ^^^^^^^^ status-without-reference: instance status field must refer to a resource or schema: status.sum
    text: a-${{"b"}}
#         ^^^^^^^^ status-without-reference: status.text
    variable: '${{["a"].map(x, x)}}'
#             ^^^^^^^^^^^^^^^^^^^^ status-without-reference: status.variable
    fine: ${{schema.kind + "b"}}
""")


def test_near_miss() -> None:
    check_diagnostics("""
schema:
  apiVersion: v1alpha1
  kind: WebApp
  status:
    two: ${1 + size(schema.metadata.name)}
#        ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ status-without-reference
""")
