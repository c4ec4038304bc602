"""The instance that represents an RGD."""

from __future__ import annotations

import pytest

from kro_ls.analysis.analysis import RgdAnalysis, analyze
from kro_ls.workspace.instances import Chosen, FoundInstance, find_instance
from kro_ls.yaml_positions.text import Text

RGD = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: app}
spec:
  schema:
    apiVersion: v1
    kind: App
    spec: {name: string}
"""
URI = "file:///b/rgd.yaml"


def definition() -> RgdAnalysis:
    return analyze(Text(RGD)).rgds[0]


def app(name: str) -> str:
    return f"apiVersion: kro.run/v1\nkind: App\nmetadata: {{name: {name}}}\nspec: {{name: {name}}}\n"


def named(found: FoundInstance) -> tuple[object, str | None, str]:
    metadata = found.value["metadata"]
    assert isinstance(metadata, dict)
    return metadata["name"], found.uri, found.label


def test_one_beside_the_definition_wins_then_the_first() -> None:
    texts = [("file:///c/x.yaml", app("c")), ("file:///a/x.yaml", app("a")), ("file:///b/my%20app.yaml", app("b"))]
    assert named(find_instance(definition(), URI, texts)) == ("b", "file:///b/my%20app.yaml", "my app.yaml")
    assert named(find_instance(definition(), URI, texts[:2])) == ("a", "file:///a/x.yaml", "x.yaml")


@pytest.mark.parametrize(
    ("uri", "label"),
    [
        ("untitled:Untitled-1", "Untitled-1"),
        ("git:/b/x.yaml?%7B%22path%22%3A/b/x.yaml%7D", "x.yaml"),
        ("file://[/x.yaml", "file://[/x.yaml"),
    ],
)
def test_it_is_called_as_its_file_or_as_its_uri(uri: str, label: str) -> None:
    assert named(find_instance(definition(), URI, [(uri, app("a"))])) == ("a", uri, label)


def test_the_chosen_one_wins_as_long_as_it_fits() -> None:
    texts = [("file:///b/x.yaml", app("b"))]
    chosen = "file:///z/y.yaml"
    assert named(find_instance(definition(), URI, texts, Chosen(chosen, app("z")))) == ("z", chosen, "y.yaml")
    other = app("z").replace("kind: App", "kind: Other")
    assert named(find_instance(definition(), URI, texts, Chosen(chosen, other)))[0] == "b"


def test_one_of_another_definition_is_taken_only_if_it_was_chosen() -> None:
    texts = [("file:///b/x.yaml", app("b")), ("file:///c/x.yaml", app("c"))]

    def other(uri: str) -> str:
        return "b/app.yaml" if "/b/" in uri else ""

    assert named(find_instance(definition(), URI, texts, None, other))[0] == "c"
    assert named(find_instance(definition(), URI, texts[:1], None, other))[2] == "a generated sample"
    chosen = find_instance(definition(), URI, texts, Chosen(*texts[0]), other)
    assert named(chosen) == ("b", "file:///b/x.yaml", "x.yaml, an instance of b/app.yaml")


def test_the_chosen_one_of_several_in_a_text() -> None:
    text = app("a") + "---\n" + app("b")
    found = [find_instance(definition(), URI, (), Chosen("file:///x.yaml", text, item)) for item in (0, 1, 2)]
    assert [named(each)[0] for each in found] == ["a", "b", "b"]


@pytest.mark.parametrize(
    "text", ["kind: App\n", app("x").replace("v1", "v2", 1), "kind: App\napiVersion: [", "App: *x"]
)
def test_what_is_not_an_instance_leaves_the_sample(text: str) -> None:
    found = find_instance(definition(), URI, [("file:///b/x.yaml", text)])
    assert named(found) == ("my-app", None, "a generated sample")


def test_one_of_several_documents() -> None:
    text = "kind: List\n---\n" + app("second") + "---\n" + app("third")
    assert named(find_instance(definition(), URI, [("file:///b/x.yaml", text)]))[0] == "second"


@pytest.mark.parametrize(
    "text",
    [
        app("x").replace("kro.run/v1", '"kro.run/v1"').replace("App", "!!str 'App'"),
        "---\n" + "".join(f"  {line}\n" for line in app("x").splitlines()),
        "--- {apiVersion: kro.run/v1, kind: App, metadata: {name: x}}\n",
        '{\n  "kind": "App",\n  "apiVersion": "kro.run/v1", "metadata": {"name": "x"}\n}\n',
        "'kind':\n  App\napiVersion: kro.run/v1\nmetadata: {name: x}\n",
    ],
)
def test_however_it_is_written(text: str) -> None:
    assert named(find_instance(definition(), URI, [("file:///b/x.yaml", RGD + "---\n" + text)]))[0] == "x"


def test_a_definition_is_not_read_in_search_of_an_instance(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kro_ls.workspace.instances.parse_stream", None)
    assert named(find_instance(definition(), URI, [(URI, RGD)]))[0] == "my-app"
