"""Schemas from a cluster's own OpenAPI documents."""

import json

from kro_ls.kro.schema_index import schema_index
from kro_ls.openapi.json_values import JsonObject, as_object
from kro_ls.openapi.kind_schema import GroupVersionKind
from kro_ls.openapi.sources.bundled import OBJECT_META, Lifetime
from kro_ls.openapi.sources.dump import DumpedKubernetes

WIDGET = GroupVersionKind("example.com", "v1", "Widget")
NODE = GroupVersionKind("", "v1", "Node")
INT_OR_STRING = "io.k8s.apimachinery.pkg.util.intstr.IntOrString"


def gvk(name: GroupVersionKind) -> JsonObject:
    return {"group": name.group, "version": name.version, "kind": name.kind}


def paths() -> JsonObject:
    def operations(name: GroupVersionKind) -> JsonObject:
        return {"get": {"x-kubernetes-group-version-kind": gvk(name)}, "parameters": []}

    widgets = "/apis/example.com/v1/namespaces/{namespace}/widgets"
    return {
        "/apis/example.com/v1/": {"get": {}},
        "/apis/example.com/v1/widgets": operations(WIDGET),
        f"{widgets}/{{name}}/status": operations(WIDGET),
        widgets: operations(WIDGET),
        f"{widgets}/{{name}}": operations(WIDGET),
        f"{widgets}/{{name}}/scale": operations(GroupVersionKind("autoscaling", "v1", "Scale")),
        "/apis/example.com/v1/watch/widgets": operations(WIDGET),
        "/api/v1/nodes/{name}": operations(NODE),
        "/version": {"get": {}},
    }


def schemas(prefix: str) -> JsonObject:
    return {
        "com.example.v1.Widget": {
            "type": "object",
            "x-kubernetes-group-version-kind": [gvk(WIDGET)],
            "properties": {
                "metadata": {"description": "data", "allOf": [{"$ref": prefix + OBJECT_META}], "default": {}},
                "port": {"$ref": prefix + INT_OR_STRING},
            },
        },
        "io.k8s.api.core.v1.Node": {"type": "object", "x-kubernetes-group-version-kind": [gvk(NODE)]},
        OBJECT_META: {"type": "object", "properties": {"name": {"type": "string"}}},
        INT_OR_STRING: {"type": "string", "format": "int-or-string"},
    }


SWAGGER = json.dumps({"swagger": "2.0", "definitions": schemas("#/definitions/"), "paths": paths()})
V3 = json.dumps({"openapi": "3.0.0", "components": {"schemas": schemas("#/components/schemas/")}, "paths": paths()})


def test_both_forms_are_read() -> None:
    for text in (SWAGGER, V3):
        dump = DumpedKubernetes([("cluster.json", text)])
        assert dump.problems == []
        found = dump.find(WIDGET)
        assert found is not None
        assert (found.plural, found.namespaced, found.subresources) == ("widgets", True, ("scale", "status"))
        assert found.source == "cluster.json"
        properties = as_object(found.schema["properties"])
        assert properties["metadata"] == {
            "type": "object",
            "description": "data",
            "properties": {"name": {"type": "string"}},
        }
        assert as_object(properties["port"])["oneOf"] == [{"type": "integer"}, {"type": "string"}]
        node = dump.find(NODE)
        assert node is not None
        assert (node.plural, node.namespaced) == ("nodes", False)
        assert set(dump.names()) == {WIDGET, NODE}


def test_documents_of_several_groups_are_put_together() -> None:
    document = json.loads(V3)
    first = {**document, "paths": {"/api/v1/nodes/{name}": document["paths"]["/api/v1/nodes/{name}"]}}
    second = {**document, "paths": {url: item for url, item in document["paths"].items() if "example.com" in url}}
    dump = DumpedKubernetes([("a.json", json.dumps(first)), ("b.json", json.dumps(second))])
    assert dump.find(WIDGET) is not None
    assert dump.find(NODE) is not None
    assert dump.has_group_version("example.com", "v1")
    assert not dump.has_group_version("apps", "v1")


def test_what_cannot_be_used_is_named_and_the_rest_counts() -> None:
    deep = '{"a":' * 100_000 + "1" + "}" * 100_000
    dump = DumpedKubernetes(
        [("x", "{"), ("y", "[]"), ("z", '{"definitions": {"A": 3}, "paths": 3}'), ("d", deep), ("ok", V3)]
    )
    assert [problem.path for problem in dump.problems] == ["x", "y", "d"]
    assert dump.find(WIDGET) is not None


def test_an_index_over_a_dump() -> None:
    index = schema_index(DumpedKubernetes([("ok", V3)]))
    assert index.find("apps", "v1", "Deployment") is None
    assert index.find_api_version("kro.run/v1alpha1", "ResourceGraphDefinition") is not None
    assert index.lifetime("extensions", "v1beta1", "Ingress") == Lifetime(None, "1.22")
    assert index.object_meta["properties"] == {"name": {"type": "string"}}


def test_object_metadata_is_bundled_where_the_dump_has_none() -> None:
    index = schema_index(DumpedKubernetes([]))
    assert "labels" in as_object(index.object_meta["properties"])
