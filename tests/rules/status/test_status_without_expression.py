"""A status field has a fixed value."""

from __future__ import annotations

import pytest

from tests.fixtures.diagnostics import check_diagnostics
from tests.rules.status.definitions import HEAD


def test_fixed_values() -> None:
    check_diagnostics(f"""{HEAD}
    text: string
#         ^^^^^^ status-without-expression: status fields without expressions are not supported: [text]
    number: 1
#           ^ status-without-expression: [number]
    nothing:
#   ^^^^^^^ status-without-expression: [nothing]
    inner:
      empty: {{}}
      none: []
      list:
        - ${{schema.kind}}
        - fixed
#         ^^^^^ status-without-expression: [inner.list[1]]
    open: ${{schema.kind
#         ^^^^^^^^^^^^^ status-without-expression: '${{' is never closed; the '}}' is missing
    nested: ${{string(${{schema.kind}})}}
#                    ^^ nested-expression: nested expressions are not allowed
""")


@pytest.mark.parametrize("status", ["", "{}", "null"])
def test_empty_status(status: str) -> None:
    mark = "" if status == "{}" else "# ^^^^^^ empty-field: server-side apply\n"
    check_diagnostics(f"{HEAD.rstrip()} {status}\n{mark}")


def test_near_miss() -> None:
    check_diagnostics("""
schema:
  apiVersion: v1alpha1
  kind: WebApp
  status:
    name: the ${schema.metadata.name}
#         ~~~~~~~~~~~~~~~~~~~~~~~~~~~ status-without-expression
""")
