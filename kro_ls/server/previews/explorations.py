"""Previews under the scenarios that users edit in open views."""

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
    """What previews ask of the session with the client, and tell it.

    `values_changed` is called when hints and lenses would show something else, `preview_changed` with the URI of a
    definition whose preview is out of date, and `content_changed` with that of each virtual document that is made of
    one. `diagnosed` gives the diagnosis of a document, and raises OvertakenError where it has another text meanwhile.
    """

    values_changed: Callable[[], None]
    preview_changed: Callable[[str], None]
    content_changed: Callable[[str], None]
    diagnosed: Callable[[Document], Awaitable[Diagnosis]]


class Explorations:
    """What the views of open documents' definitions explore; they are made in the `lane` of the other previews."""

    def __init__(self, lane: Lane, instances: ChosenInstances, session: PreviewSession) -> None:
        self._lane = lane
        self._instances = instances
        self._session = session
        self._explored: dict[tuple[str, int, object], asyncio.Future[Any]] = {}
        self._scenarios: dict[tuple[str, int], tuple[object, AskedScenario]] = {}
        """What the view that was used last says of a definition, with the asker that it is."""

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
        instance = self._instances.of(document.uri, number, rgd)
        diagnosis = await self._session.diagnosed(document)
        key = document.uri, number, asker
        if key in self._explored:
            self._explored[key].cancel()

        def shown(budget: PreviewBudget) -> T:
            preview, scenario = explored(rgd, instance, asked, document.settings.version, budget)
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

    def stop(self, uri: str) -> None:
        """Stop what is being made of a document that is another one now."""
        for (asked_uri, *_), future in self._explored.items():
            if asked_uri == uri:
                future.cancel()

    def forget(self, uri: str) -> None:
        """Forget the scenarios of a document that was closed."""
        self._scenarios = {key: kept for key, kept in self._scenarios.items() if key[0] != uri}


def explored(
    rgd: RgdAnalysis, instance: FoundInstance, asked: AskedScenario, kro: Version, budget: PreviewBudget
) -> tuple[Preview, ReadScenario]:
    """Return the preview of a scenario with a version of kro, and what was read of that."""
    from kro_ls.features.previews.preview import make_preview
    from kro_ls.features.previews.scenario import read_scenario
    from kro_ls.workspace.instances import FoundInstance

    read = read_scenario(rgd, asked)
    scenario = replace(read.scenario, kro=kro)
    if read.instance is not None:
        instance = FoundInstance(rgd, instance.uri or "", "the edited instance", read.instance)
    preview = make_preview(rgd, instance, budget, scenario)
    if preview.simulation is None and (earlier := read.earlier):
        before = make_preview(rgd, FoundInstance(rgd, "", "an earlier instance", earlier), budget, scenario)
        preview = replace(preview, earlier=before.simulation)
    return preview, read
