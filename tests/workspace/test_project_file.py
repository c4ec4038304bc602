"""The version of kro that a folder's `.kro-ls.yaml` names."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kro_ls.kro.versions.version import Version
from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.settings import Settings
from kro_ls.workspace.files import UnreadableFileError
from kro_ls.workspace.project_file import PROJECT_FILE, project_settings
from tests.workspace.test_files import make


def kro_version(file: Path) -> Version | None:
    found = project_settings(file)
    return found.version if found else None


@pytest.mark.parametrize("written", ["version: 0.10\n", "version: '0.10.0' # soon\n"])
def test_the_nearest_file_counts(tmp_path: Path, written: str) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / PROJECT_FILE).write_text("version: 0.8.5\n")
    assert str(kro_version(tmp_path / "inner" / "app.yaml")) == "0.8.5"
    (tmp_path / "inner" / PROJECT_FILE).write_text(written)
    assert str(kro_version(tmp_path / "inner" / "app.yaml")) == "0.10.0"


def test_without_a_file_or_a_version_nothing_is_said(tmp_path: Path) -> None:
    assert kro_version(tmp_path / "app.yaml") is None
    (tmp_path / PROJECT_FILE).write_text("# nothing yet\n")
    assert kro_version(tmp_path / "app.yaml") is None


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("# a comment\nversion: 7\n", "line 2: unknown version of kro '7'"),
        ("kroVersion: 0.9\n", "line 1: unknown setting 'kroVersion'; did you mean 'version'?"),
        ("severity:\n  unused-type: off\n  unused-tpye: off\n", "line 3: unknown rule 'unused-tpye'; did you mean"),
        ("severity:\n  unused-type: fatal\n", "line 2: unknown severity 'fatal'; expected one of 'error'"),
        ("crds:\n  - a\n  - [b]\n", "line 3: 'crds' must be a string"),
        ("version: 0.9\nfeatureGates: {x: [\n", "line 2: "),
        (f"version: 0.9\ncrds: [{'a*, ' * 51}]\n", "line 2: 51 items are too many; at most 50 are allowed"),
    ],
)
def test_what_cannot_be_used_is_reported(tmp_path: Path, written: str, message: str) -> None:
    (tmp_path / PROJECT_FILE).write_text(written)
    with pytest.raises(UnreadableFileError, match=message):
        kro_version(tmp_path / "app.yaml")


def test_what_the_user_says_counts_more(tmp_path: Path) -> None:
    (tmp_path / PROJECT_FILE).write_text(
        "version: 0.8.5\nkubernetesVersion: 1.36\ncrds: [x]\nseverity: {unused-type: error, unused-resource: off}\n"
        "featureGates: {CELOmitFunction: true}\n"
    )
    found = project_settings(tmp_path / "app.yaml")
    assert found is not None
    assert (found.kubernetes_version, found.crds) == ("1.36", ("x",))
    settings = found.under(Settings((("unused-type", Severity.HINT),)), names_version=False)
    assert dict(settings.severities) == {"unused-type": Severity.HINT, "unused-resource": None}
    assert (str(settings.version), settings.feature_gates) == ("0.8.5", frozenset({"CELOmitFunction"}))
    assert str(found.under(Settings(), names_version=True).version) == str(Settings().version)


def test_a_link_out_of_the_workspace_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "workspace").mkdir()
    (tmp_path / "elsewhere.yaml").write_text("version: 0.8.5\n")
    (tmp_path / "workspace" / PROJECT_FILE).symlink_to(tmp_path / "elsewhere.yaml")
    file = tmp_path / "workspace" / "app.yaml"
    assert project_settings(file) is None
    assert project_settings(file, [tmp_path]) is not None
    (tmp_path / ".git").mkdir()
    assert project_settings(file) is not None
    assert project_settings(file, [tmp_path / "workspace"]) is None
    (tmp_path / PROJECT_FILE).write_text("version: 0.9.0\n")
    found = project_settings(file, [tmp_path / "workspace"])
    assert found is not None
    assert str(found.version) == "0.9.0"


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("there are no pipes with names here")
    os.mkfifo(tmp_path / PROJECT_FILE)
    assert project_settings(tmp_path / "app.yaml") is None


def named(folder: Path, *patterns: str) -> tuple[list[str], list[str]]:
    """Return the files that `crds` names below the folder of the settings, and the errors of the others."""
    (folder / PROJECT_FILE).write_text(f"crds: [{', '.join(repr(each) for each in patterns)}]\n")
    found = project_settings(folder / "app.yaml")
    assert found is not None
    errors: list[UnreadableFileError] = []
    files = found.files("crds", errors.append)
    assert all(error.path == folder / PROJECT_FILE for error in errors)
    return [file.relative_to(folder).as_posix() for file in files], [error.reason for error in errors]


def test_settings_name_files_folders_and_globs_below_their_folder(tmp_path: Path) -> None:
    make(tmp_path, "crds/a.yaml", "crds/deep/b.yaml", "crds/c.json", "crds/notes.md", "other/d.yaml")
    assert named(tmp_path, "crds") == (["crds/a.yaml", "crds/deep/b.yaml", "crds/c.json"], [])
    assert named(tmp_path, "crds/*.json", "./other/../crds/a.yaml") == (["crds/c.json", "other/../crds/a.yaml"], [])
    assert named(tmp_path, str(tmp_path / "other")) == (["other/d.yaml"], [])
    assert named(tmp_path, "gone*") == ([], ["'crds' names gone*, but nothing is there; check the path"])


@pytest.mark.parametrize(
    "pattern", ["/dev/stdin", "/**", "../*.yaml", "crds/../../elsewhere", "link", "link/*.yaml", "~/x"]
)
def test_settings_name_nothing_outside_of_their_folder(tmp_path: Path, pattern: str) -> None:
    make(tmp_path, "elsewhere/secret.yaml", "workspace/crds/a.yaml")
    (tmp_path / "workspace/link").symlink_to(tmp_path / "elsewhere")
    files, errors = named(tmp_path / "workspace", pattern)
    assert files == []
    assert len(errors) == 1
    assert "outside of its folder" in errors[0] or "nothing is there" in errors[0]


def test_links_that_a_glob_comes_across_do_not_lead_out(tmp_path: Path) -> None:
    make(tmp_path, "elsewhere/secret.yaml", "workspace/crds/a.yaml")
    (tmp_path / "workspace/folder").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "workspace/file.yaml").symlink_to(tmp_path / "elsewhere/secret.yaml")
    (tmp_path / "workspace/crds/file.yaml").symlink_to(tmp_path / "elsewhere/secret.yaml")
    for pattern in ("**", "*", "*/*", "**/*.yaml", "crds"):
        files, errors = named(tmp_path / "workspace", pattern)
        assert (files, errors) == (["crds/a.yaml"], []), pattern
