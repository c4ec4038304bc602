"""Which instance is used in the previews of a definition: the one that the user chose, else the nearest."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.server.background import Lane, Tasks
from kro_ls.server.delays import DISK_SECONDS, FRESH_SECONDS
from kro_ls.uris import file_path, file_uri, path_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.render.page_data import InstanceFile
    from kro_ls.server.documents.open_documents import Kinds
    from kro_ls.workspace.documents import Document
    from kro_ls.workspace.instances import FoundInstance


class InstanceSources(Struct, frozen=True, eq=False):
    """Where instances are: in the `folders` of the workspace, and in files that may hold some of its `kinds`."""

    folders: Callable[[], Iterable[Path]]
    kinds: Kinds


class ChosenInstances:
    """The instances of the definitions in open documents, by URI and the place of the definition in its document.

    `documents` are the open ones by URI. `changed` is called when another instance may have to be used.
    """

    def __init__(
        self, documents: Mapping[str, Document], sources: InstanceSources, changed: Callable[[], None]
    ) -> None:
        self._documents = documents
        self._sources = sources
        self._changed = changed
        self._files = ChosenFiles(sources.folders, changed)
        self._chosen: dict[tuple[str, int], tuple[str, int]] = {}
        """The URI of the instance that the user chose for a definition, and its number in that text."""

    def of(self, uri: str, number: int, rgd: RgdAnalysis) -> FoundInstance:
        """Return the current instance for a definition."""
        from kro_ls.workspace.instances import Chosen, find_instance

        wanted, item = self._chosen.get((uri, number), ("", 0))
        if wanted:
            # Clients and servers may spell the URI of one file differently; this is our spelling.
            wanted = next((each for each, _ in self._texts(rgd) if _file(each) == _file(wanted)), wanted)
        opened = self._documents.get(wanted) if wanted else None
        text = opened.text.content if opened else self._files.cached(wanted) if wanted else None
        chosen = Chosen(wanted, text, item) if wanted and text is not None else None
        return find_instance(rgd, uri, self._texts(rgd), chosen, self._other_definition(uri, rgd))

    def listed(self, uri: str, rgd: RgdAnalysis) -> list[InstanceFile]:
        """Return URI and label of every document that holds an instance of a definition, those beside it first."""
        from kro_ls.workspace.instances import find_instances

        found = find_instances(rgd, uri, self._texts(rgd), self._other_definition(uri, rgd))
        return [{"uri": each.uri or "", "label": each.label} for each in sorted(found, key=lambda each: each.of_other)]

    def _other_definition(self, uri: str, rgd: RgdAnalysis) -> Callable[[str], str]:
        """Return a function from an instance's URI to the other file whose definition counts for it, else empty."""
        from kro_ls.rules.files.reported_places import short_path
        from kro_ls.runtime.cluster.instance import instance_kind

        kind, schemas = instance_kind(rgd), self._sources.kinds.current

        def other(instance: str) -> str:
            if kind is None or schemas is None:
                return ""
            source = schemas.chosen_source(path_of(instance), kind.api_version, kind.kind)
            return short_path(source) if source and os.path.normcase(source) != _file(uri) else ""

        return other

    def is_chosen(self, uri: str, number: int) -> bool:
        """Return whether the user chose the instance of a definition."""
        return (uri, number) in self._chosen

    def choose(self, uri: str, number: int, instance_uri: str | None, item: int = 0) -> None:
        """Use an instance for a definition, or with None the nearest again.

        `item` is its number in its text, which `text_of` must have read.
        """
        if instance_uri is None:
            self._chosen.pop((uri, number), None)
        else:
            self._chosen[uri, number] = instance_uri, item
        self._changed()

    async def text_of(self, uri: str) -> str | None:
        """Return the text of an open document or of a file in the workspace, None where there is none."""
        document = self._documents.get(uri)
        return document.text.content if document else await self._files.read(uri)

    def _texts(self, rgd: RgdAnalysis) -> Iterator[tuple[str, str]]:
        from kro_ls.runtime.cluster.instance import instance_kind

        kind = instance_kind(rgd)
        schemas = self._sources.kinds.current
        opened = set(map(_file, self._documents))
        for uri, document in self._documents.items():
            yield uri, document.text.content
        if kind and schemas:
            for path in schemas.instances.paths.get(kind.kind, ()):
                if os.path.normcase(path) not in opened:
                    yield file_uri(path), schemas.instances.texts[path]


def _file(uri: str) -> str:
    """Return a key that is the same for all spellings of a file's URI."""
    return os.path.normcase(path_of(uri))


class ChosenFiles:
    """Reads files in the workspace's `folders` in a thread: a disk may be slow, or not answer at all.

    `changed` is called when the text of one of them has changed.
    """

    def __init__(self, folders: Callable[[], Iterable[Path]], changed: Callable[[], None]) -> None:
        self._folders = folders
        self._changed = changed
        self._lane = Lane("chosen files")
        self._texts: dict[str, tuple[str | None, float]] = {}
        self._reading: set[str] = set()
        self._tasks = Tasks()

    async def read(self, uri: str) -> str | None:
        """Return the text of a file, None where there is none in the workspace or reading takes too long."""
        path = file_path(uri)
        if path is None:
            return None
        folders = tuple(self._folders())
        try:
            text = await asyncio.wait_for(self._lane.submit(lambda: _text(path, folders)), DISK_SECONDS)
        except TimeoutError:
            text, self._lane = None, Lane("chosen files")  # which does not wait for that file
        self._texts[uri] = text, asyncio.get_running_loop().time()
        return text

    def cached(self, uri: str) -> str | None:
        """Return the text of a file as it was last read; it is read again if that was a while ago."""
        text, at = self._texts.get(uri, (None, 0.0))
        if asyncio.get_running_loop().time() - at > FRESH_SECONDS and uri not in self._reading:
            self._reading.add(uri)
            self._tasks.start(self._follow(uri, text))
        return text

    async def _follow(self, uri: str, before: str | None) -> None:
        try:
            if await self.read(uri) != before:
                self._changed()
        finally:
            self._reading.discard(uri)


def _text(path: str, folders: Sequence[Path]) -> str | None:
    from kro_ls.workspace.files import is_inside, read_file
    from kro_ls.workspace.text_files import LARGEST_FILE

    return read_file(Path(path), LARGEST_FILE) if is_inside(path, folders) else None
