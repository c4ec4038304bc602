"""Instances beside the definition of their kind."""

from __future__ import annotations

from pathlib import Path

from tests.fixtures.diagnostics import check_workspace

APP = """
//- app.yaml
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: app}
spec:
  schema:
    apiVersion: v1
    kind: App
    spec: {name: string | required=true, replicas: integer | minimum=1}
  resources:
    - id: config
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "${schema.spec.name}"}
        data: {replicas: "${string(schema.spec.?replicas.orValue(1))}"}
"""


def test_finding(tmp_path: Path) -> None:
    check_workspace(
        tmp_path,
        f"""{APP}
//- instance.yaml
apiVersion: kro.run/v1
kind: App
metadata: {{name: a}}
spec:
  name: a
  replicas: 0
  #         ^ invalid-instance: greater than or equal to 1
  replica: 2
  ^^^^^^^ unknown-instance-field: did you mean 'replicas'?
""",
    )


def test_near_miss(tmp_path: Path) -> None:
    check_workspace(
        tmp_path,
        f"""{APP}
//- instance.yaml
apiVersion: kro.run/v1
kind: App
#     ~~~ several-definitions
metadata: {{name: a}}
spec:
  name: a
  replicas: 1
  #         ~ invalid-instance
  ~~~~~~~~ unknown-instance-field
""",
    )


def test_finding_of_several_definitions(tmp_path: Path) -> None:
    other = APP.replace("app.yaml", "other.yaml").replace("integer | minimum=1", "integer | minimum=2")
    check_workspace(
        tmp_path,
        f"""{APP}{other}
//- instance.yaml
apiVersion: kro.run/v1
kind: App
#     ^^^ several-definitions: 2 definitions declare App
metadata: {{name: a}}
spec: {{name: a, replicas: 3}}
""",
    )


def test_several_definitions_with_one_schema_are_as_good_as_one(tmp_path: Path) -> None:
    other = APP.replace("app.yaml", "other.yaml")
    check_workspace(
        tmp_path,
        f"""{APP}{other}
//- instance.yaml
apiVersion: kro.run/v1
kind: App
#     ~~~ several-definitions
metadata: {{name: a}}
spec: {{name: a, replicas: 3}}
""",
    )
