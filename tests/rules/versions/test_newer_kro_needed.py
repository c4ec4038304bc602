"""The version of kro that is set does not have this yet."""

from __future__ import annotations

from kro_ls.kro.versions.version import parse_version
from kro_ls.rules.settings import Settings
from tests.fixtures.diagnostics import check_diagnostics


def test_near_miss() -> None:
    check_diagnostics("""
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
      data:
        key: ${schema.metadata.name.lowerAscii()}
#                                   ~~~~~~~~~~ newer-kro-needed
""")


def test_finding() -> None:
    check_diagnostics(
        """
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
  - id: more
    forEach:
    ^^^^^^^ newer-kro-needed: needs kro 0.8
      - suffix: ${["a", "b"]}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}-${suffix}
""",
        Settings(version=parse_version("0.7")),
    )
