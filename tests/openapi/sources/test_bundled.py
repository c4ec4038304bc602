"""The bundled Kubernetes schemas."""

import subprocess
import sys

import pytest

from kro_ls.openapi.json_values import JsonObject, JsonValue, as_object
from kro_ls.openapi.kind_schema import GroupVersionKind
from kro_ls.openapi.sources.bundled import OBJECT_META, Lifetime, UnknownMinorError, kubernetes, minors

DEPLOYMENT = GroupVersionKind("apps", "v1", "Deployment")
CRD_SCHEMA = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps"


def walk(schema: JsonValue, *path: str) -> JsonObject:
    for step in path:
        schema = as_object(schema)[step]
    return as_object(schema)


def keywords(value: JsonValue) -> set[str]:
    """Every key anywhere in `value` (shared parts are visited once)."""
    found: set[str] = set()
    seen: set[int] = set()
    pending = [value]
    while pending:
        node = pending.pop()
        if id(node) in seen or not isinstance(node, dict | list):
            continue
        seen.add(id(node))
        if isinstance(node, dict):
            found.update(node)
            pending.extend(node.values())
        else:
            pending.extend(node)
    return found


def test_at_least_the_four_newest_minors_are_there_newest_first() -> None:
    numbers = [int(minor.partition(".")[2]) for minor in minors()]
    assert numbers == list(range(numbers[0], numbers[0] - len(numbers), -1))
    assert len(numbers) >= 4
    assert kubernetes().minor == minors()[0]


@pytest.mark.parametrize("spelling", ["1.36", "v1.36", "1.36.2", " 1.36 "])
def test_a_minor_may_be_named_in_the_usual_ways(spelling: str) -> None:
    assert kubernetes(spelling).minor == "1.36"


@pytest.mark.parametrize("spelling", ["1.5", "newest", "", "1"])
def test_an_unknown_minor_names_the_known_ones(spelling: str) -> None:
    with pytest.raises(UnknownMinorError, match=r"is not bundled; there are .*1\.36"):
        kubernetes(spelling)


def test_deployment_is_served_as_in_a_cluster() -> None:
    found = kubernetes("1.36").find(DEPLOYMENT)
    assert found is not None
    assert (found.plural, found.namespaced, found.subresources) == ("deployments", True, ("scale", "status"))
    assert (found.source, found.deprecation, found.stability) == ("Kubernetes 1.36", None, "stable")
    assert found is kubernetes("1.36").find(DEPLOYMENT)
    assert found.schema is found.schema


def test_core_kinds_have_no_group() -> None:
    found = kubernetes("1.36").find(GroupVersionKind("", "v1", "Namespace"))
    assert found is not None
    assert not found.namespaced
    assert found.subresources == ("finalize", "status")


def test_references_are_replaced_all_the_way_down() -> None:
    found = kubernetes("1.36").find(DEPLOYMENT)
    assert found is not None
    replicas = walk(found.schema, "properties", "spec", "properties", "replicas")
    assert (replicas["type"], replicas["format"]) == ("integer", "int32")
    container = walk(found.schema, "properties", "spec", "properties", "template", "properties", "spec", "properties")
    assert walk(container, "containers", "items")["required"] == ["name"]
    assert walk(container, "containers")["x-kubernetes-list-map-keys"] == ["name"]


def test_a_reference_keeps_the_description_of_its_field() -> None:
    found = kubernetes("1.36").find(DEPLOYMENT)
    assert found is not None
    assert walk(found.schema, "properties", "metadata")["description"].startswith("Standard object's metadata.")  # type: ignore[union-attr]  # descriptions are strings


@pytest.mark.parametrize("minor", minors())
def test_every_kind_of_every_minor_resolves_to_published_form(minor: str) -> None:
    source = kubernetes(minor)
    names = list(source.names())
    assert len(names) > 75
    for name in names:
        found = source.find(name)
        assert found is not None
        assert found.plural == found.plural.lower()
        properties = as_object(found.schema["properties"])
        assert as_object(properties["apiVersion"])["type"] == "string"
        assert {"$ref", "enum"} & set(properties) == set()
        assert "name" in as_object(as_object(properties["metadata"])["properties"])


def test_the_rewrites_of_the_source_package_are_undone() -> None:
    source = kubernetes("1.36")
    for name in (DEPLOYMENT, GroupVersionKind("", "v1", "Pod"), GroupVersionKind("batch", "v1", "CronJob")):
        found = source.find(name)
        assert found is not None
        assert "enum" not in as_object(found.schema["properties"])["apiVersion"]  # type: ignore[operator]  # it is an object
        assert "$ref" not in keywords(found.schema)
    for definition in ("io.k8s.api.core.v1.PodSpec", OBJECT_META):
        assert all(
            isinstance(as_object(field).get("type", ""), str)
            for field in as_object(source.definition(definition)["properties"]).values()
        )


def test_int_or_string_and_quantity_have_their_v3_form() -> None:
    int_or_string = dict(kubernetes("1.36").definition("io.k8s.apimachinery.pkg.util.intstr.IntOrString"))
    assert int_or_string.pop("description")
    assert int_or_string == {"format": "int-or-string", "oneOf": [{"type": "integer"}, {"type": "string"}]}
    quantity = dict(kubernetes("1.36").definition("io.k8s.apimachinery.pkg.api.resource.Quantity"))
    assert quantity.pop("description")
    assert quantity == {"oneOf": [{"type": "string"}, {"type": "number"}]}


def test_circular_references_are_cut_to_an_object_without_properties() -> None:
    properties = kubernetes("1.36").definition(CRD_SCHEMA)["properties"]
    assert walk(properties, "not") == {"type": "object"}
    assert walk(properties, "properties") == {"type": "object", "additionalProperties": {"type": "object"}}
    crd = kubernetes("1.36").find(GroupVersionKind("apiextensions.k8s.io", "v1", "CustomResourceDefinition"))
    assert crd is not None
    version = walk(crd.schema, "properties", "spec", "properties", "versions", "items", "properties", "schema")
    assert walk(version, "properties", "openAPIV3Schema", "properties", "not") == {"type": "object"}


def test_minors_differ() -> None:
    workload = GroupVersionKind("scheduling.k8s.io", "v1alpha2", "Workload")
    assert kubernetes("1.36").find(workload) is not None
    assert kubernetes("1.35").find(workload) is None
    assert kubernetes("1.36").lifetime(workload) == Lifetime("1.36", "1.37")


def test_what_is_deprecated_says_since_when() -> None:
    endpoints = kubernetes("1.36").find(GroupVersionKind("", "v1", "Endpoints"))
    assert endpoints is not None
    assert endpoints.deprecation is not None
    assert "v1.33" in endpoints.deprecation


@pytest.mark.parametrize(
    ("minor", "api_version", "kind", "expected"),
    [
        (
            "1.36",
            "certificates.k8s.io/v1alpha1",
            "ClusterTrustBundle",
            ["does not have", "Use certificates.k8s.io/v1beta1."],
        ),
        ("1.36", "networking.k8s.io/v1beta1", "IPAddress", ["Kubernetes 1.37", "Use networking.k8s.io/v1."]),
        ("1.32", "networking.k8s.io/v1beta1", "IPAddress", ["Kubernetes 1.37"]),
        ("1.36", "autoscaling/v1", "HorizontalPodAutoscaler", []),
        ("1.36", "autoscaling/v2", "HorizontalPodAutoscaler", []),
    ],
)
def test_what_will_go_and_what_is_better(minor: str, api_version: str, kind: str, expected: list[str]) -> None:
    group, _, version = api_version.rpartition("/")
    found = kubernetes(minor).find(GroupVersionKind(group, version, kind))
    assert found is not None
    assert all(part in (found.deprecation or "") for part in expected), found.deprecation
    assert (found.deprecation is None) is (not expected)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (GroupVersionKind("extensions", "v1beta1", "Ingress"), Lifetime(None, "1.22")),
        (GroupVersionKind("batch", "v1beta1", "CronJob"), Lifetime(None, "1.25")),
        (GroupVersionKind("autoscaling", "v2beta2", "HorizontalPodAutoscaler"), Lifetime(None, "1.26")),
        (GroupVersionKind("flowcontrol.apiserver.k8s.io", "v1beta3", "FlowSchema"), Lifetime("1.26", "1.32")),
        (DEPLOYMENT, None),
        (GroupVersionKind("example.com", "v1", "Thing"), None),
    ],
)
def test_lifetimes(name: GroupVersionKind, expected: Lifetime | None) -> None:
    assert kubernetes().lifetime(name) == expected


def test_what_is_not_there() -> None:
    source = kubernetes("1.36")
    assert source.find(GroupVersionKind("apps", "v1", "Deploymint")) is None
    assert source.find(GroupVersionKind("apps", "v9", "Deployment")) is None
    assert source.has_group_version("apps", "v1")
    assert source.has_group_version("", "v1")
    assert not source.has_group_version("apps", "v9")
    with pytest.raises(KeyError):
        source.definition("io.k8s.api.core.v1.Nothing")


def test_a_lookup_imports_no_yaml_parser() -> None:
    script = (
        "import sys; from kro_ls.openapi.sources.bundled import kubernetes; "
        "from kro_ls.kro.schema_index import schema_index; "
        "assert schema_index(kubernetes()).find('apps', 'v1', 'Deployment').schema; "
        "print([name for name in sys.modules if name.startswith('ruamel') or name in ('jsonschema', 'networkx')])"
    )
    finished = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert finished.stdout.strip() == "[]"
