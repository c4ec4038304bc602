"""The version of the new API is not a Kubernetes version."""

from __future__ import annotations

import pytest

from tests.fixtures.diagnostics import check_diagnostics, check_fixed


@pytest.mark.parametrize(
    ("version", "proposal"),
    [
        ("alpha1", "v1alpha1"),
        ("1alpha1", "v1alpha1"),
        ("V1", "v1"),
        ("v1.0", "v1"),
        ("v1-beta1", "v1beta1"),
        ("kro.run/v1alpha1", "v1alpha1"),
    ],
)
def test_version(version: str, proposal: str) -> None:
    check_fixed(
        f"""
schema:
  apiVersion: {version}
#             {"^" * len(version)} invalid-version: should match '^v[0-9]+(alpha[0-9]+|beta[0-9]+)?$'
  kind: Example
""",
        f"Change to '{proposal}'",
    )


def test_version_with_a_group() -> None:
    fixed = check_fixed(
        """
schema:
  apiVersion: example.com/v1
#             ^^^^^^^^^^^^^^ invalid-version: must be a version alone
  kind: Example
""",
        "Move the group to 'group: example.com'",
    )
    assert "    group: example.com\n    apiVersion: v1\n" in fixed


@pytest.mark.parametrize("version", ["vX", "latest"])
def test_version_without_a_proposal(version: str) -> None:
    (diagnostic,) = check_diagnostics(f"""
schema:
  apiVersion: {version}
#             {"^" * len(version)} invalid-version: is not a version; expected one such as 'v1'
  kind: Example
""")
    assert diagnostic.fixes == ()


def test_near_miss() -> None:
    check_diagnostics("""
schema:
  apiVersion: v2beta10
#             ~~~~~~~~ invalid-version
  kind: WebApp
""")
