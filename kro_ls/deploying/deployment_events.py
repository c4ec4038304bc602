"""The events of a deployment, and its result."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from msgspec import Struct, field

if TYPE_CHECKING:
    from kro_ls.deploying.evaluation_log import Evaluation
    from kro_ls.openapi.json_values import JsonObject


class EventKind(Enum):
    """The kinds of events."""

    CREATED = "created"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    WAITING = "waiting for"
    WARNING = "warning"
    """Kubernetes has written a warning Event about an object."""
    READY = "ready"
    LEFT_OUT = "left out"
    FAILED = "failed"
    DELETED = "deleted"
    RESTORED = "restored"
    """A rollback has restored an object."""
    REFUSED = "refused"
    """A dry run: the API server would refuse an object."""


class Progress(Struct, frozen=True):
    """How many of the nodes are ready or left out."""

    done: int
    total: int

    def __str__(self) -> str:
        return f"{self.done}/{self.total}"


class Event(Struct, frozen=True):
    """Something that happened: to which node and object, and why it waits or failed; `seconds` after the start."""

    kind: EventKind
    node: str = ""
    object: str = ""
    """Kind and name: `Deployment team/web`."""
    message: str = ""
    progress: Progress = Progress(0, 0)
    seconds: float = 0.0

    def __str__(self) -> str:
        named = " ".join(filter(None, (self.node, f"({self.object})" if self.object and self.node else self.object)))
        text = f"{self.kind.value} {named}".rstrip()
        return f"[{self.progress}] {text}{f': {self.message}' if self.message else ''}"


class Placed(Struct, frozen=True):
    """An object in the cluster, and the node that it is of."""

    node: str
    value: JsonObject


class Timing(Struct, frozen=True):
    """How many seconds a phase took."""

    phase: str
    seconds: float


class Result(Struct, frozen=True):
    """The result of a deployment.

    `status` has the fields of the instance's status that the definition declares, `state` and `conditions` are as kro
    reports them. `objects` are as the cluster has them, in topological order. `error` is why it failed, empty where it
    did not.
    """

    status: JsonObject = field(default_factory=dict)
    state: str = ""
    conditions: tuple[JsonObject, ...] = ()
    objects: tuple[Placed, ...] = ()
    timings: tuple[Timing, ...] = ()
    log: tuple[Evaluation, ...] = ()
    error: str = ""

    @property
    def succeeded(self) -> bool:
        """Whether all is ready."""
        return not self.error

    def log_json(self) -> str:
        """Return every evaluation as a line of JSON, in order."""
        return "".join(f"{each.as_json()}\n" for each in self.log)
