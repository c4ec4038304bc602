"""Definitions that are checked for a version of kro."""

from __future__ import annotations

from kro_ls.kro.versions.version import parse_version
from kro_ls.rules.settings import Settings
from tests.fixtures.diagnostics import check_diagnostics


def check(version: str, source: str) -> None:
    check_diagnostics(source, Settings(version=parse_version(version)))


def without_marks(source: str) -> str:
    return "".join(line for line in source.splitlines(keepends=True) if "#  " not in line)


CONFIG = """\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
      data:
"""
