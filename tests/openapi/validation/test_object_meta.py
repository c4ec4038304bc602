"""Kubernetes' own rules for the name of an object."""

import pytest

from kro_ls.openapi.json_values import JsonObject, JsonValue
from kro_ls.openapi.validation.object_meta import metadata_errors


def texts(metadata: JsonValue) -> list[str]:
    return [error.text for error in metadata_errors({"metadata": metadata}, namespaced=True)]


@pytest.mark.parametrize("metadata", [{"name": "a.b-1"}, {"generateName": "a-"}, {"name": 5}, [], "a"])
def test_names_and_what_is_not_a_name_at_all(metadata: JsonValue) -> None:
    assert texts(metadata) == []


@pytest.mark.parametrize("metadata", [{}, {"name": ""}, {"name": None}, {"generateName": ""}])
def test_an_object_needs_a_name(metadata: JsonValue) -> None:
    assert texts(metadata) == ["metadata.name: Required value: name or generateName is required"]
    assert [error.path for error in metadata_errors({}, namespaced=True)] == [("metadata", "name")]


@pytest.mark.parametrize("name", ["A", "a_b", "-a", "a.", "a..b", "ä"])
def test_a_name_is_a_subdomain(name: str) -> None:
    (text,) = texts({"name": name})
    assert text.startswith(f'metadata.name: Invalid value: "{name}": a lowercase RFC 1123 subdomain must consist of')


def test_a_long_name() -> None:
    assert texts({"name": "a" * 253}) == []
    (text,) = texts({"name": "a" * 254})
    assert text.endswith(": must be no more than 253 characters")


@pytest.mark.parametrize(
    ("metadata", "text"),
    [
        ({"generateName": "A_b"}, 'metadata.generateName: Invalid value: "A_b": a lowercase RFC 1123 subdomain'),
        ({"namespace": "a.b"}, 'metadata.namespace: Invalid value: "a.b": must not contain dots'),
        ({"labels": {"a": "b c"}}, 'metadata.labels: Invalid value: "b c": a valid label must be'),
        ({"labels": {"/a": "b"}}, 'metadata.labels: Invalid value: "/a": prefix part must be non-empty'),
        ({"annotations": {"a": "x" * 262144}}, "metadata.annotations: Too long: may not be more than 262144 bytes"),
        (
            {"finalizers": ["orphan", "foregroundDeletion"]},
            'metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and',
        ),
        (
            {"ownerReferences": [{"apiVersion": "v1/", "kind": "A", "name": "a", "uid": "b"}]},
            'metadata.ownerReferences.apiVersion: Invalid value: "v1/": version must not be empty',
        ),
    ],
)
def test_what_the_api_server_refuses(metadata: JsonObject, text: str) -> None:
    (found,) = texts({"name": "a", **metadata})
    assert found.startswith(text)


def test_what_the_api_server_takes() -> None:
    owner: JsonValue = {"apiVersion": "/v1", "kind": "A", "name": "a", "uid": "b", "controller": True}
    annotations: JsonValue = {"UP.com/A": "any thing", "a": "x" * 262126}
    metadata: JsonObject = {"name": "a", "labels": {"a.b/D": "", "x" * 63: "x" * 63}, "annotations": annotations}
    assert texts({**metadata, "ownerReferences": [owner], "finalizers": ["a/b"], "generateName": "a-"}) == []
