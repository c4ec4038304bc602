"""Parts of definitions that the tests here share."""

from __future__ import annotations

CONFIG = """\
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: config}
"""
