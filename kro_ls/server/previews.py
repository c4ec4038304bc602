"""Makes previews beside the editing, keeps the last of each definition, and tells the client when it is outdated."""

from __future__ import annotations

import asyncio
import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.server.background import Lane, Timers
from kro_ls.server.chosen_files import ChosenFiles
from kro_ls.server.delays import FOLLOW_SECONDS, HAND_SECONDS, REST_SECONDS
from kro_ls.server.events import What
from kro_ls.uris import file_uri, path_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.features.previews.preview import Preview
    from kro_ls.features.previews.scenario import AskedScenario, ReadScenario
    from kro_ls.render.page_data import InstanceFile
    from kro_ls.rules.diagnosis import Diagnosis
    from kro_ls.runtime.nodes.budget import PreviewBudget
    from kro_ls.server.events import DocumentChanged
    from kro_ls.workspace.documents import Document
    from kro_ls.workspace.instance_files import InstanceFiles
    from kro_ls.workspace.instances import FoundInstance

MOST_RESOURCES = 200
"""The largest definition that is previewed unasked: more would take longer than `HAND_SECONDS`, at every edit."""

logger = logging.getLogger(__name__)

T = TypeVar("T")


class _Kept(Struct, frozen=True):
    rgd: RgdAnalysis
    instance: FoundInstance
    scenario: AskedScenario | None
    preview: asyncio.Future[Preview | None]

    def is_of(self, rgd: RgdAnalysis, instance: FoundInstance, scenario: AskedScenario | None) -> bool:
        return self.rgd is rgd and self.scenario == scenario and not self.has_other(instance)

    def has_other(self, instance: FoundInstance) -> bool:
        """Whether another instance stands for the definition; a made-up one follows the definition."""
        return self.instance.uri != instance.uri or self.instance.written is not instance.written


class PreviewSession(Struct, frozen=True, eq=False):
    """What the keeper asks of the session with the client, and tells it.

    `folders` are those of the workspace. `instances` are the files that may hold some, None before they are known.
    `definition_for` gives the path of the file whose definition of a kind counts for a path, empty where no two files
    declare it.
    `values_changed` is called when hints and lenses would show something else, `preview_changed` with the URI of a
    definition whose preview is out of date, and `content_changed` with that of each virtual document that is made of
    one. `diagnosed` gives the diagnosis of a document, and raises OvertakenError where it has another text meanwhile.
    """

    folders: Callable[[], Iterable[Path]]
    instances: Callable[[], InstanceFiles | None]
    values_changed: Callable[[], None]
    preview_changed: Callable[[str], None]
    content_changed: Callable[[str], None]
    diagnosed: Callable[[Document], Awaitable[Diagnosis]]
    definition_for: Callable[[str, str, str], str]


class PreviewKeeper:
    """The previews of open documents, by URI and the place of the definition in its document.

    `documents` are those that are open, by their URIs.
    """

    def __init__(self, documents: Mapping[str, Document], session: PreviewSession) -> None:
        self._documents = documents
        self._session = session
        self._lane = Lane("previews", REST_SECONDS)
        self._files = ChosenFiles(session.folders, lambda: self.inputs_changed(delay=0))
        self._kept: dict[tuple[str, int], _Kept] = {}
        self._asked: set[tuple[str, int]] = set()
        self._explored: dict[tuple[str, int, object], asyncio.Future[Any]] = {}
        self._scenarios: dict[tuple[str, int], tuple[object, AskedScenario]] = {}
        """What the view that was used last says of a definition, with the asker that it is."""
        self._late: set[asyncio.Future[Preview | None]] = set()
        self._chosen: dict[tuple[str, int], tuple[str, int]] = {}
        """By definition the URI of the instance that the user wants, and which of those in its text."""
        self._shown: dict[str, str] = {}
        self._due = Timers()

    def close(self) -> None:
        """Stop working."""
        self._lane.close()

    def instance(self, uri: str, number: int, rgd: RgdAnalysis) -> FoundInstance:
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

    def instances(self, uri: str, rgd: RgdAnalysis) -> list[InstanceFile]:
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
            source = self._session.definition_for(path_of(instance), kind.api_version, kind.kind) if kind else ""
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
        self.inputs_changed(delay=0)

    async def text_of(self, uri: str) -> str | None:
        """Return a text as it is in the editor, else in a file of the workspace; None where there is none."""
        document = self._documents.get(uri)
        return document.text.content if document else await self._files.read(uri)

    def _texts(self, rgd: RgdAnalysis) -> Iterator[tuple[str, str]]:
        from kro_ls.runtime.cluster.instance import instance_kind

        kind = instance_kind(rgd)
        instances = self._session.instances()
        opened = set(map(_file, self._documents))
        for uri, document in self._documents.items():
            yield uri, document.text.content
        if kind and instances:
            for path in instances.paths.get(kind.kind, ()):
                if os.path.normcase(path) not in opened:
                    yield file_uri(path), instances.texts[path]

    async def explore(
        self,
        document: Document,
        number: int,
        asked: AskedScenario,
        show: Callable[[Preview, ReadScenario], T],
        asker: object,
    ) -> T:
        """Return what `show` makes, beside the editing, of the judged preview of a scenario.

        Raises CancelledError where the document is edited or closed meanwhile, or the same asker, such as a page,
        asks anew, and OvertakenError.
        """
        from kro_ls.features.previews.preview import judged

        rgd = document.analysis.rgds[number]
        instance = self.instance(document.uri, number, rgd)
        diagnosis = await self._session.diagnosed(document)
        key = document.uri, number, asker
        if key in self._explored:
            self._explored[key].cancel()

        def shown(budget: PreviewBudget) -> T:
            preview, scenario = _explore(rgd, instance, asked, budget)
            return show(judged(preview, diagnosis), scenario)

        future = self._lane.submit_preview(document.uri, shown)
        self._explored[key] = future
        try:
            return await future
        finally:
            if self._explored.get(key) is future:
                del self._explored[key]

    def follow(self, asker: object, uri: str, number: int, asked: AskedScenario) -> None:
        """Have lenses and values tell of the scenario that a view shows, until that has `left`."""
        before = self.scenario(uri, number)
        self._scenarios[uri, number] = asker, asked
        if self.scenario(uri, number) != before:
            self._session.values_changed()

    def scenario(self, uri: str, number: int) -> AskedScenario | None:
        """Return the scenario of an open view of a definition; None where there is none, or it changes nothing."""
        from kro_ls.features.previews.scenario import AskedScenario

        asked = self._scenarios.get((uri, number), (None, None))[1]
        return None if asked == AskedScenario() else asked

    def left(self, asker: object, uri: str, number: int) -> None:
        """Take note that a view of a definition was closed."""
        if self._scenarios.get((uri, number), (None, None))[0] is asker:
            followed = self.scenario(uri, number) is not None
            del self._scenarios[uri, number]
            if followed:
                self._session.values_changed()

    async def preview(self, document: Document, number: int) -> Preview | None:
        """Return the judged preview of a document's definition.

        None where it failed, which is logged, or was edited.
        """
        self._asked.add((document.uri, number))
        return await self._judged(document, _result(await self._waited_for(document, number, None)))

    async def judged_at_hand(self, document: Document, number: int, seconds: float) -> Preview | None:
        """Return the preview if it is `at_hand`, judged."""
        return await self._judged(document, await self.at_hand(document, number, seconds))

    async def _judged(self, document: Document, preview: Preview | None) -> Preview | None:
        """Return a preview that says whether kro refuses its definition; None where that was edited meanwhile.

        The document need not be open.
        """
        from kro_ls.features.previews.preview import judged
        from kro_ls.server.slow_documents import OvertakenError

        if preview is None:
            return None
        current = self._documents.get(document.uri, document)
        try:
            return judged(preview, await self._session.diagnosed(current))
        except OvertakenError:
            return None

    async def _waited_for(
        self, document: Document, number: int, seconds: float | None
    ) -> asyncio.Future[Preview | None]:
        """Return the making of a preview when it is done, was cancelled by an edit, or the seconds are over.

        When other kinds or another instance came to be known, it is the making of the preview with those.
        """
        loop = asyncio.get_running_loop()
        end = None if seconds is None else loop.time() + seconds
        while True:
            future = self._start(document, number)
            await asyncio.wait([future], timeout=None if end is None else end - loop.time())
            current = self._documents.get(document.uri)
            if not future.cancelled() or current is None or current.text is not document.text:
                return future
            document = current

    def _start(self, document: Document, number: int) -> asyncio.Future[Preview | None]:
        """Return the making of the preview, which is begun if it is not the last one that was wanted."""
        rgd = document.analysis.rgds[number]
        instance = self.instance(document.uri, number, rgd)
        key = document.uri, number
        scenario = self.scenario(*key)
        kept = self._kept.get(key)
        if kept and kept.is_of(rgd, instance, scenario) and not kept.preview.cancelled():
            return kept.preview
        if kept:
            kept.preview.cancel()
        future = self._lane.submit_preview(document.uri, lambda budget: _make(rgd, instance, scenario, budget))
        self._kept[key] = _Kept(rgd, instance, scenario, future)
        return future

    async def at_hand(self, document: Document, number: int, seconds: float) -> Preview | None:
        """Return the preview if it is there within some seconds; if it comes later, the client is told.

        Of a large definition it is there only if it was asked for since it was edited.
        """
        try:
            if not self._is_wanted(document, number):
                return None
            future = await self._waited_for(document, number, seconds)
        except Exception:
            logger.exception("could not preview %s, version %s", document.uri, document.version)
            return None
        if not future.done() and future not in self._late:
            self._late.add(future)
            future.add_done_callback(self._came_late)
        return _result(future)

    def _is_wanted(self, document: Document, number: int) -> bool:
        rgd = document.analysis.rgds[number]
        return len(rgd.resources) <= MOST_RESOURCES or (document.uri, number) in self._asked

    def _came_late(self, future: asyncio.Future[Preview | None]) -> None:
        self._late.discard(future)
        if not future.cancelled():
            self._session.values_changed()

    async def all_at_hand(self, document: Document, seconds: float = HAND_SECONDS) -> list[Preview]:
        """Return the previews of a document's definitions that are at hand within some seconds."""
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        numbers = range(len(document.analysis.rgds))
        found = [await self.at_hand(document, number, end - loop.time()) for number in numbers]
        return [each for each in found if each]

    def show(self, virtual_uri: str, uri: str) -> None:
        """Take note of a virtual document that is made of the document `uri`."""
        self._shown[virtual_uri] = uri

    def document_changed(self, event: DocumentChanged) -> None:
        """Look soon whether previews are out of date; what is being made of an older text is of no use."""
        if event.what is What.EDITED:
            self._stop(event.uri)
        elif event.what is What.CLOSED:
            self._forget(event.uri)
        self.inputs_changed()

    def _stop(self, uri: str) -> None:
        """Stop what is being made of a document that is another one now."""
        self._asked = {key for key in self._asked if key[0] != uri}
        for key, kept in self._kept.items():
            if key[0] == uri and not kept.preview.done():
                kept.preview.cancel()
        for (asked_uri, *_), future in self._explored.items():
            if asked_uri == uri:
                future.cancel()

    def _forget(self, uri: str) -> None:
        """Forget what was kept of a document."""
        self._stop(uri)
        for key in [each for each in self._kept if each[0] == uri]:
            del self._kept[key]
        self._shown.pop(uri, None)
        self._scenarios = {key: kept for key, kept in self._scenarios.items() if key[0] != uri}

    def inputs_changed(self, delay: float = FOLLOW_SECONDS) -> None:
        """Look soon whether a document or file that changed is the input of something that is shown."""
        self._due.stop(None)
        if self._kept:
            self._due.start(None, delay, self._tell_changes)

    def _tell_changes(self) -> None:
        try:
            changed = list(self._changes())
        except Exception:
            logger.exception("could not find out which previews are out of date")
            return
        if not changed:
            return
        for uri, _ in changed:
            self._tell(uri)
        if any(by_instance for _, by_instance in changed):
            # The client asks for lenses and hints again by itself when the definition was edited.
            self._session.values_changed()

    def _changes(self) -> Iterator[tuple[str, bool]]:
        """Yield the URI of each document with a preview that is out of date, and whether its instance changed."""
        for (uri, number), kept in list(self._kept.items()):
            document = self._documents.get(uri)
            rgds = document.analysis.rgds if document else ()
            if number >= len(rgds):
                del self._kept[uri, number]
                yield uri, False
                continue
            instance = self.instance(uri, number, rgds[number])
            if not kept.is_of(rgds[number], instance, self.scenario(uri, number)):
                del self._kept[uri, number]
                yield uri, kept.has_other(instance)

    def _tell(self, uri: str) -> None:
        for virtual_uri, source in self._shown.items():
            if source == uri:
                self._session.content_changed(virtual_uri)
        self._session.preview_changed(uri)


def _file(uri: str) -> str:
    """Return what is the same for all URIs of a file."""
    return os.path.normcase(path_of(uri))


def _result(future: asyncio.Future[Preview | None]) -> Preview | None:
    return future.result() if future.done() and not future.cancelled() else None


def _make(
    rgd: RgdAnalysis, instance: FoundInstance, scenario: AskedScenario | None, budget: PreviewBudget
) -> Preview | None:
    from kro_ls.features.previews.preview import make_preview
    from kro_ls.runtime.nodes.budget import PreviewCancelledError

    try:
        return _explore(rgd, instance, scenario, budget)[0] if scenario else make_preview(rgd, instance, budget)
    except PreviewCancelledError:
        raise
    except Exception:
        logger.exception("a preview failed, with %s", instance.label)
        return None


def _explore(
    rgd: RgdAnalysis, instance: FoundInstance, asked: AskedScenario, budget: PreviewBudget
) -> tuple[Preview, ReadScenario]:
    from kro_ls.features.previews.preview import make_preview
    from kro_ls.features.previews.scenario import read_scenario
    from kro_ls.workspace.instances import FoundInstance

    read = read_scenario(rgd, asked)
    if read.instance is not None:
        instance = FoundInstance(rgd, instance.uri or "", "the edited instance", read.instance)
    preview = make_preview(rgd, instance, budget, read.scenario)
    if preview.simulation is None and (earlier := read.earlier):
        before = make_preview(rgd, FoundInstance(rgd, "", "an earlier instance", earlier), budget, read.scenario)
        preview = replace(preview, earlier=before.simulation)
    return preview, read
