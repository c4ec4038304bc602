"""Manifests become resources of a definition: it then gives them beside what it gave before."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kro_ls.authoring.from_manifests.input_objects import UnusableObjectsError
from kro_ls.features.actions.refactorings import found_refactorings
from kro_ls.render.yaml_text import to_yaml
from kro_ls.repairs.imports import import_manifests
from kro_ls.yaml_positions.scalars.writing import edited
from tests.fixtures.definitions import rgd_around
from tests.fixtures.language import fixture
from tests.fixtures.manifests import DEPLOYMENT, INGRESS, SERVICE, nodes_of, objects
from tests.fixtures.rendered import rendered_objects

_SCHEMA = "schema:\n  apiVersion: v1alpha1\n  kind: Shop\n  spec:\n    name: string | default=shop\n"
_DEPLOYMENT = """\
resources:
  - id: deployment
    template:
      apiVersion: apps/v1
      kind: Deployment
      metadata:
        name: ${schema.spec.name}
      spec:
        selector: {matchLabels: {app: "${schema.spec.name}"}}
        template:
          metadata: {labels: {app: "${schema.spec.name}"}}
          spec: {containers: [{name: web, image: "example.com/shop:1.0"}]}
"""
DEFINITION = rgd_around(_SCHEMA + _DEPLOYMENT)


def imported(definition: str, *manifests: str) -> str:
    document = fixture(f"{definition}$0").document
    made = import_manifests(document, document.analysis.rgds[0], objects(*manifests))
    return edited(definition, (made.replacement,))


def refusal(definition: str, *manifests: str) -> str:
    with pytest.raises(UnusableObjectsError) as raised:
        imported(definition, *manifests)
    return str(raised.value)


def test_references_lead_to_what_is_there() -> None:
    nodes = nodes_of(imported(DEFINITION, SERVICE, INGRESS))
    assert list(nodes) == ["deployment", "service", "ingress"]
    service = nodes["service"]["template"]
    assert service["metadata"]["name"] == "${schema.spec.name}", "as the others are named"
    assert service["spec"]["selector"] == "${deployment.spec.selector.matchLabels}"
    backend = nodes["ingress"]["template"]["spec"]["rules"][0]["http"]["paths"][0]["backend"]["service"]
    assert backend["name"] == "${service.metadata.name}"
    assert nodes["ingress"]["readyWhen"] == ["${size(ingress.status.loadBalancer.ingress) > 0}"]


def test_a_list_without_resources_gets_the_first() -> None:
    for empty in ("resources: []", "resources:", "resources:  # none yet"):
        definition = rgd_around(f"{_SCHEMA}{empty}\n")
        assert list(nodes_of(imported(definition, DEPLOYMENT, SERVICE))) == ["deployment", "service"], empty
    assert "resources: []" in refusal(rgd_around(_SCHEMA), SERVICE)


def test_ids_that_are_taken_get_the_name() -> None:
    other = DEPLOYMENT.replace("shop", "cart")
    text = imported(DEFINITION, other.replace("name: cart", "name: shop-cart"))
    assert list(nodes_of(text)) == ["deployment", "shopCartDeployment"]
    literal = DEFINITION.replace("name: ${schema.spec.name}", "name: other")
    assert nodes_of(imported(literal, DEPLOYMENT))["shopDeployment"]["template"]["metadata"]["name"] == "shop"


def test_what_cannot_be_imported_is_refused() -> None:
    assert "no Kubernetes objects" in refusal(DEFINITION, "")
    assert "mend its errors first" in refusal(DEFINITION.replace("schema.spec.name", "schema.spec.nam"), SERVICE)
    assert "ResourceGraphDefinition cannot be" in refusal(DEFINITION, DEFINITION)
    literal = DEFINITION.replace("name: ${schema.spec.name}", "name: shop")
    assert "creates already" in refusal(literal, DEPLOYMENT)
    flow = rgd_around(
        _SCHEMA + "resources: [{id: a, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}}]"
    )
    assert "each after a dash" in refusal(flow, SERVICE)


def test_nothing_refers_to_what_may_be_absent() -> None:
    condition = "id: deployment\n      includeWhen: ['${schema.spec.name.size() > 0}']\n"
    conditional = DEFINITION.replace("id: deployment\n", condition)
    assert "deployment.spec" not in imported(conditional, SERVICE)


def test_an_instance_without_a_namespace_leaves_each_object_its_own() -> None:
    cluster = DEFINITION.replace("kind: Shop\n", "kind: Shop\n    scope: Cluster\n").replace(
        "name: ${schema.spec.name}\n", "name: ${schema.spec.name}\n          namespace: web\n"
    )
    text = imported(cluster, SERVICE.replace("{name: shop}", "{name: shop, namespace: web}"))
    assert nodes_of(text)["service"]["template"]["metadata"]["namespace"] == "web"


def test_manifests_in_the_list_become_resources() -> None:
    definition = DEFINITION + "".join(
        f"    {'- ' if number == 0 else '  '}{line}\n" for number, line in enumerate(SERVICE.splitlines())
    )
    found = fixture(definition.replace("kind: Service", "$0kind: Service"))
    offered = {each.title: edited(definition, each.replacements) for each in found_refactorings(found.cursor)}
    text = offered["Import the manifest as a resource"]
    assert text == imported(DEFINITION, SERVICE)


_NAMES = st.sampled_from(["shop", "shop-a", "other", "team-red"])
_KINDS = st.sampled_from(["ConfigMap", "Secret", "ServiceAccount", "Service"])


@st.composite
def _objects(draw: st.DrawFn) -> list[dict[str, Any]]:
    found = {}
    for kind, name in draw(st.lists(st.tuples(_KINDS, _NAMES), min_size=1, max_size=4, unique=True)):
        value: dict[str, Any] = {"apiVersion": "v1", "kind": kind, "metadata": {"name": name}}
        if kind == "Service":
            value["spec"] = {"selector": {"app": draw(_NAMES)}, "ports": [{"port": 80}]}
        elif kind == "ConfigMap":
            value["data"] = {"url": draw(st.sampled_from(["http://shop:80", "${HOME}", "other"]))}
        elif kind == "ServiceAccount":
            value["imagePullSecrets"] = [{"name": draw(_NAMES)}]
        found[kind, name] = value
    return list(found.values())


def _import_of(definition: str, manifests: list[dict[str, Any]]) -> str | None:
    """Return a definition with manifests, None where it creates one of them already."""
    try:
        return imported(definition, *map(to_yaml, manifests))
    except UnusableObjectsError as error:
        if "creates already" in str(error):
            return None
        raise


@given(_objects(), _objects(), st.sampled_from(["${schema.metadata.name}", "${schema.spec.name}", "shop"]))
@settings(max_examples=30)
def test_any_manifests(there: list[dict[str, Any]], manifests: list[dict[str, Any]], name: str) -> None:
    resources = []
    for number, value in enumerate(there):
        named = {**value, "metadata": {"name": value["metadata"]["name"].replace("shop", name)}}
        resources.append({"id": f"there{number}", "template": {**named, "data": {}} if "data" in value else named})
    schema = {"apiVersion": "v1alpha1", "kind": "App", "spec": {"name": "string | default=any"}}
    definition = rgd_around(to_yaml({"schema": schema, "resources": resources}))
    text = _import_of(definition, manifests)
    if text is None:
        return
    before, after = rendered_objects(definition), rendered_objects(text)
    assert before.items() <= after.items(), "what was there is as it was"
    assert len(after) == len(before) + len(manifests)
