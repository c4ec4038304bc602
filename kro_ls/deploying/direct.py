"""Deploys without kro: level by level, each when what it depends on is ready."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kro_ls.deploying.direct_work import DirectWork
from kro_ls.deploying.inventory import Inventory
from kro_ls.deploying.live_objects import Applying
from kro_ls.deploying.live_readiness import unready_node
from kro_ls.deploying.strategy import Strategy
from kro_ls.deploying.trial import try_objects

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kro_ls.deploying.cluster_api import ClusterApi
    from kro_ls.deploying.course import Course
    from kro_ls.deploying.deployment_events import Event
    from kro_ls.deploying.target import Target
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.runtime.nodes.compiled import CompiledNode


class Direct(Strategy):
    """Needs no kro in the cluster: applies the objects itself, and evaluates the expressions on what is there.

    Within a level `parallel` objects are applied at once. An object that is there already and that no deployment of the
    instance has made is left alone, unless `adopt` takes it over. Fields of the status that are not there when all is
    ready are awaited for `settle` seconds.
    """

    def __init__(
        self, context: str = "", *, parallel: int = 8, adopt: bool = False, settle: float = 5.0, **options: Any
    ) -> None:
        super().__init__(context, **options)
        self.parallel = parallel
        self.adopt = adopt
        self.settle = settle

    def unready(self, node: CompiledNode, objects: Sequence[JsonObject]) -> str:
        """Return why the objects of a node are not ready yet; empty where they are, or `readyWhen` is to decide."""
        return unready_node(node, objects)

    def prepare(self, node: str, value: JsonObject) -> JsonObject:  # noqa: ARG002 (for subclasses)
        """Return what is applied for an object of a node; a subclass may add to it."""
        return value

    def deploying(self, api: ClusterApi, target: Target, course: Course) -> Iterator[Event]:
        """Apply level after level."""
        work = DirectWork(self, api, target, course)
        course.undo = work.rolled_back
        yield from work.deployed()

    def deleting(self, api: ClusterApi, target: Target, course: Course) -> Iterator[Event]:
        """Delete what the inventory lists."""
        with course.phase("deletion"):
            yield from DirectWork(self, api, target, course).deleted()

    def trying(self, api: ClusterApi, target: Target, course: Course) -> Iterator[Event]:
        """Try each object that the preview makes."""
        with course.phase("dry run"):
            inventory = Inventory(api, target.instance, self.manager)
            applying = Applying(self.manager, self.force, self.adopt)
            yield from try_objects(
                api, target, course, applying, lambda node, value: inventory.marked(self.prepare(node, value))
            )
