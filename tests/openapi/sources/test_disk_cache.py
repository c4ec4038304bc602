"""Values kept on disk."""

import os
import sys
from pathlib import Path

import pytest

from kro_ls.openapi.sources import disk_cache
from kro_ls.openapi.sources.disk_cache import SMALLEST_TEXT, DiskCache, user_cache

CONTENT = b"x" * SMALLEST_TEXT


def test_a_value_is_found_by_its_name_and_content_by_any_process(tmp_path: Path) -> None:
    DiskCache(tmp_path / "a" / "b").put("names", CONTENT, [1, "b"])
    cache = DiskCache(tmp_path / "a" / "b")
    assert cache.get("names", CONTENT, object) == [1, "b"]
    assert cache.get("problems", CONTENT, object) is None
    assert cache.get("names", CONTENT + b"y", object) is None
    assert [path.suffix for path in (tmp_path / "a" / "b").iterdir()] == [".json"]


@pytest.mark.parametrize(
    "damage", [b"", b"{", b"[]", b'{"value": 3}', b'{"format": "0", "value": 3}', b"\xff", b"[" * 10**5]
)
def test_damaged_and_foreign_entries_count_as_absent(tmp_path: Path, damage: bytes) -> None:
    cache = DiskCache(tmp_path)
    cache.put("names", CONTENT, 3)
    (entry,) = tmp_path.iterdir()
    entry.write_bytes(damage)
    assert cache.get("names", CONTENT, object) is None
    cache.put("names", CONTENT, 4)
    assert cache.get("names", CONTENT, object) == 4


def test_small_texts_and_huge_values_are_not_kept(tmp_path: Path) -> None:
    cache = DiskCache(tmp_path)
    cache.put("names", CONTENT[1:], 3)
    cache.put("names", CONTENT, "x" * 2_000_000)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_used_is_done_without(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache = DiskCache(tmp_path / "file")
    cache.put("names", CONTENT, 3)
    assert cache.get("names", CONTENT, object) is None


def test_old_entries_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk_cache, "_MOST_ENTRIES", 4)
    for number in range(6):
        DiskCache(tmp_path).put("names", CONTENT + bytes([number]), number)
        for path in tmp_path.iterdir():
            os.utime(path, (path.stat().st_mtime - 10,) * 2)
    kept = [
        number for number in range(6) if DiskCache(tmp_path).get("names", CONTENT + bytes([number]), int) is not None
    ]
    assert kept == [2, 3, 4, 5]


@pytest.mark.skipif(sys.platform != "linux", reason="the folder has another name there")
def test_the_users_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    user_cache().put("names", CONTENT, 3)
    assert (tmp_path / "kro-ls").is_dir()
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    user_cache().put("names", CONTENT, 3)
    assert (tmp_path / "home" / ".cache" / "kro-ls").is_dir()
