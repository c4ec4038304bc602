"""A resource id is a reserved word."""

from __future__ import annotations

import pytest

from tests.fixtures.diagnostics import check_diagnostics, check_fixed
from tests.rules.names.definitions import CONFIG


@pytest.mark.parametrize("word", ["schema", "item", "in", "resourcegraphdefinition"])
def test_reserved_id(word: str) -> None:
    check_fixed(
        f"""
resources:
  - id: {word}
#       {"^" * len(word)} reserved-resource-id: id {word} is a reserved keyword in KRO
{CONFIG}
""",
        f"Change to '{word}Resource'",
    )


@pytest.mark.parametrize("name", ["schemas", "omit", "template", "data", "string"])
def test_names_that_are_not_reserved(name: str) -> None:
    check_diagnostics(f"resources:\n  - id: {name}\n{CONFIG}")


def test_near_miss() -> None:
    check_diagnostics("""
resources:
  - id: instances
#       ~~~~~~~~~ reserved-resource-id
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
""")
