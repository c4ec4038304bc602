"""The files that test files name, read in some folders and nowhere else."""

from __future__ import annotations

import os
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.workspace.documents import Document
from kro_ls.workspace.files import decode, named_inside, read
from kro_ls.workspace.files_of_tests import FilesOfTests
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class NamedFiles(Struct, frozen=True):
    """Reads files in `folders`; `outside` is the reason for which all others are left alone.

    `texts` are those that have been read, by their absolute paths. `make` gives the document of a path with a text.
    """

    folders: tuple[Path, ...]
    outside: str
    texts: Mapping[str, str] = MappingProxyType({})
    make: Callable[[str, Text], Document] = lambda path, text: Document(path, None, text)

    def at(self, path: str) -> Document | None:
        """Return the document of a path, None where no file is. Raises UnreadableFileError."""
        known = self.texts.get(os.path.abspath(path))
        if known is None and not os.path.exists(path):
            return None
        return self.make(path, Text(decode(Path(path), read(Path(path))) if known is None else known))

    def refusal(self, folder: str, name: str) -> str:
        """Return why nothing that a file in a folder names so may be looked at, empty where that is allowed."""
        if os.path.abspath(os.path.join(folder, name)) in self.texts:
            return ""
        is_allowed = any(named_inside(Path(folder), name, root) for root in self.folders)
        return "" if is_allowed else self.outside

    def files_of_test(self, path: str) -> FilesOfTests:
        """Return the files that the test file of a path names."""
        return FilesOfTests(os.path.dirname(path), self.at, self.refusal, self.texts)

    def definitions(self) -> tuple[str, ...]:
        """Return the paths of the texts that have been read."""
        return tuple(self.texts)
