"""The file format of bundled schemas: a JSON header, and parts that are found by it and decompressed when needed.

A file is a magic line, the length of the header (4 bytes, big endian), the header, then the parts, each compressed by
zlib. The header says where each part is: `[offset, length]`, from the end of the header. This module uses only the
standard library, because the build of a distribution writes such files before anything is installed.
"""

from __future__ import annotations

import json
import struct
import zlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

KUBERNETES = b"kro-ls kubernetes 1\n"
"""The magic line of Kubernetes' own kinds."""

PACK = b"kro-ls kinds 1\n"
"""The magic line of the pack of well-known kinds."""

Place = tuple[int, int]
"""Where a part is: its offset and length in bytes."""


class ContainerError(Exception):
    """A file cannot be read; the message names it and says what to do."""


class Container:
    """An open file."""

    def __init__(self, path: Path, magic: bytes) -> None:
        """Raises FileNotFoundError where there is no such file, ContainerError where another version wrote it."""
        content = path.read_bytes()
        start = len(magic) + 4
        if content[: len(magic)] != magic:
            raise ContainerError(f"{path} was made by another version of kro-ls; install it again")
        try:
            (length,) = struct.unpack(">I", content[len(magic) : start])
            self.header = json.loads(zlib.decompress(content[start : start + length]))
        except (struct.error, zlib.error, ValueError) as error:
            raise ContainerError(f"{path} is damaged ({error}); install it again") from error
        self._parts = memoryview(content)[start + length :]

    def read(self, place: Place) -> bytes:
        """Return a part."""
        offset, length = place
        return zlib.decompress(self._parts[offset : offset + length])


class ContainerWriter:
    """A file being written: add the parts, then ask for the content."""

    def __init__(self) -> None:
        self._parts = bytearray()

    def add(self, part: bytes) -> list[int]:
        """Add a part and return its place, for the header."""
        packed = zlib.compress(part, 9)
        place = [len(self._parts), len(packed)]
        self._parts += packed
        return place

    def content(self, magic: bytes, header: object) -> bytes:
        """Return the whole file. The same parts and header give the same bytes."""
        packed = zlib.compress(compact_json(header), 9)
        return magic + struct.pack(">I", len(packed)) + packed + bytes(self._parts)


def compact_json(value: object) -> bytes:
    """Return JSON without spaces and with sorted keys, so that equal values are equal bytes."""
    return json.dumps(value, separators=(",", ":"), sort_keys=True, ensure_ascii=False).encode()
