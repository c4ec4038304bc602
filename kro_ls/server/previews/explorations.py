"""Previews of scenarios that users edit in open views."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct
from msgspec.structs import replace

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Awaitable, Callable
    from typing import Any

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.features.previews.preview import Preview
    from kro_ls.features.previews.scenario import AskedScenario, ReadScenario
    from kro_ls.kro.versions.version import Version
    from kro_ls.rules.diagnosis import Diagnosis
    from kro_ls.runtime.nodes.budget import PreviewBudget
    from kro_ls.server.background import Lane
    from kro_ls.server.previews.chosen_instances import ChosenInstances
    from kro_ls.workspace.documents import Document
    from kro_ls.workspace.instances import FoundInstance

T = TypeVar("T")


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


class Explorations:
    """The scenarios of open views. Their previews are computed in the `lane` of all previews.

    `followed` is called when values are shown of another scenario.
    """

    def __init__(
        self, lane: Lane, instances: ChosenInstances, session: PreviewSession, followed: Callable[[], None]
    ) -> None:
        self._lane = lane
        self._instances = instances
        self._session = session
        self._followed = followed
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
        diagnosis = await self._session.diagnosed(document)
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
            self._followed()
            self._session.values_changed()

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
                self._followed()
                self._session.values_changed()

    def stop(self, uri: str) -> None:
        """Cancel the previews of a document that changed."""
        for (asked_uri, *_), future in self.running.items():
            if asked_uri == uri:
                future.cancel()

    def forget(self, uri: str) -> None:
        """Forget the scenarios of a document that was closed."""
        self._scenarios = {key: kept for key, kept in self._scenarios.items() if key[0] != uri}


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
