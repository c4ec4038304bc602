"""The files that a test file names: definitions, instances, and declarations of the kinds of custom objects."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.openapi.sources.pack.policy import DEFAULT_POLICY
from kro_ls.openapi.sources.pack.reading import installed_pack
from kro_ls.workspace.documents import Document
from kro_ls.workspace.files import MOST_BYTES, UnreadableFileError, decode, named_inside, read, yaml_files
from kro_ls.workspace.schemas import kubernetes_kinds, read_kinds
from kro_ls.workspace.test_snapshots import SnapshotFile, find_snapshot
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.errors import ExcessiveAliasingError
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.json_values import JsonObject


class FilesOfTests(Struct, frozen=True):
    """The files that a test file in a folder names, by these names.

    `at` gives the document of a path, None if there is no file, and raises UnreadableFileError for an unreadable one.
    `refusal` gets the folder and a name, and returns why a file of this name may not be read, empty if it may. `texts`
    replace files on disk, by absolute path, and `roots` are the folders with snapshots.
    """

    folder: str
    at: Callable[[str], Document | None]
    refusal: Callable[[str, str], str] = lambda *_: ""
    texts: Mapping[str, str] = MappingProxyType({})
    roots: tuple[Path, ...] = ()

    def document(self, name: str) -> tuple[Document | None, str]:
        """Return the document of a file, or why it cannot be read; neither if there is no file."""
        refused = self.refusal(self.folder, name)
        try:
            return (None, refused) if refused else (self.at(self._path(name)), "")
        except UnreadableFileError as error:
            return None, error.reason

    def instance(self, name: str) -> JsonObject | None:
        """Return the instance in a file if it is the only document there."""
        document, _ = self.document(name)
        parts = [each for each in parse_stream(document.text).documents if each.root is not None] if document else []
        try:
            value = parts[0].to_python() if len(parts) == 1 and not parts[0].errors else None
        except ExcessiveAliasingError:
            return None
        return value if isinstance(value, dict) else None

    def problem(self, name: str) -> str:
        """Return why a file cannot be read, empty if it can."""
        document, problem = self.document(name)
        return problem or ("" if document else "there is no such file")

    def snapshot(self, name: str) -> SnapshotFile:
        """Return a snapshot as it is on disk, since only `kro-ls test --update` writes it."""
        folder = Path(self.folder)
        root = next((each for each in self.roots if folder.is_relative_to(each)), folder)
        try:
            return find_snapshot(folder, name, root)
        except UnreadableFileError as error:
            return SnapshotFile(name, error.path, problem=error.reason)

    def kinds(self, names: Sequence[str]) -> tuple[SchemaIndex, dict[int, str]]:
        """Return the kinds for tests: those of kro-ls itself, and those that files and folders declare.

        The second value says why a file or folder cannot be used, by its number.
        """
        homes: dict[_File, int] = {}
        problems: dict[int, str] = {}
        for number, name in enumerate(names):
            try:
                for file in self._files(name):
                    homes.setdefault(file, number)
            except UnreadableFileError as error:
                problems[number] = self._reason(error, name)
        index, unreadable = _declared(tuple(homes))
        numbers = {file.path: number for file, number in homes.items()}
        for each in unreadable:
            number = numbers[str(each.path)]
            problems.setdefault(number, self._reason(each, names[number]))
        return index, problems

    def _files(self, name: str) -> Iterator[_File]:
        path = Path(self._path(name))
        self._require_allowed(path, name)
        if os.path.abspath(path) not in self.texts and not os.path.exists(path):
            raise UnreadableFileError(path, "there is no such file or folder")
        for file in yaml_files(path, _fail) if os.path.isdir(path) else (path,):
            self._require_allowed(file, os.path.relpath(file, self.folder))
            yield _File(str(file), self.texts.get(os.path.abspath(file)), *_stamp(file))

    def _require_allowed(self, path: Path, name: str) -> None:
        refused = self.refusal(self.folder, name)
        if refused:
            raise UnreadableFileError(path, refused)

    def _reason(self, error: UnreadableFileError, name: str) -> str:
        """Return why a named file or folder cannot be used, because of itself or of a file in it."""
        return error.reason if str(error.path) == self._path(name) else str(error)

    def _path(self, name: str) -> str:
        return os.path.normpath(os.path.join(self.folder, name))


class _File(Struct, frozen=True):
    """A file with kinds, as it is on disk or with a text that replaces it."""

    path: str
    text: str | None
    changed: int
    size: int


def _stamp(file: Path) -> tuple[int, int]:
    try:
        found = os.stat(file)
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


def _fail(error: UnreadableFileError) -> None:
    raise error


@lru_cache(maxsize=16)  # tests of a folder name the same files
def _declared(files: tuple[_File, ...]) -> tuple[SchemaIndex, tuple[UnreadableFileError, ...]]:
    """Return the kinds that come with kro-ls and those of files, and the files that cannot be read.

    The user's store does not count, so that a test has the same result everywhere. The result is cached, because an
    editor runs tests at every pause and a folder of kinds may take seconds to read.
    """
    unreadable: list[UnreadableFileError] = []
    texts = [(each.path, each.text) for each in files if each.text is not None]
    on_disk = [(Path(each.path), MOST_BYTES) for each in files if each.text is None]
    kinds = kubernetes_kinds(None, ())
    pack = installed_pack(kinds, DEFAULT_POLICY)
    found = read_kinds(kinds, texts, on_disk, unreadable.append, general=(pack,) if pack else ())
    return found.index, tuple(unreadable)


class NamedFiles(Struct, frozen=True):
    """Reads files in `folders`; `outside` is the reason why others are not read.

    `texts` are those that have been read, by absolute path. `make` gives the document of a path with a text.
    """

    folders: tuple[Path, ...]
    outside: str
    texts: Mapping[str, str] = MappingProxyType({})
    make: Callable[[str, Text], Document] = lambda path, text: Document(path, None, text)

    def at(self, path: str) -> Document | None:
        """Return the document of a path, None if there is no file. Raises UnreadableFileError."""
        known = self.texts.get(os.path.abspath(path))
        if known is None and not os.path.exists(path):
            return None
        return self.make(path, Text(decode(Path(path), read(Path(path))) if known is None else known))

    def refusal(self, folder: str, name: str) -> str:
        """Return why a name in a file of a folder may not be read, empty if it may."""
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
