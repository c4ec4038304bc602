"""Two resources have the same id."""

from __future__ import annotations

from tests.fixtures.diagnostics import check_diagnostics
from tests.rules.names.definitions import CONFIG


def test_duplicate_id() -> None:
    diagnostics = check_diagnostics(f"""
resources:
  - id: config
{CONFIG}
  - id: Config
#       ^^^^^^ invalid-resource-id: must be lower camelCase
{CONFIG.replace("config", "second")}
  - id: config
#       ^^^^^^ duplicate-resource-id: found duplicate resource IDs config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {{name: "${{config.metadata.name}}-copy"}}
""")
    (related,) = next(each.related for each in diagnostics if each.code == "duplicate-resource-id")
    assert related.span.start < diagnostics[0].span.start


def test_a_repeated_id_may_mean_either_resource() -> None:
    check_diagnostics("""
schema:
  apiVersion: v1
  kind: Example
  status:
    phase: ${thing.status.phase}
    data: ${thing.data.key}
resources:
  - id: thing
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: config}
  - id: thing
#       ^^^^^ duplicate-resource-id: found duplicate resource IDs thing
    template:
      apiVersion: v1
      kind: Pod
      metadata: {name: pod}
      spec: {containers: [{name: pod, image: nginx}]}
""")


def test_near_miss() -> None:
    check_diagnostics("""
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
  - id: configs
#       ~~~~~~~ duplicate-resource-id
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}-other
      data: {other: "true"}
""")
