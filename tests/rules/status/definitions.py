"""Parts of definitions that the tests here share."""

from __future__ import annotations

HEAD = """
schema:
  apiVersion: v1
  kind: Example
  status:
"""
