"""Files with CustomResourceDefinitions: the names of their kinds, and each kind when it is first asked for."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import msgspec

from kro_ls.openapi.kind_schema import GroupVersionKind
from kro_ls.openapi.sources.crds.parsing import LARGEST_FILE, parse_definitions
from kro_ls.openapi.sources.crds.scanning import pieces, scan_documents
from kro_ls.openapi.sources.crds.served_kinds import KIND, served_kinds
from kro_ls.openapi.sources.disk_cache import digest_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.kind_schema import KindSchema
    from kro_ls.openapi.sources.crds.scanning import ScannedKind
    from kro_ls.openapi.sources.disk_cache import DiskCache


class CrdFile:
    """One file: only its names and the kinds that were asked for stay in memory, not its text."""

    def __init__(
        self,
        path: str,
        content: bytes,
        object_meta: JsonObject,
        read: Callable[[], bytes | None],
        previous: CrdFile | None = None,
        cache: DiskCache | None = None,
    ) -> None:
        """`content` is UTF-8; `read` returns it again, or None where it cannot.

        `object_meta` is the schema of Kubernetes' ObjectMeta. `previous` is the file before an edit: a kind whose text
        is the same stays the same object, and so do the results that are cached for it. `cache` has the names that are
        slow to find.
        """
        self.path = path
        self.names = tuple(dict.fromkeys(_names(content, cache)))
        self._object_meta = object_meta
        self._read = read
        self._found: dict[GroupVersionKind, KindSchema | None] = {}
        self.by_text: dict[bytes, KindSchema] = {}
        """The kinds that were asked for, by the digest of the text of each."""
        self._previous = dict(previous.by_text) if previous else {}

    @staticmethod
    def of_text(path: str, text: str, object_meta: JsonObject, previous: CrdFile | None = None) -> CrdFile:
        """Return a file with a text that is in memory anyway, such as that of an open document."""
        encode = partial(text.encode, "utf-8", "surrogatepass")
        return CrdFile(path, encode(), object_meta, encode, previous)

    def find(self, name: GroupVersionKind) -> KindSchema | None:
        """Return the kind, if it is one of `names` and the file still defines it."""
        if name not in self._found:
            content = self._read() if name in self.names else None
            kind = None if content is None else self._kind(content, name)
            self._found.setdefault(name, kind)  # another thread may have been quicker: a kind is one object
        return self._found[name]

    def _kind(self, content: bytes, name: GroupVersionKind) -> KindSchema | None:
        others: set[GroupVersionKind] = set()
        for document, scanned in _documents(content):
            if scanned is None:
                # Parsing is slow, so it is done once for all kinds of the document that no document above defines.
                for kind in self._kinds(document):
                    if kind.name not in others:
                        self._found.setdefault(kind.name, kind)
                if name in self._found:
                    return self._found[name]
                continue
            wanted = next((kind for kind in scanned if kind.name == name), None)
            if wanted:
                return self._only_kind(wanted.alone(document), name)
            others.update(kind.name for kind in scanned)
        return None

    def _only_kind(self, document: bytes, name: GroupVersionKind) -> KindSchema | None:
        digest = digest_of(document)
        kind = self._previous.get(digest) or next((kind for kind in self._kinds(document) if kind.name == name), None)
        if kind:
            self.by_text[digest] = kind
        return kind

    def _kinds(self, document: bytes) -> Iterator[KindSchema]:
        for definition in parse_definitions(_decode(document)):
            yield from served_kinds(definition, self.path, self._object_meta)


def _names(content: bytes, cache: DiskCache | None) -> Iterator[GroupVersionKind]:
    for document, scanned in _documents(content):
        if scanned is not None:
            yield from (kind.name for kind in scanned)
            continue
        names = cache.get(_CACHED, document, list[tuple[str, str, str]]) if cache else None
        if names is None:
            definitions = parse_definitions(_decode(document))
            found = (kind.name for definition in definitions for kind in served_kinds(definition, "", {}))
            names = [(name.group, name.version, name.kind) for name in found]
            if cache:
                cache.put(_CACHED, document, msgspec.to_builtins(names))
        yield from (GroupVersionKind(*name) for name in names)


_CACHED = "crd names"


def _documents(content: bytes) -> list[tuple[bytes, tuple[ScannedKind, ...] | None]]:
    """Return the parts of a text that can have definitions."""
    if KIND.encode() not in content:
        return []
    if len(content) <= LARGEST_FILE:
        return scan_documents(content)
    wanted = (each for each in pieces(content) if len(each) <= LARGEST_FILE and KIND.encode() in each)
    return [document for piece in wanted for document in scan_documents(piece)]


def _decode(content: bytes) -> str:
    return content.decode("utf-8", "surrogatepass")


class CrdSource:
    """The kinds of several files, immutable. Where two files define the same kind, the first one counts."""

    def __init__(
        self, texts: Iterable[tuple[str, str]], object_meta: JsonObject, files: Iterable[CrdFile] = ()
    ) -> None:
        """`texts` are paths with texts, `files` more of the same; `object_meta` is the schema of ObjectMeta."""
        self._object_meta = object_meta
        every = (*(CrdFile.of_text(path, text, object_meta) for path, text in texts), *files)
        self._files = {file.path: file for file in every}
        self._homes: dict[GroupVersionKind, list[CrdFile]] = {}
        for file in self._files.values():
            for name in file.names:
                self._homes.setdefault(name, []).append(file)

    def with_file(self, path: str, text: str | None) -> CrdSource:
        """Return the source with one file changed, added, or (None) removed. Other kinds stay the same objects."""
        files = dict(self._files)
        if text is not None:
            files[path] = CrdFile.of_text(path, text, self._object_meta, files.get(path))
        else:
            files.pop(path, None)
        return CrdSource((), self._object_meta, files.values())

    def find(self, name: GroupVersionKind) -> KindSchema | None:
        """Return the kind, if one of the files defines it and serves that version."""
        files = self._homes.get(name)
        return files[0].find(name) if files else None

    def homes(self, name: GroupVersionKind) -> list[str]:
        """Return the paths of the files that define a kind."""
        return [file.path for file in self._homes.get(name, ())]

    def find_in(self, path: str, name: GroupVersionKind) -> KindSchema | None:
        """Return the kind as one of the files defines it."""
        return self._files[path].find(name)

    def names(self) -> tuple[GroupVersionKind, ...]:
        """Return every kind and version that the files define and serve."""
        return tuple(self._homes)

    def paths(self) -> tuple[str, ...]:
        """Return the paths of all files, in the order in which they count."""
        return tuple(self._files)
