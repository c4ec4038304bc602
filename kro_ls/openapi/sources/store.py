"""Reads the user's store of collected definitions: `GROUP/KIND.yaml`, each a stripped CRD with its origin.

The folder may change at any time; a file that cannot be used counts as absent. Reading a thousand definitions is slow,
so the user's cache has an index of the versions in each file, which counts as unchanged while its time and size are the
same. An index that is damaged or of another version counts as empty.
"""

from __future__ import annotations

import json
import os
import re
from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec

from kro_ls import __version__
from kro_ls.openapi.json_values import as_object
from kro_ls.openapi.kind_schema import GroupVersionKind
from kro_ls.openapi.sources.bundled import OBJECT_META
from kro_ls.openapi.sources.crds.parsing import LARGEST_FILE, parse_values
from kro_ls.openapi.sources.crds.source import CrdFile
from kro_ls.openapi.sources.disk_cache import cache_folder, store_folder, write_in_one_step
from kro_ls.openapi.sources.provenance import Provenance, provenance_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from kro_ls.openapi.index import KubernetesSource
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.kind_schema import KindSchema


Stamp = tuple[str, int, int]
"""The path of a file below the store, its time of change in nanoseconds, and its size."""

_Row = tuple[str, int, int, list[str]]

_WORTH_CACHING = 50


class NamesIndex:
    """The cached versions of the kinds of one store."""

    def __init__(self, path: Path, folder: Path) -> None:
        """`path` is the file of the index, `folder` the store."""
        self._path = path
        self._key = [__version__, str(folder)]

    def versions(self, stamps: Iterable[Stamp], read: Callable[[str], list[str]]) -> dict[str, list[str]]:
        """Return the versions in each file; `read` returns those in a new or changed file."""
        cached = self._load()
        found = {stamp: cached[stamp] if stamp in cached else read(stamp[0]) for stamp in stamps}
        if len(found) >= _WORTH_CACHING and found.keys() != cached.keys():
            self._save(found)
        return {home: versions for (home, _, _), versions in found.items()}

    def _load(self) -> dict[Stamp, list[str]]:
        try:
            key, rows = msgspec.json.decode(self._path.read_bytes(), type=tuple[list[str], list[_Row]])
        except (OSError, msgspec.MsgspecError):
            return {}
        return {(home, time, size): versions for home, time, size, versions in rows} if key == self._key else {}

    def _save(self, found: dict[Stamp, list[str]]) -> None:
        rows = [[*stamp, versions] for stamp, versions in found.items()]
        write_in_one_step(self._path, json.dumps([self._key, rows]).encode())


_GROUP = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+"
_KIND = r"[A-Za-z]([-A-Za-z0-9]*[A-Za-z0-9])?"
_LONGEST = 253
_SUFFIX = ".yaml"


def home_of(group: str, kind: str) -> str | None:
    """Return the path of a kind's file in a store; None for names that no CustomResourceDefinition can have."""
    if not re.fullmatch(_GROUP, group) or not re.fullmatch(_KIND, kind) or max(len(group), len(kind)) > _LONGEST:
        return None
    return f"{group}/{kind}{_SUFFIX}"


class Store:
    """The kinds of a store, as its files were when each was first asked for."""

    def __init__(self, folder: Path, object_meta: JsonObject, index: NamesIndex | None = None) -> None:
        """`object_meta` is the schema of ObjectMeta. The folder need not exist. `index` caches the versions."""
        self._folder = folder
        self._object_meta = object_meta
        self._index = index
        self._files: dict[str, CrdFile | None] = {}

    def find(self, name: GroupVersionKind) -> KindSchema | None:
        """Return the kind, if the store has it in that version."""
        home = home_of(name.group, name.kind)
        file = self._file(home) if home else None
        return file.find(name) if file else None

    def declares(self, group: str, kind: str) -> bool:
        """Whether the store has the kind in any version."""
        home = home_of(group, kind)
        return home is not None and self._file(home) is not None

    def names(self) -> Iterator[GroupVersionKind]:
        """Yield every kind of the store in every version that is served."""
        stamps = _stamps(self._folder)
        if self._index:
            found = self._index.versions(stamps, self._versions)
        else:
            found = {home: self._versions(home) for home, _, _ in stamps}
        for home, versions in found.items():
            group, _, kind = home.removesuffix(_SUFFIX).partition("/")
            yield from (GroupVersionKind(group, version, kind) for version in versions)

    def _versions(self, home: str) -> list[str]:
        file = self._file(home)
        return [name.version for name in file.names if home_of(name.group, name.kind) == home] if file else []

    def _file(self, home: str) -> CrdFile | None:
        if home not in self._files:
            self._files[home] = self._read(home)
        return self._files[home]

    def _read(self, home: str) -> CrdFile | None:
        path = self._folder / home
        content = _content(path)
        if content is None:
            return None
        source = f"{origin_in(content.decode())}, your store"
        return CrdFile(source, content, self._object_meta, lambda: _content(path))


def installed_store(kubernetes: KubernetesSource) -> Store:
    """Return the user's store, the same one while no file in it is replaced, added or deleted."""
    folder = store_folder()
    groups = (_stamp(entry.name, entry) for entry in _entries(folder))
    return _store(kubernetes, folder, tuple(sorted(filter(None, groups))))


@lru_cache(maxsize=2)  # kinds are compared by identity
def _store(kubernetes: KubernetesSource, folder: Path, _groups: tuple[Stamp, ...]) -> Store:
    return Store(folder, kubernetes.definition(OBJECT_META), NamesIndex(cache_folder() / "store.json", folder))


def _stamps(folder: Path) -> list[Stamp]:
    """Return the stamps of the files of a store, sorted; they differ when a file has changed."""
    found = []
    for group in _entries(folder):
        for entry in _entries(group.path):
            kind, suffix = os.path.splitext(entry.name)
            home = home_of(group.name, kind) if suffix == _SUFFIX else None
            if home:
                found.append(_stamp(home, entry))
    return sorted(filter(None, found))


def _stamp(name: str, entry: os.DirEntry[str]) -> Stamp | None:
    try:
        status = entry.stat()
    except OSError:
        return None
    return name, status.st_mtime_ns, status.st_size


def _entries(folder: Path | str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []


def _content(path: Path) -> bytes | None:
    """Return the content of a file in UTF-8, None for any other."""
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
        content.decode()
    except (OSError, UnicodeDecodeError):
        return None
    return content


def origin_in(text: str) -> Provenance:
    """Return the origin in the text of a definition; most of it, what follows the metadata, is not parsed."""
    return provenance_of(next(map(as_object, parse_values(text.partition("\nspec:")[0])), {}))
