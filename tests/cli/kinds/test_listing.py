"""`kro-ls kinds list`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kro_ls.cli.kinds import listing
from kro_ls.render.yaml_text import to_yaml
from tests.fixtures.crds import crd
from tests.fixtures.definitions import rgd_of_config_maps
from tests.fixtures.processes import GOOD, Invoke

WIDGETS = (
    rgd_of_config_maps(("one", "a"), ("two", "b"))
    .replace("apiVersion: v1\n", "apiVersion: example.com/v1\n")
    .replace("kind: ConfigMap", "kind: Widget")
)


@pytest.fixture(autouse=True)
def files(store: Path, invoke: Invoke) -> None:
    Path("app").mkdir()
    Path("app", "good.yaml").write_text(GOOD)
    Path("app", "widgets.yaml").write_text(WIDGETS)
    Path("app", "more.yaml").write_text(WIDGETS)


def test_each_kind_has_its_source(invoke: Invoke) -> None:
    result = invoke("kinds", "list", "app")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines() == [
        "example.com/v1 Widget     2 files  unknown",
        "v1 ConfigMap              1 file   Kubernetes 1.37",
        "2 kinds, 1 unknown",
    ]
    assert invoke("kinds", "list").stdout == result.stdout, "the working folder"


def test_only_the_unknown(invoke: Invoke) -> None:
    result = invoke("kinds", "list", "--unknown", "app")
    assert (result.exit_code, result.stdout) == (1, "example.com/v1 Widget     2 files  unknown\n1 kind\n")
    result = invoke("kinds", "list", "--unknown", "app/good.yaml")
    assert (result.exit_code, result.stdout) == (0, "every kind is known\n")


@pytest.mark.parametrize("place", ["beside", "option", "setting"])
def test_where_kinds_are_looked_for(invoke: Invoke, place: str) -> None:
    options: tuple[str, ...] = ()
    if place == "beside":
        Path("crds.yaml").write_text(to_yaml(crd()))
        options = ("crds.yaml",)
    elif place == "option":
        Path("crds.yaml").write_text(to_yaml(crd()))
        options = ("--crds", "crds.yaml")
    else:
        Path("app", "here").mkdir()
        Path("app", "here", "crds.yaml").write_text(to_yaml(crd()))
        Path("app", ".kro-ls.yaml").write_text("crds: [here]\n")
    result = invoke("kinds", "list", "app/widgets.yaml", *options)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines()[0].endswith("crds.yaml")
    assert result.stdout.endswith("1 kind, 0 unknown\n")


def test_what_could_be_fetched_is_reported(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "fetchable", lambda: ["example.com", "fetchable.example"])
    options = ("--crds", "other.yaml")
    Path("other.yaml").write_text(to_yaml(crd()))
    Path("keda.yaml").write_text(WIDGETS.replace("example.com/v1", "fetchable.example/v1"))
    Path("known.yaml").write_text(WIDGETS.replace("example.com/v1", "example.com/v9"))
    advice = "their projects publish some: kro-ls kinds fetch fetchable.example\n"
    assert invoke("kinds", "list", "keda.yaml", "known.yaml", *options).stdout.endswith(f"2 kinds, 2 unknown\n{advice}")
    result = invoke("kinds", "list", "known.yaml", *options)
    assert result.stdout.endswith("1 kind, 1 unknown\n"), "a group of which there are other kinds is there already"


def test_for_programs(invoke: Invoke) -> None:
    result = invoke("kinds", "list", "app/good.yaml", "app/widgets.yaml", "--format", "json")
    assert json.loads(result.stdout) == [
        {"apiVersion": "example.com/v1", "kind": "Widget", "source": None, "files": ["app/widgets.yaml"]},
        {"apiVersion": "v1", "kind": "ConfigMap", "source": "Kubernetes 1.37", "files": ["app/good.yaml"]},
    ]


def test_what_cannot_be_read(invoke: Invoke) -> None:
    result = invoke("kinds", "list", "none.yaml", "app")
    assert (result.exit_code, result.stderr) == (2, "error: none.yaml: no such file or folder; check the path\n")
    assert result.stdout.endswith("2 kinds, 1 unknown\n")
    Path("empty").mkdir()
    assert invoke("kinds", "list", "empty").stdout == "no kind is used\n"
