"""The request for the definitions in a document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.fixtures.client import Client
from tests.fixtures.definitions import rgd

if TYPE_CHECKING:
    from pathlib import Path

ONE = rgd("- id: a\n  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}")
OTHER = ONE.replace("kind: App", "kind: Other")


def test_each_definition_has_its_kind_its_place_and_its_instances(tmp_path: Path) -> None:
    uri, instance = (tmp_path / "rgd.yaml").as_uri(), (tmp_path / "one.yaml").as_uri()
    with Client() as client:
        client.initialize({}, rootUri=tmp_path.as_uri())
        client.open("apiVersion: kro.run/v1alpha1\nkind: Other\nmetadata: {name: one}\nspec: {name: a}\n", instance)
        client.open(f"a: b\n---\n{ONE}---\n{OTHER}", uri)
        app, other = client.request("kro-ls/definitions", {"uri": uri})
    assert (app["kind"], app["instances"]) == ("App", [])
    assert (other["kind"], [each["uri"] for each in other["instances"]]) == ("Other", [instance])
    first = app["range"]["start"]["line"]
    assert first == 1  # of the separator
    assert other["range"]["start"]["line"] == first + ONE.count("\n") + 1


def test_a_document_that_is_not_open_has_none() -> None:
    with Client() as client:
        client.initialize({})
        answer = client.exchange("kro-ls/definitions", {"uri": "file:///gone.yaml"})
    assert "must be that of an open document" in answer["error"]["message"]
