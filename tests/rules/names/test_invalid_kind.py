"""The kind of the new API is not UpperCamelCase."""

from __future__ import annotations

import pytest

from tests.fixtures.diagnostics import check_diagnostics, check_fixed


@pytest.mark.parametrize(
    ("kind", "proposal"), [("webApp", "WebApp"), ("web-app", "WebApp"), ("web_app", "WebApp"), ("1App", "App")]
)
def test_kind_is_upper_camel_case(kind: str, proposal: str) -> None:
    check_fixed(
        f"""
schema:
  apiVersion: v1
  kind: {kind}
#       {"^" * len(kind)} invalid-kind: kind '{kind}' is not a valid KRO kind name: must be UpperCamelCase
""",
        f"Change to '{proposal}'",
    )


def test_kind_without_letters_has_no_fix() -> None:
    (diagnostic,) = check_diagnostics("""
schema:
  apiVersion: v1
  kind: "-"
#       ^^^ invalid-kind: must be UpperCamelCase
""")
    assert diagnostic.fixes == ()


def test_kind_length() -> None:
    check_diagnostics(f"""
schema:
  apiVersion: v1
  kind: {"A" * 59}
""")
    check_diagnostics(f"""
schema:
  apiVersion: v1
  kind: {"A" * 64}
#       {"^" * 64} invalid-kind: the kind has 64 characters
""")


def test_a_kind_that_kro_refuses_is_reported_once() -> None:
    check_diagnostics(
        """
schema:
  apiVersion: v1alpha1
  kind: dns
  #     ^^^ invalid-kind
  spec:
    name: string
"""
    )


def test_near_miss() -> None:
    check_diagnostics("""
schema:
  apiVersion: v1alpha1
  kind: WebAPP2
#       ~~~~~~~ invalid-kind
""")
