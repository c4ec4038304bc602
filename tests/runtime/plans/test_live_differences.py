"""Where a cluster has something else than kro applied, or another manager wrote it."""

from __future__ import annotations

from typing import Any

from kro_ls.runtime.cluster.instance import admit_instance
from kro_ls.runtime.plans.live_differences import live_differences
from kro_ls.runtime.plans.transition import Side, transition
from kro_ls.runtime.values.sample_instance import sample_instance
from tests.fixtures.definitions import rgd
from tests.fixtures.language import fixture

WEB = """
- id: web
  template:
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: web}
    spec:
      replicas: 2%s
      selector: {matchLabels: {app: web}}
      template:
        metadata: {labels: {app: web}}
        spec: {containers: [{name: web, image: nginx, resources: {limits: {cpu: "0.5"}}}]}
"""
SECRET = "- id: secret\n  template: {apiVersion: v1, kind: Secret, metadata: {name: s}, data: {key: %s}}\n"
KRO, KUBECTL = "kro.run/applyset", "kubectl-edit"


def side(resources: str) -> Side:
    (definition,) = fixture(rgd(resources)).document.analysis.rgds
    return Side(definition, admit_instance(definition, sample_instance(definition)).instance)


def shown(old: str, new: str, managers: dict[str, Any], changed: dict[str, Any]) -> list[str]:
    """Return the differences shown for an older definition's object whose top-level fields a cluster has changed."""
    before, after = side(old), side(new)
    found = transition(before, after)
    (made,) = found.made
    assert made.old is not None
    live: Any = {**made.old, **changed}
    live["metadata"] = {
        **live["metadata"],
        "managedFields": [{"manager": name, "fieldsV1": fields} for name, fields in managers.items()],
    }
    return list(live_differences(after.rgd, found.made, [live]))


def deployment(**spec: Any) -> dict[str, Any]:
    limits = {"limits": {"cpu": "500m"}}
    labels = {"metadata": {"labels": {"app": "web"}}}
    pod = {**labels, "spec": {"containers": [{"name": "web", "image": "nginx", "resources": limits}]}}
    return {"spec": {"replicas": 2, "selector": {"matchLabels": {"app": "web"}}, "template": pod, **spec}}


OWN: dict[str, Any] = {KRO: {"f:spec": {"f:replicas": {}}}}


def test_what_is_as_kro_applied_it_is_quiet() -> None:
    assert shown(WEB % "", WEB % "", OWN, deployment()) == []
    assert shown(WEB % "", WEB % "\n      minReadySeconds: 5", OWN, deployment()) == []


def test_a_field_that_somebody_changed() -> None:
    edited = {**OWN, KUBECTL: {"f:spec": {"f:replicas": {}}}}
    name = "Deployment default/web: spec.replicas is"
    assert shown(WEB % "", WEB % "", edited, deployment(replicas=5)) == [
        f"{name} 5 in the cluster (kubectl-edit wrote it), and kro puts 2 back"
    ]
    assert shown(WEB % "", WEB % "", {}, deployment(replicas=None))[0].startswith(
        f"{name} null in the cluster, and kro"
    )


def test_a_field_of_another_manager_that_the_new_definition_writes() -> None:
    others = {**OWN, KUBECTL: {"f:spec": {"f:minReadySeconds": {}}}}
    assert shown(WEB % "", WEB % "\n      minReadySeconds: 5", others, deployment(minReadySeconds=9)) == [
        (
            "Deployment default/web: spec.minReadySeconds is 9 in the cluster (kubectl-edit wrote it), "
            "and kro takes it over with 5"
        )
    ]


def test_items_of_lists_are_found_by_their_keys() -> None:
    live = deployment()
    live["spec"]["template"]["spec"]["containers"][0]["image"] = "nginx:2"
    container: dict[str, Any] = {"f:containers": {'k:{"name":"web"}': {".": {}, "f:image": {}}}}
    managers = {KUBECTL: {"f:spec": {"f:template": {"f:spec": container}}}}
    (said,) = shown(WEB % "", WEB % "", managers, live)
    assert 'spec.template.spec.containers[0].image is "nginx:2" in the cluster (kubectl-edit wrote it)' in said


def test_secrets_are_hidden() -> None:
    (said,) = shown(SECRET % "YQ==", SECRET % "YQ==", {}, {"data": {"key": "Yg=="}})
    assert "Yg" not in said
    assert "data.key is (hidden) in the cluster, and kro puts (hidden) back" in said
