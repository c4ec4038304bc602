"""Files that a client chose are read beside all else."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest

from kro_ls.server.previews import chosen_instances
from kro_ls.server.previews.chosen_instances import ChosenFiles
from kro_ls.workspace.text_files import LARGEST_FILE


def test_a_file_of_the_workspace_is_read_and_no_other(tmp_path: Path) -> None:
    (tmp_path / "workspace").mkdir()
    (tmp_path / "outside.yaml").write_text("a: b\n")
    (tmp_path / "workspace" / "inside.yaml").write_text("a: c\n")
    (tmp_path / "workspace" / "link.yaml").symlink_to(tmp_path / "outside.yaml")
    (tmp_path / "workspace" / "large.yaml").write_text("x" * (LARGEST_FILE + 1))

    async def test() -> None:
        files = ChosenFiles(lambda: [tmp_path / "workspace"], lambda: None)
        assert await files.read((tmp_path / "workspace" / "inside.yaml").as_uri()) == "a: c\n"
        for name in ("outside.yaml", "workspace/link.yaml", "workspace/large.yaml", "missing.yaml"):
            assert await files.read((tmp_path / name).as_uri()) is None
        assert await files.read("untitled:Untitled-1") is None

    asyncio.run(test())


def test_a_file_that_does_not_answer_holds_up_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "quick.yaml").write_text("a: b\n")
    gate, read = threading.Event(), chosen_instances._text

    def slow(path: str, folders: object) -> str | None:
        return read(path, [tmp_path]) if path.endswith("quick.yaml") else str(gate.wait(30))

    monkeypatch.setattr(chosen_instances, "_text", slow)
    monkeypatch.setattr(chosen_instances, "DISK_SECONDS", 0.05)

    async def test() -> None:
        files = ChosenFiles(lambda: [tmp_path], lambda: None)
        assert await files.read((tmp_path / "slow.yaml").as_uri()) is None
        monkeypatch.setattr(chosen_instances, "DISK_SECONDS", 20)
        assert await files.read((tmp_path / "quick.yaml").as_uri()) == "a: b\n"
        gate.set()

    asyncio.run(test())


def test_a_file_that_changes_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "instance.yaml"
    file.write_text("a: b\n")
    monkeypatch.setattr(chosen_instances, "FRESH_SECONDS", -1)

    async def test() -> None:
        changed = asyncio.Event()
        files = ChosenFiles(lambda: [tmp_path], changed.set)
        assert await files.read(file.as_uri()) == "a: b\n"
        file.write_text("a: c\n")
        assert files.cached(file.as_uri()) == "a: b\n"
        await asyncio.wait_for(changed.wait(), 20)
        assert files.cached(file.as_uri()) == "a: c\n"

    asyncio.run(test())
