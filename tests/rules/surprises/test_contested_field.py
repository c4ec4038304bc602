"""A template sets a field that a controller writes, too."""

from __future__ import annotations

import pytest

from kro_ls.rules.settings import Settings
from tests.fixtures.diagnostics import check_diagnostics, check_fixed


def scaled(
    replicas: str, mark: str = "", name: str = "${web.metadata.name}", include: str = "", of_target: str = ""
) -> str:
    condition, own = (f"includeWhen: ['${{{each}}}']" if each else "# always" for each in (include, of_target))
    return f"""
resources:
  - id: web
    {own}
    template:
      apiVersion: apps/v1
      kind: Deployment
      metadata: {{name: web}}
      spec:
        {replicas}
{mark}
        selector: {{matchLabels: {{app: web}}}}
        template:
          metadata: {{labels: {{app: web}}}}
          spec: {{containers: [{{name: web, image: nginx}}]}}
  - id: scaler
    {condition}
    template:
      apiVersion: autoscaling/v2
      kind: HorizontalPodAutoscaler
      metadata: {{name: web}}
      spec:
        maxReplicas: 5
        scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: "{name}"}}
"""


MARK = "#       ^^^^^^^^ contested-field: 'scaler' scales this"


@pytest.mark.parametrize("name", ["web", "${web.metadata.name}"])
def test_replicas_of_what_an_autoscaler_scales(name: str) -> None:
    fixed = check_fixed(scaled("replicas: 3", MARK, name), "Remove 'replicas'")
    assert "replicas: 3" not in fixed


def test_an_autoscaler_that_is_there_whenever_its_target_is() -> None:
    large = 'schema.metadata.name == "large"'
    check_diagnostics(scaled("replicas: 3", MARK, include=large, of_target=large))
    check_diagnostics(scaled("replicas: 3", MARK, of_target=large))
    check_diagnostics(scaled("replicas: 3", include=large, of_target='schema.metadata.name == "small"'))


def test_an_autoscaler_that_some_instances_want() -> None:
    large, small = 'schema.metadata.name == "large"', 'schema.metadata.name == "small"'
    mark = f"{MARK} where it is there, and kro would put the replicas back for ever; have it always, with"
    check_diagnostics(scaled("replicas: 3", mark, include=large))
    check_diagnostics(scaled("replicas: 3", include=large, of_target=small))


def test_replicas_that_belong_to_kro_alone() -> None:
    check_diagnostics(scaled("paused: false"))
    check_diagnostics(scaled("replicas: 3", name="other"))
    omitted = "replicas: '${schema.metadata.name == \"a\" ? dyn(omit()) : dyn(3)}'"
    check_diagnostics(scaled(omitted), Settings(feature_gates=frozenset({"CELOmitFunction"})))


def test_annotations_of_controllers() -> None:
    check_diagnostics("""
resources:
  - id: web
    template:
      apiVersion: apps/v1
      kind: Deployment
      metadata:
        name: web
        annotations:
          deployment.kubernetes.io/revision: "7"
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ contested-field: the Deployment controller writes
          kubectl.kubernetes.io/last-applied-configuration: "{}"
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ contested-field: seems to come from an object in a cluster
          example.com/revision: "7"
      spec:
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec: {containers: [{name: web, image: nginx}]}
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: web
        annotations: {deployment.kubernetes.io/revision: "7"}
#                     ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ contested-field
""")


def test_rules_of_an_aggregated_role() -> None:
    role = """
resources:
  - id: role
    template:
      apiVersion: rbac.authorization.k8s.io/v1
      kind: ClusterRole
      metadata: {name: "${schema.metadata.name}"}
      aggregationRule: {clusterRoleSelectors: [{matchLabels: {a: b}}]}
"""
    rule = "[{apiGroups: [''], resources: [pods], verbs: [get]}]"
    check_diagnostics(f"{role}      rules: {rule}\n#     ^^^^^ contested-field: the control plane writes the 'rules'\n")
    check_diagnostics(f"{role}      rules: []\n")
