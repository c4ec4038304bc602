"""The file format of bundled schemas."""

from __future__ import annotations

from pathlib import Path

import pytest

from kro_ls.openapi.sources.container import Container, ContainerError, ContainerWriter, compact_json

MAGIC = b"kro-ls test 1\n"


def written(tmp_path: Path, content: bytes) -> Path:
    path = tmp_path / "file.bin"
    path.write_bytes(content)
    return path


def content_with(*parts: bytes) -> bytes:
    writer = ContainerWriter()
    return writer.content(MAGIC, [writer.add(part) for part in parts])


def test_parts_are_read_as_they_were_written(tmp_path: Path) -> None:
    parts = (b"first", b"", "dritter, ü".encode())
    container = Container(written(tmp_path, content_with(*parts)), MAGIC)
    assert tuple(container.read(place) for place in container.header) == parts


def test_equal_parts_give_equal_bytes() -> None:
    assert content_with(b"one", b"two") == content_with(b"one", b"two")
    assert compact_json({"b": 1, "a": [2]}) == b'{"a":[2],"b":1}'


def test_a_file_of_another_version_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, content_with(b"part"))
    with pytest.raises(ContainerError, match=r"file\.bin was made by another version of kro-ls; install it again"):
        Container(path, b"kro-ls test 2\n")


@pytest.mark.parametrize("length", [len(MAGIC), len(MAGIC) + 2, len(MAGIC) + 8])
def test_a_file_that_ends_early_is_refused(tmp_path: Path, length: int) -> None:
    path = written(tmp_path, content_with(b"part")[:length])
    with pytest.raises(ContainerError, match=r"file\.bin is damaged \(.+\); install it again"):
        Container(path, MAGIC)


def test_a_missing_file_raises_file_not_found(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Container(tmp_path / "none.bin", MAGIC)
