"""Updates the user's store from the cluster that the setting `kro.cluster` names.

A cluster is contacted only if the user's own settings name a context of the kubeconfig.
"""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING

from kro_ls.server.background import Lane, Tasks, Timers
from kro_ls.server.delays import CLUSTER_SECONDS, REST_SECONDS, START_SECONDS

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from kro_ls.workspace.gathering.kubectl import Kubectl

logger = logging.getLogger(__name__)


class ClusterKeeper:
    """Pulls the kinds of the cluster regularly. An error is reported once, until a pull succeeds.

    `context` gives the name of the context, empty for no cluster. `agrees` asks the user a question with the text of
    a button, `warn` shows a sentence, `changed` is called when kinds in the store changed.
    """

    def __init__(
        self,
        context: Callable[[], str],
        agrees: Callable[[str, str], Awaitable[bool]],
        warn: Callable[[str], None],
        changed: Callable[[], None],
    ) -> None:
        self._context = context
        self._agrees = agrees
        self._warn = warn
        self._changed = changed
        self._lane = Lane("cluster", REST_SECONDS)
        self._due = Timers()
        self._tasks = Tasks()
        self._consents: dict[str, bool] = {}
        self._failing: set[str] = set()

    def follow(self) -> None:
        """Pull soon from the cluster that the settings name."""
        self._due.stop(None)
        if self._context():
            self._due.start(None, START_SECONDS, self._start)

    def close(self) -> None:
        """Stop pulling."""
        self._due.stop(None)
        self._tasks.cancel()
        self._lane.close()

    def _start(self) -> None:
        self._tasks.start(self._pull(self._context()))

    async def _pull(self, context: str) -> None:
        from kro_ls.workspace.gathering.kubectl import Kubectl
        from kro_ls.workspace.gathering.part import UnusableError

        try:
            kubectl = await self._lane.submit(partial(Kubectl, context))
            if await self._may_run(context, kubectl):
                if await self._lane.submit(partial(_refresh, kubectl)):
                    self._changed()
                self._failing.discard(context)
        except UnusableError as error:
            logger.info("the cluster was not read: %s", error)
            if context not in self._failing:
                self._failing.add(context)
                self._warn(f"{error}. Your store stays as it is; 'kro.cluster' names this context.")
        except Exception:
            logger.exception("could not take the kinds of the cluster")
        if context == self._context() and None not in self._due:
            self._due.start(None, CLUSTER_SECONDS, self._start)

    async def _may_run(self, context: str, kubectl: Kubectl) -> bool:
        """Whether kubectl may run the credential programs of a context; the user is asked once."""
        if kubectl.plugins and context not in self._consents:
            programs = " and ".join(map(repr, kubectl.plugins))
            question = f"The context '{context}' of 'kro.cluster' runs {programs} for its credentials. Run it?"
            self._consents[context] = await self._agrees(question, "Run It")
        return not kubectl.plugins or self._consents[context]


def _refresh(kubectl: Kubectl) -> bool:
    """Write the kinds of a cluster to the user's store; return whether any changed. Raises UnusableError."""
    from kro_ls.openapi.sources.disk_cache import store_folder
    from kro_ls.workspace.gathering.cluster import Cluster
    from kro_ls.workspace.gathering.keeping import is_kept, keep_in_store

    folder, cluster = store_folder(), Cluster(kubectl)
    found = cluster.every_definition(is_known=lambda group: is_kept(folder, group.name, cluster.origin(group.digest)))
    return any(each.change != "unchanged" for each in keep_in_store(found))
