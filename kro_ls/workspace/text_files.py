"""Files of a workspace that say something about others, with their texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Self


LARGEST: Final = 256 * 1024
"""Bytes of a file that people write about others; a larger one is not looked at."""


class TextFiles(Struct, frozen=True):
    """The texts of some files, by path."""

    texts: Mapping[str, str]

    def with_file(self, path: str, text: str | None) -> Self:
        """Return the files after one got this text (None: it is not among them); itself where nothing changes."""
        if self.texts.get(path) == text:
            return self
        others = {name: known for name, known in self.texts.items() if name != path}
        return replace(self, texts=others if text is None else {**others, path: text})
