"""The index of the names in a store."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kro_ls.openapi.sources import store
from kro_ls.openapi.sources.store import NamesIndex

STAMPS = [("a.b/A.yaml", 1, 10), ("a.b/B.yaml", 2, 20)]


@pytest.fixture(autouse=True)
def keep_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "_WORTH_CACHING", 0)


class Reading:
    """Notes which files are read."""

    def __init__(self) -> None:
        self.read: list[str] = []

    def __call__(self, home: str) -> list[str]:
        self.read.append(home)
        return [f"v{len(self.read)}"]


def test_only_new_and_changed_files_are_read(tmp_path: Path) -> None:
    reading = Reading()
    path = tmp_path / "cache" / "index.json"
    first = NamesIndex(path, tmp_path).versions(STAMPS, reading)
    assert first == {"a.b/A.yaml": ["v1"], "a.b/B.yaml": ["v2"]}
    assert NamesIndex(path, tmp_path).versions(STAMPS, reading) == first
    assert reading.read == ["a.b/A.yaml", "a.b/B.yaml"]
    for changed in (("a.b/B.yaml", 3, 20), ("a.b/B.yaml", 3, 21), ("a.b/C.yaml", 3, 21)):
        NamesIndex(path, tmp_path).versions([STAMPS[0], changed], reading)
    assert reading.read[2:] == ["a.b/B.yaml", "a.b/B.yaml", "a.b/C.yaml"]


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'[["1"], [["a", 1, 2, 3]]]', b"\xff"])
def test_a_damaged_index_counts_as_empty(tmp_path: Path, damage: bytes) -> None:
    reading = Reading()
    path = tmp_path / "index.json"
    path.write_bytes(damage)
    NamesIndex(path, tmp_path).versions(STAMPS, reading)
    assert len(reading.read) == 2
    assert len(json.loads(path.read_text())[1]) == 2


def test_an_index_is_of_one_store(tmp_path: Path) -> None:
    reading = Reading()
    for folder in ("one", "other"):
        NamesIndex(tmp_path / "index.json", tmp_path / folder).versions(STAMPS, reading)
    assert len(reading.read) == 4


def test_a_cache_that_cannot_be_written_to(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    index = NamesIndex(tmp_path / "file" / "index.json", tmp_path)
    assert index.versions(STAMPS, Reading()) == {"a.b/A.yaml": ["v1"], "a.b/B.yaml": ["v2"]}


def test_a_small_store_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "_WORTH_CACHING", 3)
    NamesIndex(tmp_path / "index.json", tmp_path).versions(STAMPS, Reading())
    assert not (tmp_path / "index.json").exists()
