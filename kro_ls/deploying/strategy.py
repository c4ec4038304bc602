"""What every strategy of deployment can do; a strategy of your own is a subclass."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from kro_ls.deploying.cluster_api import REQUEST_SECONDS, ClusterApi
from kro_ls.deploying.course import Course
from kro_ls.deploying.deployment_error import DeploymentError
from kro_ls.deploying.deployment_events import EventKind, Progress
from kro_ls.deploying.target import read_target

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from kro_ls.deploying.deployment_events import Event, Result
    from kro_ls.deploying.target import Definition, Target

TIMEOUT: Final = 300.0
MANAGER: Final = "kro-ls"


class Run:
    """A deployment that proceeds while its events are read: `for event in run: print(event)`.

    Raises DeploymentError after the last event where it failed.
    """

    def __init__(self, course: Course, events: Iterator[Event]) -> None:
        self._course = course
        self._events = events
        self._error: DeploymentError | None = None

    def __iter__(self) -> Run:
        return self

    def __next__(self) -> Event:
        try:
            return next(self._events)
        except DeploymentError as error:
            self._error = error
            raise

    def result(self) -> Result:
        """Proceed to the end, and return the result. Raises DeploymentError if it failed."""
        for _ in self:
            pass
        if self._error is not None:
            raise self._error
        return self.outcome

    @property
    def outcome(self) -> Result:
        """The result so far, even if the deployment failed."""
        return replace(self._course.result, timings=tuple(self._course.timings), log=self._course.log.entries)


class Strategy(ABC):
    """How an instance of a definition is deployed into a cluster, and deleted.

    `context` is one of the kubeconfig, the current one without a name; inside of a pod its service account is used.
    All of a deployment may take `timeout` seconds, a request `request_timeout`. What fails is rolled back unless
    `rollback` is off. `force` takes fields over that other field managers own.
    """

    def __init__(
        self,
        context: str = "",
        *,
        kubeconfig: Path | str | None = None,
        timeout: float = TIMEOUT,
        request_timeout: float = REQUEST_SECONDS,
        poll: float = 1.0,
        rollback: bool = True,
        force: bool = False,
        manager: str = MANAGER,
    ) -> None:
        self.context = context
        self.kubeconfig = kubeconfig
        self.timeout = timeout
        self.request_timeout = request_timeout
        self.poll = poll
        self.rollback = rollback
        self.force = force
        self.manager = manager

    def deploy(self, definition: Definition, instance: Mapping[str, Any]) -> Run:
        """Deploy an instance, and wait until it is ready. Nothing happens before the first event is read."""
        return self._run(definition, instance, self._deployment)

    def dry_run(self, definition: Definition, instance: Mapping[str, Any]) -> Run:
        """Have the API server validate everything that `deploy` would apply; nothing is written."""
        return self._run(definition, instance, self.trying)

    def delete(self, definition: Definition, instance: Mapping[str, Any]) -> Run:
        """Delete what `deploy` has created, in reverse order, and wait until it is gone.

        The instance needs no more than a name.
        """
        return self._run(definition, instance, self.deleting, named_only=True)

    @abstractmethod
    def deploying(self, api: ClusterApi, target: Target, course: Course) -> Iterator[Event]:
        """Deploy, yield what happens, and set `course.result`, and `course.undo` for rollbacks.

        Raises DeploymentError.
        """

    @abstractmethod
    def deleting(self, api: ClusterApi, target: Target, course: Course) -> Iterator[Event]:
        """Delete, and yield what happens. Raises DeploymentError."""

    @abstractmethod
    def trying(self, api: ClusterApi, target: Target, course: Course) -> Iterator[Event]:
        """Have the API server validate what would be applied, and yield its answers. Raises DeploymentError."""

    def _deployment(self, api: ClusterApi, target: Target, course: Course) -> Iterator[Event]:
        try:
            yield from self.deploying(api, target, course)
        except DeploymentError as error:
            yield course.event(EventKind.FAILED, value=target.name, message=str(error))
            if self.rollback:
                with course.phase("rollback"):
                    yield from _rolled_back(target, course)
            raise

    def _run(
        self,
        definition: Definition,
        instance: Mapping[str, Any],
        work: Callable[[ClusterApi, Target, Course], Iterator[Event]],
        *,
        named_only: bool = False,
    ) -> Run:
        course = Course(self.timeout)

        def events() -> Iterator[Event]:
            api: ClusterApi | None = None
            course.start()
            try:
                with course.phase("preparation"):
                    api = ClusterApi(self.context, self.kubeconfig, request_timeout=self.request_timeout)
                    target = read_target(definition, instance, api, named_only=named_only)
                    course.progress = Progress(0, len(target.graph.nodes))
                yield from work(api, target, course)
            except DeploymentError as error:
                course.result = replace(course.result, error=str(error))
                raise
            finally:
                if api is not None:
                    api.close()

        return Run(course, events())


def _rolled_back(target: Target, course: Course) -> Iterator[Event]:
    course.timeout += course.seconds  # what is over is the time to deploy
    try:
        yield from course.undo()
    except DeploymentError as error:
        yield course.event(EventKind.WARNING, value=target.name, message=f"cannot be rolled back: {error}")
