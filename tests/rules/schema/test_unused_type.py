"""No field uses a custom type."""

from __future__ import annotations

from tests.fixtures.diagnostics import check_diagnostics
from tests.rules.schema.definitions import spec


def test_a_type_is_used_only_if_the_instance_reaches_it() -> None:
    check_diagnostics(
        spec(
            "    first: '[]Used'",
            """
    Used: {inner: Inner}
    Inner: string
    Unused: {inner: Inner, more: More}
    ^^^^^^ unused-type: the type 'Unused' is not used
    More: string
    ^^^^ unused-type
""",
        )
    )


def test_near_miss() -> None:
    check_diagnostics("""
schema:
  apiVersion: v1alpha1
  kind: Example
  types:
    Port:
#   ~~~~ unused-type
      number: integer
  spec:
    ports: "map[string][]Port"
""")
