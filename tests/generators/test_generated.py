"""The committed files equal those that the generators write now."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from generators import rule_pages
from generators.__main__ import differences, write
from tests.paths import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_every_generated_file_is_up_to_date() -> None:
    assert sorted(differences(ROOT)) == [], "run: scripts/generate"


def test_files_are_written_and_those_of_nothing_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generators.__main__.GENERATORS", (rule_pages,))
    folder = tmp_path / rule_pages.FOLDER
    shutil.copytree(ROOT / rule_pages.FOLDER, folder)
    (folder / "gone.md").touch()
    (folder / "type-mismatch.md").write_text("old")
    (folder / "README.md").unlink()
    assert set(differences(tmp_path)) == {
        f"{rule_pages.FOLDER}/{name}.md" for name in ("gone", "type-mismatch", "README")
    }
    write(tmp_path)
    assert differences(tmp_path) == {}
