"""The kinds of a set of files with CustomResourceDefinitions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.openapi.sources.crds.file import CrdFile

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.kind_schema import GroupVersionKind, KindSchema


class CrdSource:
    """The kinds of a set of files, immutable. Where two files define the same kind, the first one counts."""

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
        """The source with one file changed, added, or (None) removed. Kinds of other files stay the same objects."""
        files = dict(self._files)
        if text is not None:
            files[path] = CrdFile.of_text(path, text, self._object_meta, files.get(path))
        else:
            files.pop(path, None)
        return CrdSource((), self._object_meta, files.values())

    def find(self, name: GroupVersionKind) -> KindSchema | None:
        """The kind, if one of the files defines it and serves that version."""
        files = self._homes.get(name)
        return files[0].find(name) if files else None

    def homes(self, name: GroupVersionKind) -> list[str]:
        """The paths of the files that define a kind."""
        return [file.path for file in self._homes.get(name, ())]

    def find_in(self, path: str, name: GroupVersionKind) -> KindSchema | None:
        """The kind as one of the files defines it."""
        return self._files[path].find(name)

    def names(self) -> tuple[GroupVersionKind, ...]:
        """Every kind and version that the files define and serve."""
        return tuple(self._homes)

    def paths(self) -> tuple[str, ...]:
        """The paths of all files, in the order in which they count."""
        return tuple(self._files)
