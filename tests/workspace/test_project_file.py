"""The version of kro that a folder's `.kro-ls.yaml` names."""

from __future__ import annotations

from pathlib import Path

import pytest

from kro_ls.workspace.files import UnreadableFileError
from kro_ls.workspace.project_file import PROJECT_FILE, kro_version


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
    [("version: 7\n", "unknown version of kro '7'"), ("kroVersion: 0.9\n", "unknown setting 'kroVersion'")],
)
def test_what_cannot_be_used_is_told(tmp_path: Path, written: str, message: str) -> None:
    (tmp_path / PROJECT_FILE).write_text(written)
    with pytest.raises(UnreadableFileError, match=message):
        kro_version(tmp_path / "app.yaml")
