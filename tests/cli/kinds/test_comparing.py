"""`kro-ls kinds check`, with a kubectl of the test's own."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kro_ls.openapi.json_values import JsonObject, JsonValue, as_object
from kro_ls.render.yaml_text import to_yaml
from kro_ls.workspace.gathering.comparison import Difference, difference
from tests.fixtures.crds import crd
from tests.fixtures.kubectl import FakeKubectl
from tests.fixtures.processes import Invoke

CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?limit=200"


def changed(**fields: JsonValue) -> JsonObject:
    """Return a definition of Widget with other fields in its `spec`; the schema of a name is None to remove it."""
    definition = crd()
    versions = as_object(definition["spec"])["versions"]
    assert isinstance(versions, list)
    schema = as_object(as_object(as_object(versions[0])["schema"])["openAPIV3Schema"])
    properties = as_object(as_object(as_object(schema["properties"])["spec"])["properties"])
    for name, each in fields.items():
        properties.pop(name, None)
        if each is not None:
            properties[name] = each
    return definition


@pytest.fixture
def fake(tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch) -> FakeKubectl:
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    return FakeKubectl(tmp_path / "bin", {"/openapi/v3": {"paths": {}}})


def serve(fake: FakeKubectl, *definitions: JsonObject) -> None:
    items: list[JsonValue] = [*definitions]
    page: JsonObject = {"items": items}
    fake.answers[CRDS] = page
    fake.save()


def test_what_is_the_same(invoke: Invoke, store: Path, fake: FakeKubectl) -> None:
    serve(fake, crd())
    invoke("kinds", "pull")
    result = invoke("kinds", "check")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "1 agree, 0 differ, 0 only in the cluster\n", "")
    assert invoke("kinds", "check", "-q").output == ""


def test_fields_and_versions_that_differ(invoke: Invoke, store: Path, fake: FakeKubectl) -> None:
    Path("w.yaml").write_text(to_yaml(crd()))
    invoke("kinds", "add", "w.yaml")
    serve(
        fake,
        changed(size=None, name={"type": "integer"}, more={"type": "object", "properties": {"a": {"type": "string"}}}),
    )
    result = invoke("kinds", "check", "--context", "test")
    reported, _, source = result.stdout.splitlines()[0].partition(" (")
    assert reported == (
        "example.com/v1 Widget: the cluster has spec.more; the cluster lacks spec.size; other in the cluster: spec.name"
    )
    assert source.startswith("w.yaml, ")
    assert result.exit_code == 1
    serve(fake, crd("Widget", "example.com", "v1", "v2"))
    result = invoke("kinds", "check", "-q")
    assert result.exit_code == 1
    assert result.stdout.startswith("example.com/v2 Widget: the cluster serves this version, w.yaml, ")


def test_kinds_that_only_one_has(invoke: Invoke, store: Path, fake: FakeKubectl) -> None:
    Path("w.yaml").write_text(to_yaml(crd()))
    invoke("kinds", "add", "w.yaml")
    serve(fake, crd("Gadget", "other.org"))
    result = invoke("kinds", "check")
    assert result.exit_code == 0
    assert result.stdout == (
        "0 agree, 0 differ, 1 only in the cluster\n"
        "not known here: other.org; 'kro-ls kinds pull' adds them\n"
        "in your store, not in the cluster: Widget.example.com\n"
    )


def test_definitions_of_kro_itself_are_not_compared(invoke: Invoke, store: Path, fake: FakeKubectl) -> None:
    """What kro-ls knows of ResourceGraphDefinitions is its own, and says more than the cluster's definition."""
    serve(fake, crd("ResourceGraphDefinition", "kro.run", "v1alpha1"), crd())
    invoke("kinds", "pull")
    result = invoke("kinds", "check")
    assert (result.exit_code, result.stdout) == (0, "1 agree, 0 differ, 0 only in the cluster\n")


def test_a_cluster_that_does_not_answer(invoke: Invoke, fake: FakeKubectl) -> None:
    fake.answers[CRDS] = "error: boom"
    fake.save()
    result = invoke("kinds", "check")
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", "Error: context 'test': boom\n")


def test_a_difference_is_about_fields() -> None:
    items: JsonObject = {"type": "array", "items": {"type": "object", "properties": {"a": {"type": "string"}}}}
    before: JsonObject = {"properties": {"metadata": {}, "list": items, "kind": {"type": "string"}}}
    entry: JsonObject = {
        "type": "object",
        "properties": {"a": {"type": "string", "enum": ["x"]}, "b": {}},
        "required": ["b"],
    }
    after: JsonObject = {"description": "other", "properties": {"list": {"type": "array", "items": entry}}}
    assert difference(before, after) == Difference(("list[].b",), (), ("list[].a",))
    assert not difference(before, before)
