"""Fields that kro and a controller both write, as a preview reports them."""

from __future__ import annotations

import pytest

from kro_ls.runtime.cluster.hazards import contested
from kro_ls.runtime.cluster.instance import admit_instance
from kro_ls.runtime.cluster.simulation import simulate
from kro_ls.runtime.values.sample_instance import sample_instance
from tests.fixtures.definitions import rgd
from tests.fixtures.language import fixture

WEB = """
- id: web
  template:
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: web, annotations: {%s}}
    spec:
      %s
      selector: {matchLabels: {app: web}}
      template:
        metadata: {labels: {app: web}}
        spec: {containers: [{name: web, image: nginx}]}
- id: scaler
  template:
    apiVersion: autoscaling/v2
    kind: HorizontalPodAutoscaler
    metadata: {name: web}
    spec: {maxReplicas: 5, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: %s}}
"""


@pytest.mark.parametrize(
    ("annotation", "replicas", "target", "paths"),
    [
        ("a: b", "replicas: 2", "web", [("spec", "replicas")]),
        ("a: b", "replicas: 2", "other", []),
        ("a: b", "paused: false", "web", []),
        (
            "deployment.kubernetes.io/revision: '1'",
            "paused: false",
            "web",
            [("metadata", "annotations", "deployment.kubernetes.io/revision")],
        ),
    ],
)
def test_fields_that_two_write(annotation: str, replicas: str, target: str, paths: list[tuple[str, ...]]) -> None:
    (definition,) = fixture(rgd(WEB % (annotation, replicas, target))).document.analysis.rgds
    simulation = simulate(definition, admit_instance(definition, sample_instance(definition)).instance)
    found = list(contested(simulation))
    assert [each.refusal.path for each in found] == paths
    assert all(each.node == "web" and "kro puts it back for ever" in each.refusal.message for each in found)
