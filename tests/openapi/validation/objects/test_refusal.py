"""Objects that the API server refuses, with its texts, and near misses that it takes."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kro_ls.kro.schema_index import schema_index
from kro_ls.openapi.json_values import JsonObject, Unknown
from kro_ls.openapi.kind_schema import KindSchema
from kro_ls.openapi.rules.evaluation import rule_errors
from kro_ls.openapi.sources.bundled import kubernetes
from kro_ls.openapi.validation.objects.built_in_kinds import CHECKS, check_of
from kro_ls.openapi.validation.objects.refusal import NAME_REQUIRED, problems, refusal
from tests.openapi.validation.objects.answers import seed_name, seeds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.validation.field_errors import Path

CONTAINER = {"name": "c", "image": "nginx"}


def kind_of(value: JsonObject) -> KindSchema | None:
    group, _, version = str(value["apiVersion"]).rpartition("/")
    return schema_index(kubernetes()).find(group, version, str(value["kind"]))


def object_of(api_version: str, kind: str, **fields: Any) -> JsonObject:
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": "x", "namespace": "n"}, **fields}


def deployment(container: Any = None, **spec: Any) -> JsonObject:
    template = {
        "metadata": {"labels": {"app": "x"}},
        "spec": {"containers": [CONTAINER if container is None else container]},
    }
    return object_of(
        "apps/v1", "Deployment", spec={"selector": {"matchLabels": {"app": "x"}}, "template": template, **spec}
    )


def service(*ports: Any, **spec: Any) -> JsonObject:
    return object_of("v1", "Service", spec={"ports": list(ports), **spec})


def text_of(value: JsonObject, stored: JsonObject | None = None) -> str:
    found = refusal(value, kind_of(value), None, stored)
    return found.text if found else ""


TAKEN = {
    "deployment": deployment(replicas=0),
    "ports": deployment(
        CONTAINER | {"ports": [{"containerPort": 65535, "name": "a-1"}, {"containerPort": 1, "hostPort": 0}]}
    ),
    "quantities": deployment(
        CONTAINER | {"resources": {"limits": {"cpu": 1, "memory": "1Gi"}, "requests": {"cpu": "1000m"}}}
    ),
    "one port without a name": service({"port": 80}),
    "two protocols of a port": service({"port": 53, "name": "a", "protocol": "UDP"}, {"port": 53, "name": "b"}),
    "headless": service(clusterIP="None"),
    "headless in both fields": service(clusterIP="None", clusterIPs=["None"]),
    "two addresses": service({"port": 1}, clusterIP="10.0.0.1", clusterIPs=["10.0.0.1", "2001:db8::1"]),
    "external name": service(type="ExternalName", externalName="a.b"),
    "a path in a role's name": object_of("rbac.authorization.k8s.io/v1", "Role", metadata={"name": "system:a_b.C"}),
    "labels": object_of("v1", "ConfigMap", metadata={"name": "a.b", "labels": {"a.b/C_d": "", "e": "F.g-1"}}),
    "annotations": object_of("v1", "ConfigMap", metadata={"name": "a", "annotations": {"A.b/C": "anything at all"}}),
    "schedule": object_of(
        "batch/v1",
        "CronJob",
        spec={
            "schedule": "*/5 * * * *",
            "jobTemplate": {"spec": {"template": {"spec": {"restartPolicy": "Never", "containers": [CONTAINER]}}}},
        },
    ),
}


def paths_in(value: Any, path: Path = ()) -> Iterator[Path]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, child in inner:
        yield (*path, step)
        yield from paths_in(child, (*path, step))


def with_unknown_at(value: JsonObject, path: Path) -> JsonObject:
    changed: Any = deepcopy(value)
    holder = changed
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = Unknown("${x}")
    return cast("JsonObject", changed)


@pytest.mark.parametrize("value", [*TAKEN.values(), *seeds()], ids=[*TAKEN, *map(seed_name, seeds())])
def test_nothing_is_said_of_what_depends_on_an_unknown_value(value: JsonObject) -> None:
    kind = kind_of(value)
    for path in paths_in(value):
        if path not in (("apiVersion",), ("kind",)):
            assert not [*problems(with_unknown_at(value, path), kind, rule_errors)], path


def test_a_problem_stays_whatever_else_is_unknown() -> None:
    value = deployment(CONTAINER | {"imagePullPolicy": "Sometimes", "env": [{"name": "A"}]}, replicas=2)
    for path in paths_in(value):
        at_fault = ("spec", "template", "spec", "containers", 0, "imagePullPolicy")
        if path[0] not in ("apiVersion", "kind") and path != at_fault[: len(path)]:
            found = [*problems(with_unknown_at(value, path), kind_of(value), rule_errors)]
            assert [each.path for each in found] == [at_fault], path


def test_all_problems_at_once() -> None:
    found = problems(service({"port": 0}, {"port": 1}, {"port": 1}, type="x"), kind_of(service()), None)
    assert [each.text.partition(": ")[0] for each in found] == [
        ".spec.ports",
        "spec.ports[0].name",
        "spec.ports[0].port",
        "spec.ports[1].name",
        "spec.type",
    ]


@pytest.mark.parametrize("value", TAKEN.values(), ids=TAKEN)
def test_objects_that_are_taken(value: JsonObject) -> None:
    assert text_of(value) == ""


REFUSED = [
    (
        service({"port": 1}, clusterIP="10.0.0.2", clusterIPs=["10.0.0.1"]),
        'spec.clusterIPs: Invalid value: ["10.0.0.1"]: first value must match `clusterIP`',
    ),
    (
        service({"port": 1}, clusterIPs=["10.0.0.1"]),
        'spec.clusterIPs: Invalid value: ["10.0.0.1"]: must be empty when `clusterIP` is not specified',
    ),
    (
        deployment(replicas=-1),
        'Deployment.apps "x" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    ),
    (
        deployment(CONTAINER | {"ports": [{"containerPort": 70000}]}),
        "containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive",
    ),
    (deployment(CONTAINER | {"ports": [{"containerPort": 0}]}), "ports[0].containerPort: Required value"),
    (deployment(CONTAINER | {"ports": [{"containerPort": 1, "name": "A--"}]}), "must not contain consecutive hyphens"),
    (deployment({"image": "a"}), "spec.template.spec.containers[0].name: Required value"),
    (deployment({"name": "Web", "image": "a"}), 'containers[0].name: Invalid value: "Web": a lowercase RFC 1123 label'),
    (deployment({"name": "a"}), "spec.template.spec.containers[0].image: Required value"),
    (
        deployment(CONTAINER | {"volumeMounts": [{"name": "v", "mountPath": "/v"}]}),
        'volumeMounts[0].name: Not found: "v"',
    ),
    (
        deployment(CONTAINER | {"resources": {"limits": {"memory": "1Gi"}, "requests": {"memory": "2Gi"}}}),
        'resources.requests: Invalid value: "2Gi": must be less than or equal to memory limit of 1Gi',
    ),
    (deployment(CONTAINER | {"resources": {"limits": {"cpu": "-1"}}}), "must be greater than or equal to 0"),
    (
        deployment(CONTAINER | {"resources": {"limits": {"cpu": "1 core"}}}),
        "quantities must match the regular expression",
    ),
    (
        deployment(CONTAINER | {"env": [{"name": "A"}, {"name": "A"}]}),
        'containers[name="c"].env: duplicate entries for key [name="A"]',
    ),
    (
        deployment(CONTAINER | {"env": [{"name": "A=B"}]}),
        'env[0].name: Invalid value: "A=B": a valid environment variable name',
    ),
    (
        object_of("apps/v1", "Deployment"),
        "`selector` does not match template `labels`, spec.template.spec.containers: Required value]",
    ),
    (object_of("v1", "Service"), "spec.ports: Required value"),
    (object_of("v1", "Pod"), "spec.containers: Required value"),
    (object_of("batch/v1", "CronJob"), "spec.jobTemplate.spec.template.spec.containers: Required value"),
    (object_of("networking.k8s.io/v1", "Ingress"), "spec: Invalid value: null: either `defaultBackend` or `rules`"),
    (object_of("networking.k8s.io/v1", "Ingress", spec={"rules": []}), "either `defaultBackend` or `rules`"),
    (deployment(selector={"matchLabels": {"app": "y"}}), "`selector` does not match template `labels`"),
    (
        deployment(selector={"matchLabels": {"app": "a b"}}),
        'spec.selector.matchLabels: Invalid value: "a b": a valid label',
    ),
    (
        service({"port": 80, "targetPort": "HTTP"}),
        "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)",
    ),
    (service({"port": -1}), "spec.ports[0].port: Invalid value: -1: must be between 1 and 65535, inclusive"),
    (service(), "spec.ports: Required value"),
    (service({"port": 1}, {"port": 2}), "[spec.ports[0].name: Required value, spec.ports[1].name: Required value]"),
    (service({"port": 80, "nodePort": 80}, type="NodePort"), "The range of valid ports is 30000-32767"),
    (
        object_of("v1", "Namespace", metadata={"name": "a.b"}),
        'metadata.name: Invalid value: "a.b": must not contain dots',
    ),
    (object_of("v1", "Service", metadata={"name": "a" * 64}), "must be no more than 63 characters"),
    (object_of("v1", "ConfigMap", metadata={"name": "a", "namespace": "A"}), "metadata.namespace: Invalid value"),
    (object_of("v1", "ConfigMap", metadata={"name": "a", "labels": {"a b": ""}}), "metadata.labels: Invalid value"),
    (
        object_of("v1", "ConfigMap", metadata={"name": "a", "annotations": {"a/b/c": ""}}),
        "metadata.annotations: Invalid value",
    ),
    (
        object_of("v1", "ConfigMap", metadata={"name": "a", "generateName": "Ab-"}),
        "metadata.generateName: Invalid value",
    ),
    (
        object_of("v1", "ConfigMap", data={"a b": "1"}),
        'data[a b]: Invalid value: "a b": a valid config key must consist of',
    ),
    (object_of("v1", "Secret", data={"a": "not base64!"}), "illegal base64 data at input byte 3"),
    (
        object_of("rbac.authorization.k8s.io/v1", "Role", metadata={"name": "a/b"}),
        "invalid resource name \"a/b\": [may not contain '/']",
    ),
    (object_of("v1", "Secret", metadata={"name": "a/b%"}), "\"a/b%\": [may not contain '/' may not contain '%']"),
    (object_of("batch/v1", "CronJob", metadata={"name": "a" * 53}), "must be no more than 52 characters"),
    (object_of("v1", "ConfigMap", metadata={}), NAME_REQUIRED),
    (
        object_of("example.com/v1", "Unknown", metadata={"name": "A_b"}),
        'Unknown.example.com "A_b" is invalid: metadata.name',
    ),
]


@pytest.mark.parametrize(("value", "text"), REFUSED, ids=[text[-60:] for _, text in REFUSED])
def test_objects_that_are_refused(value: JsonObject, text: str) -> None:
    assert text in text_of(value)


@pytest.mark.parametrize(
    ("stored", "value", "text"),
    [
        (deployment(), deployment(replicas=3), ""),
        (
            deployment(),
            deployment(
                selector={"matchLabels": {"app": "y"}},
                template={"metadata": {"labels": {"app": "y"}}, "spec": {"containers": [CONTAINER]}},
            ),
            'spec.selector: Invalid value: {"matchLabels":{"app":"y"}}: field is immutable',
        ),
        (
            service({"port": 1}, clusterIP="10.0.0.1"),
            service({"port": 1}, clusterIP="10.0.0.2"),
            "may not change once set",
        ),
        (object_of("v1", "Secret", type="Opaque"), object_of("v1", "Secret", type="a/b"), "type: Invalid value"),
    ],
)
def test_an_edit(stored: JsonObject, value: JsonObject, text: str) -> None:
    assert text in text_of(value, stored)
    assert bool(text_of(value, stored)) is bool(text)


def test_the_path_leads_to_the_field() -> None:
    value = deployment(CONTAINER | {"ports": [{"containerPort": 70000}]})
    found = refusal(value, kind_of(value), None)
    assert found
    assert found.path == ("spec", "template", "spec", "containers", 0, "ports", 0, "containerPort")


def test_what_is_not_known_is_not_refused() -> None:
    value = deployment(CONTAINER | {"ports": [{"containerPort": 70000}]}, replicas=-1)
    found = refusal(value, kind_of(value), None, None, lambda path: path[-1] != "replicas")
    assert found
    assert "replicas" not in found.text
    assert refusal(value, kind_of(value), None, None, lambda _: False) is None


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 99999) | st.sampled_from(["", "a", "A b", "1Gi", "x/y"]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from(["name", "ports", "port", "containers", "spec", "template", "metadata"]), inner
        )
    ),
    max_leaves=12,
)
KINDS = sorted(CHECKS)


@pytest.mark.parametrize("kind", KINDS)
def test_the_table_names_a_check_for_each_kind(kind: tuple[str, str]) -> None:
    assert callable(check_of(kind))


@given(st.sampled_from(KINDS), VALUES, VALUES, VALUES)
def test_no_object_raises(kind: tuple[str, str], spec: Any, metadata: Any, data: Any) -> None:
    group, name = kind
    version = {"autoscaling": "v2"}.get(group, "v1")
    value: JsonObject = {"apiVersion": f"{group}/{version}".lstrip("/"), "kind": name, "spec": spec, "data": data}
    value["metadata"] = {"name": "x", "labels": metadata, "annotations": metadata}
    refusal(value, kind_of(value), None)
    refusal(value, kind_of(value), None, {**value, "spec": data})
