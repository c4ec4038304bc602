"""Computes previews in a thread, caches the last one of each definition, and reports when it is out of date.

Scenarios that users edit in open views have previews of their own, which are not cached.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.server.background import Lane, Timers
from kro_ls.server.delays import FOLLOW_SECONDS, REST_SECONDS
from kro_ls.server.documents.open_documents import What
from kro_ls.server.previews.chosen_instances import ChosenInstances

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Mapping
    from typing import Any

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.features.previews.preview import Preview
    from kro_ls.features.previews.scenario import AskedScenario, ReadScenario
    from kro_ls.kro.versions.version import Version
    from kro_ls.rules.diagnosis import Diagnosis
    from kro_ls.runtime.nodes.budget import PreviewBudget
    from kro_ls.server.documents.open_documents import DocumentChanged
    from kro_ls.server.previews.chosen_instances import InstanceSources
    from kro_ls.workspace.documents import Document
    from kro_ls.workspace.instances import FoundInstance

    T = TypeVar("T")

MOST_RESOURCES = 200
"""The largest definition that is previewed unasked: a larger one takes over `HAND_SECONDS` at every edit."""

logger = logging.getLogger(__name__)


class PreviewSession(Struct, frozen=True, eq=False):
    """What previews need from the session with the client.

    `values_changed` is called when hints and lenses would show something else, `preview_changed` with the URI of a
    definition whose preview is out of date, and `content_changed` with that of each virtual document that shows one.
    `diagnosed` gives the diagnosis of a document, and raises OvertakenError if its text changes meanwhile.
    """

    values_changed: Callable[[], None]
    preview_changed: Callable[[str], None]
    content_changed: Callable[[str], None]
    diagnosed: Callable[[Document], Awaitable[Diagnosis]]


class _Kept(Struct, frozen=True):
    rgd: RgdAnalysis
    instance: FoundInstance
    scenario: AskedScenario | None
    kro: Version
    preview: asyncio.Future[Preview | None]

    def is_of(self, rgd: RgdAnalysis, instance: FoundInstance, scenario: AskedScenario | None, kro: Version) -> bool:
        return self.rgd is rgd and (self.scenario, self.kro) == (scenario, kro) and not self.has_other(instance)

    def has_other(self, instance: FoundInstance) -> bool:
        """Whether another instance is used for the definition; a sample follows the definition."""
        return self.instance.uri != instance.uri or self.instance.written is not instance.written


class PreviewKeeper:
    """The previews of open documents, by URI and the place of the definition in its document.

    `documents` are the open ones by URI.
    """

    def __init__(self, documents: Mapping[str, Document], sources: InstanceSources, session: PreviewSession) -> None:
        self._documents = documents
        self._session = session
        self._lane = Lane("previews", REST_SECONDS)
        self._unchanged: set[tuple[str, int]] = set()
        """Definitions whose cached preview has the current inputs, unless the definition itself was edited."""
        self.instances = ChosenInstances(documents, sources, lambda: self.inputs_changed(delay=0))
        self.explorations = Explorations(self._lane, self.instances, session, self._scenario_changed)
        self._kept: dict[tuple[str, int], _Kept] = {}
        self._asked: set[tuple[str, int]] = set()
        self._late: set[asyncio.Future[Preview | None]] = set()
        self._virtual: dict[str, str] = {}
        self._of_files: set[str] = set()
        """Virtual documents that show many files."""
        self.shown = self._kept, self._asked, self._of_files, self.explorations.running
        """Without any of these, an edit need not be reported here."""
        self._due = Timers()

    def close(self) -> None:
        """Stop working."""
        self._lane.close()

    async def preview(self, document: Document, number: int) -> Preview | None:
        """Return the judged preview of a document's definition.

        None where it failed, which is logged, or was edited.
        """
        self._asked.add((document.uri, number))
        return await self._judged(document, _result(await self._waited_for(document, number, None)))

    async def judged_at_hand(self, document: Document, number: int, seconds: float) -> Preview | None:
        """Return the judged preview if it is `at_hand`."""
        return await self._judged(document, await self.at_hand(document, number, seconds))

    async def _judged(self, document: Document, preview: Preview | None) -> Preview | None:
        """Return a preview that says whether kro refuses its definition, None if that was edited meanwhile.

        The document need not be open.
        """
        from kro_ls.features.previews.preview import judged
        from kro_ls.server.connection.protocol import OvertakenError

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
        """Return the future of a preview when it is done, was cancelled by an edit, or the seconds are over.

        After a change of kinds or of the instance it is the future of the preview with these.
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
        """Return the future of the preview, which is started if its inputs differ from those of the cached one."""
        rgd = document.analysis.rgds[number]
        key = document.uri, number
        kept = self._kept.get(key)
        if kept and kept.rgd is rgd and key in self._unchanged and not kept.preview.cancelled():
            return kept.preview
        instance = self.instances.of(*key, rgd)
        scenario, kro = self.explorations.scenario(*key), document.settings.version
        if not self.instances.is_chosen(*key):  # the file of a chosen one may change unseen
            self._unchanged.add(key)
        if kept and kept.is_of(rgd, instance, scenario, kro) and not kept.preview.cancelled():
            return kept.preview
        if kept:
            kept.preview.cancel()
        future = self._lane.submit_preview(document.uri, lambda budget: _make(rgd, instance, scenario, kro, budget))
        self._kept[key] = _Kept(rgd, instance, scenario, kro, future)
        return future

    async def at_hand(self, document: Document, number: int, seconds: float) -> Preview | None:
        """Return the preview if it is ready within some seconds; if it is ready later, values are refreshed.

        A large definition is previewed only if that was requested since the last edit.
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

    async def all_at_hand(self, document: Document, seconds: float) -> list[Preview]:
        """Return the previews of a document's definitions that are at hand within some seconds."""
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        numbers = range(len(document.analysis.rgds))
        found = [await self.at_hand(document, number, end - loop.time()) for number in numbers]
        return [each for each in found if each]

    def show(self, virtual_uri: str, uri: str, *, of_files: bool = False) -> None:
        """Refresh a virtual document when the document `uri`, or with `of_files` any file, changes."""
        self._virtual[virtual_uri] = uri
        if of_files:
            self._of_files.add(virtual_uri)

    def document_changed(self, event: DocumentChanged) -> None:
        """Check soon which previews are out of date, and cancel those of a previous text."""
        if event.what is What.EDITED:
            self._stop(event.uri)
        elif event.what is What.CLOSED:
            self._forget(event.uri)
        self.inputs_changed()

    def _stop(self, uri: str) -> None:
        """Cancel the previews of a document that changed."""
        self._asked.difference_update([key for key in self._asked if key[0] == uri])
        for key, kept in self._kept.items():
            if key[0] == uri and not kept.preview.done():
                kept.preview.cancel()
        self.explorations.stop(uri)

    def _forget(self, uri: str) -> None:
        """Forget everything about a document."""
        self._stop(uri)
        for key in [each for each in self._kept if each[0] == uri]:
            del self._kept[key]
        self._virtual.pop(uri, None)
        self._of_files.discard(uri)
        self.explorations.forget(uri)

    def inputs_changed(self, delay: float = FOLLOW_SECONDS) -> None:
        """Check soon whether previews that are shown depend on a document or file that changed."""
        self._unchanged.clear()
        self._due.stop(None)
        if self._kept or self._of_files:
            self._due.start(None, delay, self._report_changes)

    def _scenario_changed(self) -> None:
        self._unchanged.clear()
        self._session.values_changed()

    def _report_changes(self) -> None:
        for virtual_uri in self._of_files:  # the client requests those that it shows
            self._session.content_changed(virtual_uri)
        try:
            changed = list(self._changes())
        except Exception:
            logger.exception("could not find out which previews are out of date")
            return
        if not changed:
            return
        for uri, _ in changed:
            self._report(uri)
        if any(by_instance for _, by_instance in changed):
            # After an edit of the definition the client requests lenses and hints by itself.
            self._session.values_changed()

    def _changes(self) -> Iterator[tuple[str, bool]]:
        """Yield the URI of each document with a preview that is out of date, and whether its instance changed."""
        for (uri, number), kept in list(self._kept.items()):
            document = self._documents.get(uri)
            rgds = document.analysis.rgds if document else ()
            if document is None or number >= len(rgds):
                del self._kept[uri, number]
                yield uri, False
                continue
            instance = self.instances.of(uri, number, rgds[number])
            scenario, kro = self.explorations.scenario(uri, number), document.settings.version
            if not kept.is_of(rgds[number], instance, scenario, kro):
                del self._kept[uri, number]
                yield uri, kept.has_other(instance)

    def _report(self, uri: str) -> None:
        for virtual_uri, source in self._virtual.items():
            if source == uri:
                self._session.content_changed(virtual_uri)
        self._session.preview_changed(uri)


class Explorations:
    """The scenarios that users edit in open views. Their previews are computed in the `lane` of all previews.

    `changed` is called when hints and lenses show the values of another scenario.
    """

    def __init__(
        self, lane: Lane, instances: ChosenInstances, session: PreviewSession, changed: Callable[[], None]
    ) -> None:
        self._lane = lane
        self._instances = instances
        self._diagnosed = session.diagnosed
        self._changed = changed
        self.running: dict[tuple[str, int, object], asyncio.Future[Any]] = {}
        """The previews that are being computed, by URI and place of the definition and the asker."""
        self._scenarios: dict[tuple[str, int], tuple[object, AskedScenario]] = {}
        """The scenario of the view of a definition that was used last, with the asker of that view."""

    async def explore(
        self,
        document: Document,
        number: int,
        asked: AskedScenario,
        show: Callable[[Preview, ReadScenario], T],
        asker: object,
    ) -> T:
        """Return what `show` gives for the judged preview of a scenario.

        Raises CancelledError if the document is edited or closed meanwhile, or the same asker, such as a page, asks
        again, and OvertakenError.
        """
        from kro_ls.features.previews.preview import judged

        rgd = document.analysis.rgds[number]
        instance = self._instances.of(document.uri, number, rgd)
        diagnosis = await self._diagnosed(document)
        key = document.uri, number, asker
        if key in self.running:
            self.running[key].cancel()

        def shown(budget: PreviewBudget) -> T:
            preview, scenario = explored(rgd, instance, asked, document.settings.version, budget)
            return show(judged(preview, diagnosis), scenario)

        future = self._lane.submit_preview(document.uri, shown)
        self.running[key] = future
        try:
            return await future
        finally:
            if self.running.get(key) is future:
                del self.running[key]

    def follow(self, asker: object, uri: str, number: int, asked: AskedScenario) -> None:
        """Show values of the scenario of a view in lenses and hints until the view has `left`."""
        before = self.scenario(uri, number)
        self._scenarios[uri, number] = asker, asked
        if self.scenario(uri, number) != before:
            self._changed()

    def scenario(self, uri: str, number: int) -> AskedScenario | None:
        """Return the scenario of an open view of a definition, None if there is none or it changes nothing."""
        from kro_ls.features.previews.scenario import AskedScenario

        asked = self._scenarios.get((uri, number), (None, None))[1]
        return None if asked == AskedScenario() else asked

    def left(self, asker: object, uri: str, number: int) -> None:
        """Forget the scenario of a view that was closed."""
        if self._scenarios.get((uri, number), (None, None))[0] is asker:
            followed = self.scenario(uri, number) is not None
            del self._scenarios[uri, number]
            if followed:
                self._changed()

    def stop(self, uri: str) -> None:
        """Cancel the previews of a document that changed."""
        for (asked_uri, *_), future in self.running.items():
            if asked_uri == uri:
                future.cancel()

    def forget(self, uri: str) -> None:
        """Forget the scenarios of a document that was closed."""
        self._scenarios = {key: kept for key, kept in self._scenarios.items() if key[0] != uri}


def _result(future: asyncio.Future[Preview | None]) -> Preview | None:
    return future.result() if future.done() and not future.cancelled() else None


def _make(
    rgd: RgdAnalysis, instance: FoundInstance, scenario: AskedScenario | None, kro: Version, budget: PreviewBudget
) -> Preview | None:
    from kro_ls.features.previews.preview import make_preview
    from kro_ls.runtime.cluster.scenario import Scenario
    from kro_ls.runtime.nodes.budget import PreviewCancelledError

    try:
        if scenario:
            return explored(rgd, instance, scenario, kro, budget)[0]
        return make_preview(rgd, instance, budget, Scenario(kro=kro))
    except PreviewCancelledError:
        raise
    except Exception:
        logger.exception("a preview failed, with %s", instance.label)
        return None


def explored(
    rgd: RgdAnalysis, instance: FoundInstance, asked: AskedScenario, kro: Version, budget: PreviewBudget
) -> tuple[Preview, ReadScenario]:
    """Return the preview of a scenario with a version of kro, and the scenario as it was read."""
    from kro_ls.features.previews.preview import make_preview
    from kro_ls.features.previews.scenario import read_scenario
    from kro_ls.workspace.instances import FoundInstance

    read = read_scenario(rgd, asked)
    scenario = replace(read.scenario, kro=kro)
    if read.instance is not None:
        instance = FoundInstance(rgd, instance.uri or "", "the edited instance", read.instance)
    preview = make_preview(rgd, instance, budget, scenario)
    if preview.simulation is None and (previous := read.previous_instance):
        before = make_preview(rgd, FoundInstance(rgd, "", "an earlier instance", previous), budget, scenario)
        preview = replace(preview, previous=before.simulation)
    return preview, read
