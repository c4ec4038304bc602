"""Parts of definitions that the tests here share."""

from __future__ import annotations

HEAD = """\
schema:
  apiVersion: v1alpha1
  kind: Example
"""


def spec(lines: str, types: str = "") -> str:
    """Return a fixture with these lines, indented by four, under `spec`, and under `types`."""
    return HEAD + (f"  types:\n{types.strip(chr(10))}\n" if types else "") + f"  spec:\n{lines.strip(chr(10))}\n"
