"""Which instance stands for a definition in its previews: the one that the user chose, else the nearest."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.server.previews.chosen_files import ChosenFiles
from kro_ls.uris import file_uri, path_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.render.page_data import InstanceFile
    from kro_ls.workspace.documents import Document
    from kro_ls.workspace.instance_files import InstanceFiles
    from kro_ls.workspace.instances import FoundInstance


class InstanceSources(Struct, frozen=True, eq=False):
    """Where instances may be: in the `folders` of the workspace, in its `files` that may hold some (None before they
    are known). `definition_for` gives the path of the file whose definition of a kind counts for a path, empty where no
    two files declare it.
    """

    folders: Callable[[], Iterable[Path]]
    files: Callable[[], InstanceFiles | None]
    definition_for: Callable[[str, str, str], str]


class ChosenInstances:
    """The instances of open documents' definitions; each definition is named by a URI and its place in the document.

    `documents` are those that are open, by their URIs. `changed` is called when another instance may count.
    """

    def __init__(
        self, documents: Mapping[str, Document], sources: InstanceSources, changed: Callable[[], None]
    ) -> None:
        self._documents = documents
        self._sources = sources
        self._changed = changed
        self._files = ChosenFiles(sources.folders, changed)
        self._chosen: dict[tuple[str, int], tuple[str, int]] = {}
        """By definition the URI of the instance that the user wants, and which of those in its text."""

    def of(self, uri: str, number: int, rgd: RgdAnalysis) -> FoundInstance:
        """Return the instance that stands for a definition now."""
        from kro_ls.workspace.instances import Chosen, find_instance

        wanted, item = self._chosen.get((uri, number), ("", 0))
        if wanted:
            # As it is listed: clients and servers may write the same file's URI in several ways.
            wanted = next((each for each, _ in self._texts(rgd) if _file(each) == _file(wanted)), wanted)
        opened = self._documents.get(wanted) if wanted else None
        text = opened.text.content if opened else self._files.known(wanted) if wanted else None
        chosen = Chosen(wanted, text, item) if wanted and text is not None else None
        return find_instance(rgd, uri, self._texts(rgd), chosen, self._other_definition(uri, rgd))

    def listed(self, uri: str, rgd: RgdAnalysis) -> list[InstanceFile]:
        """Return URI and label of every document that holds an instance of a definition, those beside it first."""
        from kro_ls.workspace.instances import find_instances

        found = find_instances(rgd, uri, self._texts(rgd), self._other_definition(uri, rgd))
        return [{"uri": each.uri or "", "label": each.label} for each in sorted(found, key=lambda each: each.of_other)]

    def _other_definition(self, uri: str, rgd: RgdAnalysis) -> Callable[[str], str]:
        """Return what tells of an instance's URI which other file's definition counts for it; empty for this one's."""
        from kro_ls.rules.files.reported_places import short_path
        from kro_ls.runtime.cluster.instance import instance_kind

        kind = instance_kind(rgd)

        def other(instance: str) -> str:
            source = self._sources.definition_for(path_of(instance), kind.api_version, kind.kind) if kind else ""
            return short_path(source) if source and os.path.normcase(source) != _file(uri) else ""

        return other

    def choose(self, uri: str, number: int, instance_uri: str | None, item: int = 0) -> None:
        """Take note of the instance that the user wants for a definition; None to choose for them again.

        `item` says which of the instances in its text it is. `text_of` has been asked for it before, so that its text
        is known.
        """
        if instance_uri is None:
            self._chosen.pop((uri, number), None)
        else:
            self._chosen[uri, number] = instance_uri, item
        self._changed()

    async def text_of(self, uri: str) -> str | None:
        """Return a text as it is in the editor, else in a file of the workspace; None where there is none."""
        document = self._documents.get(uri)
        return document.text.content if document else await self._files.read(uri)

    def _texts(self, rgd: RgdAnalysis) -> Iterator[tuple[str, str]]:
        from kro_ls.runtime.cluster.instance import instance_kind

        kind = instance_kind(rgd)
        instances = self._sources.files()
        opened = set(map(_file, self._documents))
        for uri, document in self._documents.items():
            yield uri, document.text.content
        if kind and instances:
            for path in instances.paths.get(kind.kind, ()):
                if os.path.normcase(path) not in opened:
                    yield file_uri(path), instances.texts[path]


def _file(uri: str) -> str:
    """Return what is the same for all URIs of a file."""
    return os.path.normcase(path_of(uri))
