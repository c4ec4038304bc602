"""Kinds across sources."""

from typing import Any

import pytest

from kro_ls.kro.rgd_schema import RGD, RGD_SCHEMA
from kro_ls.kro.schema_index import schema_index
from kro_ls.openapi.index import SchemaIndex
from kro_ls.openapi.json_values import JsonObject, JsonValue, as_object
from kro_ls.openapi.kind_schema import newest_first, version_priority
from kro_ls.openapi.schema import Schema
from kro_ls.openapi.sources.bundled import OBJECT_META, Lifetime, kubernetes
from kro_ls.openapi.sources.crds.source import CrdSource
from kro_ls.openapi.sources.crds.structural import structural_problems

CRD = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: tables.example.com}
spec:
  group: example.com
  names: {kind: Table, plural: tables}
  scope: Cluster
  versions:
  - {name: v1beta1, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: fakes.apps}
spec:
  group: apps
  names: {kind: Deployment, plural: fakes}
  scope: Cluster
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
"""


@pytest.fixture(scope="module")
def index() -> SchemaIndex:
    source = kubernetes("1.36")
    meta = source.definition("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta")
    return schema_index(source, [CrdSource([("crd.yaml", CRD)], meta)])


def test_find_looks_everywhere(index: SchemaIndex) -> None:
    for api_version, kind, namespaced in [
        ("v1", "ConfigMap", True),
        ("example.com/v1", "Table", False),
        ("kro.run/v1alpha1", "ResourceGraphDefinition", False),
    ]:
        found = index.find_api_version(api_version, kind)
        assert found is not None
        assert found.namespaced is namespaced
        assert str(found.name) == f"{api_version} {kind}"
    assert index.find("example.com", "v2", "Table") is None
    assert index.find_api_version("a/b/c", "Table") is None


def test_kubernetes_kinds_cannot_be_replaced(index: SchemaIndex) -> None:
    found = index.find("apps", "v1", "Deployment")
    assert found is not None
    assert found.plural == "deployments"


def test_kinds_are_listed_once_best_version_first(index: SchemaIndex) -> None:
    kinds = index.kinds()
    assert len(kinds) == len(set(kinds))
    assert [name.version for name in kinds if name.kind == "Table"] == ["v1", "v1beta1"]
    assert {name.kind for name in kinds} >= {"Pod", "Deployment", "ResourceGraphDefinition", "Table"}


def test_which_groups_are_kubernetes(index: SchemaIndex) -> None:
    for group, version in [("", "v1"), ("apps", "v1"), ("apps", "v7"), ("networking.k8s.io", "v1")]:
        assert index.is_kubernetes_group(group, version)
    for group, version in [("example.com", "v1"), ("gateway.networking.k8s.io", "v1"), ("kro.run", "v1alpha1")]:
        assert not index.is_kubernetes_group(group, version)


@pytest.mark.parametrize(
    ("group", "version", "kind", "best"),
    [
        ("", "v1", "Deployment", "apps/v1 Deployment"),
        ("apps", "v1", "Deploymnet", "apps/v1 Deployment"),
        ("apps", "v1", "deployment", "apps/v1 Deployment"),
        ("extensions", "v1beta1", "Ingress", "networking.k8s.io/v1 Ingress"),
        ("", "v1", "Confgmap", "v1 ConfigMap"),
        ("example.com", "v3", "Table", "example.com/v1 Table"),
        ("", "v1", "Servise", "v1 Service"),
        ("app", "v1", "Deployment", "apps/v1 Deployment"),
        ("exmple.com", "v1", "Table", "example.com/v1 Table"),
    ],
)
def test_did_you_mean(index: SchemaIndex, group: str, version: str, kind: str, best: str) -> None:
    assert str(index.similar(group, version, kind)[0]) == best


def test_nothing_similar(index: SchemaIndex) -> None:
    assert index.similar("example.org", "v1", "Xyzzy") == ()
    assert index.similar("serviceusage.cnrm.cloud.google.com", "v1beta1", "Service") == ()
    assert len(index.similar("", "v1", "Persistent")) <= 3


def test_a_word_in_common_makes_no_kinds_alike() -> None:
    table = CRD.partition("---")[0]
    kinds = ("EKSController", "EC2Controller", "QueuePolicy")
    texts = [table.replace("kind: Table", f"kind: {kind}").replace("tables", f"{kind}s".lower()) for kind in kinds]
    source = kubernetes("1.36")
    crds = CrdSource([("crd.yaml", "---\n".join(texts))], source.definition(OBJECT_META))
    index = schema_index(source, [crds])

    def similar(kind: str) -> list[str]:
        return [name.kind for name in index.similar("example.com", "v1", kind)]

    assert similar("SQSController") == []
    assert similar("EKSControler")[0] == "EKSController"
    assert similar("EKKController")[0] == "EKSController"
    assert similar("QueuPolicy")[0] == "QueuePolicy"
    assert similar("Queuepolicy")[0] == "QueuePolicy"


def test_lifetimes(index: SchemaIndex) -> None:
    assert index.lifetime("extensions", "v1beta1", "Ingress") == Lifetime(None, "1.22")
    assert index.lifetime("example.com", "v1", "Table") is None


def test_versions_are_ordered_as_the_api_server_prefers_them() -> None:
    versions = ["v1alpha1", "foo", "v1", "v10", "v2beta1", "v2", "v1beta2", "v1beta1", "bar", "v2alpha1"]
    assert sorted(versions, key=version_priority) == [
        *("v10", "v2", "v1", "v2beta1", "v1beta2", "v1beta1", "v2alpha1", "v1alpha1", "bar", "foo")
    ]


def undescribed(schema: JsonObject, path: str = "") -> list[str]:
    found = [] if schema.get("description") else [path]
    children: list[tuple[str, JsonValue]] = list(as_object(schema.get("properties")).items())
    children += [("[]", schema["items"])] if "items" in schema else []
    return found + [entry for name, child in children for entry in undescribed(as_object(child), f"{path}.{name}")]


def test_the_schema_of_resource_graph_definitions(index: SchemaIndex) -> None:
    assert list(structural_problems(RGD_SCHEMA)) == []
    # Short names and categories need no description; metadata is described when published.
    assert undescribed(RGD_SCHEMA) == [
        ".metadata",
        ".spec.schema.shortNames.[]",
        ".spec.schema.categories.[]",
    ]
    found = index.find(RGD.group, RGD.version, RGD.kind)
    assert found is not None
    schema = Schema(found.schema)
    scope = schema.field(("spec", "schema", "scope"))
    assert scope is not None
    assert (scope.default, scope.enum) == ("Namespaced", ("Namespaced", "Cluster"))
    group = schema.field(("spec", "schema", "group"))
    assert group is not None
    assert group.default == "kro.run"
    assert schema.field(("metadata", "labels", "a")) is not None
    assert schema.field(("spec", "resources", 0, "template", "spec", "anything")) is not None
    assert schema.field(("spec", "resources", 0, "tmplate")) is None
    assert schema.field(("spec", "schema", "validation")) is None


def test_what_was_similar_is_reported_though_another_thread_empties_the_table() -> None:
    class Emptied(dict[Any, Any]):
        def __setitem__(self, key: Any, value: Any) -> None:
            self.clear()

    index = SchemaIndex(kubernetes())
    index._similar = Emptied()
    assert [each.kind for each in index.similar("apps", "v1", "Deploymnt")][:1] == ["Deployment"]


def test_of_versions_with_a_date_the_newest_comes_first() -> None:
    versions = ["v1api20200930", "v1", "v1api20240601", "v1beta1", "v1api20230202"]
    assert sorted(versions, key=newest_first) == ["v1", "v1beta1", "v1api20240601", "v1api20230202", "v1api20200930"]
