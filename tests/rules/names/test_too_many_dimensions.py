"""A resource has more forEach iterators than kro allows."""

from __future__ import annotations

from kro_ls.kro.controller import MOST_DIMENSIONS
from tests.fixtures.diagnostics import check_diagnostics


def test_number_of_dimensions() -> None:
    names = "abcdefghijk"
    iterators = "\n".join(f"      - {name}: ${{['x']}}" for name in names)
    check_diagnostics(f"""
resources:
  - id: configs
    forEach:
{iterators}
#       ^ too-many-dimensions: forEach cannot have more than {MOST_DIMENSIONS} dimensions, got 11
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${{{"+".join(names)}}}
""")


def test_near_miss() -> None:
    check_diagnostics("""
resources:
  - id: configs
    forEach:
#   ~~~~~~~ too-many-dimensions
      - a: ${["0", "1"]}
      - b: ${["0", "1"]}
      - c: ${["0", "1"]}
      - d: ${["0", "1"]}
      - e: ${["0", "1"]}
      - f: ${["0", "1"]}
      - g: ${["0", "1"]}
      - h: ${["0", "1"]}
      - i: ${["0", "1"]}
      - j: ${["0", "1"]}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${a + b + c + d + e + f + g + h + i + j}
""")
