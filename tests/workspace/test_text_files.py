"""Which files of a workspace may hold instances of its RGDs."""

from __future__ import annotations

from pathlib import Path

import pytest

from kro_ls.workspace.schemas import SchemaSettings, load
from kro_ls.workspace.text_files import instance_files, may_hold_instance

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


def app(name: str) -> str:
    return f"apiVersion: kro.run/v1\nkind: App\nmetadata: {{name: {name}}}\nspec: {{name: {name}}}\n"


@pytest.mark.parametrize(
    ("text", "may"),
    [
        (app("x"), True),
        (f"apiVersion: v1\nkind: ConfigMap\n---\n{app('x')}", True),
        ('apiVersion: "example.com/v1"\n', True),
        ("apiVersion: v1\nkind: ConfigMap\n", False),
        ("apiVersion: apps/v1\nkind: Deployment\n", False),
        ("a: {apiVersion: example.com/v1}\n", False),
        (app("x") + " " * 300_000, False),
    ],
)
def test_which_files_may_hold_one(text: str, may: bool) -> None:
    assert may_hold_instance(text.encode()) is may


def test_files_are_found_by_kind_and_follow_changes() -> None:
    several = f'{app("y")}---\n{app("z")}---\napiVersion: kro.run/v1\nkind: "Other" # App\n'
    files = instance_files({"/x": app("x"), "/rgd": RGD}).with_file("/y", several)
    assert files.paths == {"App": ("/x", "/y"), "Other": ("/y",), "ResourceGraphDefinition": ("/rgd",)}
    assert files.with_file("/x", app("x")) is files
    assert files.with_file("/z", None) is files
    fewer = files.with_file("/y", None).with_file("/x", app("changed"))
    assert fewer == instance_files({"/rgd": RGD, "/x": app("changed")})
    assert "Other" not in fewer.paths


def test_a_workspace_remembers_them_and_keeps_its_kinds_when_they_change(tmp_path: Path) -> None:
    (tmp_path / "rgd.yaml").write_text(RGD)
    (tmp_path / "app.yaml").write_text(app("one"))
    (tmp_path / "pod.yaml").write_text("apiVersion: v1\nkind: Pod\n")
    loaded = load([tmp_path], SchemaSettings())
    path = str(tmp_path / "app.yaml")
    assert set(loaded.instances.texts) == {path, str(tmp_path / "rgd.yaml")}
    changed = loaded.with_file(path, app("two"))
    assert changed is not loaded
    assert changed.index is loaded.index
    assert changed.instances.texts[path] == app("two")
    assert path not in changed.with_file(path, None).instances.texts
    assert changed.with_file(path, app("two")) is changed
