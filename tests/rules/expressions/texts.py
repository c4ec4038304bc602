"""Parts of definitions that the tests here share."""

from __future__ import annotations


def in_name(value: str, expectation: str = "") -> str:
    """Return a resource with a value as its name; the carets of the expectation start under the value."""
    below = f"\n#             {expectation}" if expectation else ""
    return f"""
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: {value}{below}
"""
