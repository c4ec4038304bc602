"""The build hook that writes the bundled schemas; unlike the product it needs the build requirements."""

import fcntl
import importlib.util
import json
import os
import pty
import re
import shutil
import subprocess
import sys
import termios
import zipfile
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from kro_ls.openapi.sources.bundled import DATA
from kro_ls.openapi.sources.container import PACK, Container
from tests.fixtures.packs import definition, version
from tests.paths import ROOT

pytest.importorskip("hatchling", reason="the build hook needs hatchling")

HOOK = ROOT / "hatch_build.py"


@pytest.fixture(scope="module")
def hook() -> ModuleType:
    spec = importlib.util.spec_from_file_location("hatch_build", HOOK)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_writer_and_reader_agree_on_the_format(hook: ModuleType) -> None:
    assert DATA.as_posix().endswith(hook.TARGET)


def test_rewrites_are_undone(hook: ModuleType) -> None:
    rewritten = {
        "type": ["object", "null"],
        "properties": {
            "type": {"type": ["string", "null"], "description": "a field called type"},
            "items": {"type": "array", "items": {"$ref": "#/$defs/io.k8s.A"}},
        },
        "additionalProperties": {"oneOf": [{"type": ["integer", "null"]}]},
    }
    assert hook.restore(rewritten) == {
        "type": "object",
        "properties": {
            "type": {"type": "string", "description": "a field called type"},
            "items": {"type": "array", "items": {"$ref": "io.k8s.A"}},
        },
        "additionalProperties": {"oneOf": [{"type": "integer"}]},
    }


def test_deprecations(hook: ModuleType) -> None:
    assert hook.deprecation("A thing. Deprecated: use B.\n\nMore.") == "use B."
    assert hook.deprecation("A thing that replaces deprecated ones.") is None


def test_definitions_that_minors_share_are_stored_once(hook: ModuleType) -> None:
    same, old, new = {"type": "string"}, {"type": "integer"}, {"type": "number"}
    blocks, places = hook.pack_definitions({2: {"a.v1.X": same, "a.v1.Y": new}, 1: {"a.v1.X": same, "a.v1.Y": old}})
    assert places[1]["a.v1"]["X"] == places[2]["a.v1"]["X"]

    def stored(minor: int, name: str) -> bytes:
        start, end = places[minor]["a.v1"][name]
        return bytes(blocks["a.v1"][start:end])

    assert (stored(1, "Y"), stored(2, "Y")) == (b'{"type":"integer"}', b'{"type":"number"}')


def test_a_kind_of_unknown_scope_stops_the_build(hook: ModuleType) -> None:
    definition: dict[str, Any] = {
        "x-kubernetes-group-version-kind": [{"group": "g", "version": "v2", "kind": "Thing"}],
        "properties": {"metadata": {"$ref": hook.OBJECT_META}},
    }
    with pytest.raises(ValueError, match="Thing"):
        hook.kind_index({"a.v2.Thing": definition}, {})
    # An older or newer version of a kind is served like the one that is known.
    resources = {hook.GroupVersionKind("g", "v1", "Thing"): hook.Resource("things", True, ("status",))}
    assert hook.kind_index({"a.v2.Thing": definition}, resources) == {
        "g/v2": {"Thing": ["a.v2.Thing", "things", True, ["status"], None]}
    }


def test_the_build_gives_the_file_that_is_installed(hook: ModuleType) -> None:
    try:
        distribution("kubernetes-validate")
        distribution("lightkube-models")
    except PackageNotFoundError as error:
        pytest.skip(f"build requirement not installed: {error}")
    assert hook.build() == hook.build() == DATA.read_bytes()


def test_stubs_are_written_and_those_of_former_kinds_removed(hook: ModuleType, tmp_path: Path) -> None:
    folder = tmp_path / hook.STUBS
    (folder / "gone").mkdir(parents=True)
    (folder / "gone" / "v1.pyi").touch()
    (folder / "__init__.py").touch()
    hook.write_stubs(tmp_path)
    assert {path.name for path in folder.glob("apps/*")} == {"v1.py", "v1.pyi"}
    assert "class Deployment(ApiObject):" in (folder / "apps/v1.pyi").read_text(encoding="utf-8")
    assert not (folder / "gone" / "v1.pyi").exists()
    assert (folder / "__init__.py").is_file()


def test_licence_texts_are_those_that_are_installed(hook: ModuleType) -> None:
    text = hook.licences()
    for package in hook.SOURCES:
        (file,) = (file for file in distribution(package).files or [] if file.name == "LICENSE")
        assert file.read_text().strip() in text
        assert f"{package} {distribution(package).version}, https://github.com/" in text


def test_a_package_without_a_licence_text_is_not_bundled(hook: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hook, "LICENCE_FILE", re.compile("nothing"))
    with pytest.raises(ValueError, match="no file with its licence"):
        hook.licences()


@pytest.fixture
def views(hook: ModuleType, tmp_path: Path) -> Path:
    """A checkout whose pages are newer than their sources."""
    (tmp_path / hook.VIEW_SOURCES / "src").mkdir(parents=True)
    (tmp_path / hook.VIEWS).mkdir(parents=True)
    for name, age in {f"{hook.VIEW_SOURCES}/src/a.ts": 2, f"{hook.VIEWS}/LICENSES.txt": 1}.items():
        (tmp_path / name).write_text("")
        os.utime(tmp_path / name, (1_000_000 - age,) * 2)
    return tmp_path


def test_pages_are_built_when_they_are_missing_or_older_than_a_source(hook: ModuleType, views: Path) -> None:
    assert not hook.views_are_outdated(views)
    (views / hook.VIEW_SOURCES / "src/new.ts").write_text("")
    assert hook.views_are_outdated(views)
    shutil.rmtree(views / hook.VIEWS)
    assert hook.views_are_outdated(views)


def test_a_build_without_node_says_so(hook: ModuleType, views: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(hook, "NODE_PACKAGE", "no-such-package")
    with pytest.raises(hook.ViewsError, match=r"there is no Node\.js 20 or newer here"):
        hook.build_views(views)


@pytest.mark.parametrize(("version", "used"), [("v18.20.0", False), ("v20.0.0", True), ("v100.1.0", True)])
def test_old_versions_of_node_are_left_alone(
    version: str, used: bool, hook: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_program(tmp_path / "node", f"echo {version}")
    write_program(tmp_path / "npm", "exit 1")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert bool(hook.node_on_path()) == used


def test_what_npm_says_is_passed_on(hook: ModuleType, views: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_program(views / "node", "echo v24.0.0")
    write_program(views / "npm", "echo npm error code ENOTFOUND >&2; exit 1")
    monkeypatch.setenv("PATH", str(views))
    with pytest.raises(hook.ViewsError, match=r"'npm ci' failed in editors \(npm error code ENOTFOUND\)"):
        hook.build_views(views)


def write_program(path: Path, command: str) -> None:
    path.write_text(f"#!/bin/sh\n{command}\n")
    path.chmod(0o755)


def test_the_person_at_the_terminal_is_notified(views: Path) -> None:
    """Though pip hides what a build writes to its output."""
    build = f"""
import pathlib, runpy, types
hook = runpy.run_path({str(HOOK)!r})
builder = types.SimpleNamespace(app=types.SimpleNamespace(display_warning=print))
hook["DistributionFiles"]._build_views(builder, pathlib.Path({str(views)!r}))
"""
    controlling, terminal = pty.openpty()
    run = subprocess.run(
        [sys.executable, "-c", build],
        env={"PATH": ""},
        stdin=terminal,
        capture_output=True,
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        check=False,
        timeout=60,
    )
    os.set_blocking(controlling, False)
    shown = os.read(controlling, 4096).decode()
    os.close(terminal)
    os.close(controlling)
    assert run.returncode == 0, run.stderr
    assert "kro-ls is built without the pages that draw graphs and previews, because there is no Node.js" in shown


def test_a_source_distribution_carries_the_pages(hook: ModuleType, tmp_path: Path) -> None:
    """Its wheel needs no Node.js then."""
    hatchling = Path(sys.executable).with_name("hatchling")
    subprocess.run([hatchling, "build", "-t", "sdist", "-d", tmp_path], cwd=ROOT, check=True, capture_output=True)
    (archive,) = tmp_path.glob("*.tar.gz")
    shutil.unpack_archive(archive, tmp_path, filter="data")
    (unpacked,) = tmp_path.glob("*/")
    assert (unpacked / hook.VIEW_SOURCES / "src/graph.ts").is_file()
    if not (ROOT / hook.VIEWS / "graph.js").is_file():
        pytest.skip("the pages cannot be built here")
    assert not hook.views_are_outdated(unpacked)
    subprocess.run(
        [hatchling, "build", "-t", "wheel", "-d", tmp_path],
        cwd=unpacked,
        env={**os.environ, "PATH": ""},
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as contents:
        assert hook.VIEWS + "/graph.js" in contents.namelist()


def test_the_wheel_has_the_licence_texts(tmp_path: Path) -> None:
    """Also those of the pictures, where these are built."""
    hatchling = Path(sys.executable).with_name("hatchling")
    subprocess.run([hatchling, "build", "-t", "wheel", "-d", tmp_path], cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)
        assert b"kubernetes-validate" in archive.read("kro_ls/openapi/sources/data/LICENSES.txt")
        if "kro_ls/render/views/graph.js" in names:
            assert b"elkjs" in archive.read("kro_ls/render/views/LICENSES.txt")


def kinds_folder(path: Path) -> Path:
    (path / "crds").mkdir(parents=True)
    role = definition("Role", version("v1", "policy"))
    line = json.dumps({"src": "example/operator", "ver": "v1.2.3", "crd": role})
    (path / "crds" / "all.jsonl").write_text(line, encoding="utf-8")
    return path


def test_the_pack_is_built_from_the_folder_that_is_named(
    hook: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KRO_LS_KINDS", str(kinds_folder(tmp_path / "kinds")))
    target = tmp_path / "data" / "kinds.bin"
    notice = hook.build_kinds(ROOT, target)
    assert Container(target, PACK).header["kinds"] == {"example.com": {"Role": [0, "roles", True, {"v1": "0.0"}, []]}}
    assert "example/operator v1.2.3\nLicence: unknown\n" in target.with_name("KINDS.txt").read_text(encoding="utf-8")
    assert re.search(r"kinds is not what kinds/lock\.json names, in \d+ places; .+: the lock file has ", notice)
    written = target.stat().st_mtime_ns
    assert hook.build_kinds(ROOT, target) == ""
    assert target.stat().st_mtime_ns == written


def test_without_a_folder_the_build_says_what_is_missing(
    hook: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KRO_LS_KINDS", str(tmp_path / "none"))
    with pytest.raises(hook.SourcesError, match="without the kinds of well-known projects: set KRO_LS_KINDS to a"):
        hook.build_kinds(ROOT, tmp_path / "kinds.bin")


def test_the_distribution_of_the_pack_has_it_and_its_licences(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KRO_LS_KINDS", str(kinds_folder(tmp_path / "kinds")))
    spec = importlib.util.spec_from_file_location("kinds_hook", ROOT / "kinds" / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    files = module.KindsFiles(str(tmp_path), {}, None, None, str(tmp_path), "wheel")
    data: dict[str, list[str]] = {"artifacts": []}
    files.initialize("standard", data)
    assert data["artifacts"] == ["kro_ls_kinds/kinds.bin", "kro_ls_kinds/KINDS.txt"]
    assert all((tmp_path / each).is_file() for each in data["artifacts"])
