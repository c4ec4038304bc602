"""The known files of a folder, and the detection of changes."""

from __future__ import annotations

import os
from pathlib import Path

from kro_ls.admission.webhook_server import stamps_of


def test_files_folders_and_globs(tmp_path: Path) -> None:
    for name in ("one.yaml", "two.yml", "three.json", "notes.txt"):
        (tmp_path / name).write_text("a: 1\n", encoding="utf-8")
    named = {Path(each).name for each in stamps_of([tmp_path])}
    assert named == {"one.yaml", "two.yml", "three.json"}
    assert [Path(each).name for each in stamps_of([tmp_path / "o*.yaml"])] == ["one.yaml"]
    assert list(stamps_of([tmp_path / "one.yaml"])) == [str(tmp_path / "one.yaml")]
    assert stamps_of([tmp_path / "none"]) == {}


def test_a_changed_file_has_another_stamp(tmp_path: Path) -> None:
    file = tmp_path / "one.yaml"
    file.write_text("a: 1\n", encoding="utf-8")
    before = stamps_of([tmp_path])
    assert stamps_of([tmp_path]) == before
    os.utime(file, ns=(1, 1))
    assert stamps_of([tmp_path]) != before


def test_a_mounted_config_map_has_each_file_once(tmp_path: Path) -> None:
    """A kubelet writes a new folder, and then lets `..data` point to it."""

    def mount(version: str) -> None:
        (tmp_path / version).mkdir()
        (tmp_path / version / "web.yaml").write_text(f"a: {version}\n", encoding="utf-8")
        (tmp_path / "..new").symlink_to(version)
        os.replace(tmp_path / "..new", tmp_path / "..data")

    mount("..2026_1")
    (tmp_path / "web.yaml").symlink_to("..data/web.yaml")
    before = stamps_of([tmp_path])
    assert list(before) == [str(tmp_path / "web.yaml")]
    mount("..2026_22")
    assert list(stamps_of([tmp_path])) == list(before)
    assert stamps_of([tmp_path]) != before
