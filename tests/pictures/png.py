"""PNG files: small ones, which hold the words that they show."""

from __future__ import annotations

import struct
import subprocess
import tempfile
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

SIGNATURE = b"\x89PNG\r\n\x1a\n"
_HEAD = b"Words\x00\x01\x00\x00\x00"
"""The beginning of our chunk: a keyword, compressed, by zlib, in no language, without a translated keyword."""


def smaller(data: bytes) -> bytes:
    """Return a PNG with at most 256 colours, or the same one where that would be seen or would not be smaller."""
    with tempfile.TemporaryDirectory() as folder:
        full, reduced = Path(folder, "full.png"), Path(folder, "reduced.png")
        full.write_bytes(data)
        command = ["pngquant", "--quality=85-100", "--speed=1", "--strip", "--nofs", "--skip-if-larger"]
        subprocess.run([*command, "--output", str(reduced), str(full)], check=False, timeout=60)
        return reduced.read_bytes() if reduced.exists() else data


def with_words(data: bytes, words: str) -> bytes:
    """Return a PNG that also holds some words, in a chunk `iTXt`."""
    text = b"iTXt" + _HEAD + zlib.compress(words.encode(), 9)
    chunk = struct.pack(">I", len(text) - 4) + text + struct.pack(">I", zlib.crc32(text))
    end = len(data) - 12  # the last chunk, IEND, is empty
    return data[:end] + chunk + data[end:]


def words_of(data: bytes) -> str | None:
    """Return the words that a PNG holds, or None."""
    for kind, content in _chunks(data):
        if kind == b"iTXt" and content.startswith(_HEAD):
            return zlib.decompress(content.removeprefix(_HEAD)).decode()
    return None


def size_of(data: bytes) -> tuple[int, int]:
    """Return the width and the height in pixels."""
    width, height = struct.unpack(">II", data[16:24])
    return width, height


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(SIGNATURE)
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        yield data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        at += length + 12
