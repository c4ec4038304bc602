"""The results of a pass: of each node, and the status of the instance."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from msgspec import Struct, field

from kro_ls.runtime.passes.status import Conditions

if TYPE_CHECKING:
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.validation.objects.refusal import Refusal
    from kro_ls.runtime.nodes.errors import Cause, NodeError
    from kro_ls.runtime.passes.status import MissingField


class NodeState(Enum):
    """How far a node is. Pending waits for data, and kro tries again; an error stops kro's pass.

    Of what is unfinished no object can be made: its definition is half-typed, and kro refuses it.
    """

    RENDERED = "rendered"
    IGNORED = "ignored"
    PENDING = "pending"
    UNFINISHED = "unfinished"
    ERROR = "error"


class Reason(Struct, frozen=True):
    """Why something is missing: kro's text, the expression that caused it, and the node that must be ready first.

    `refused` is the API server's refusal of an object, with the field. `plain` is the text for people, where the other
    fields do not give it.
    """

    text: str
    cause: Cause | None = None
    waits_for: str | None = None
    refused: Refusal | None = None
    plain: str = ""

    @classmethod
    def of(cls, error: NodeError, *, cause: Cause | None = None) -> Reason:
        """Return why an error came up; `cause` replaces that of the error."""
        return cls(error.text, cause or error.cause, error.waits_for, plain=error.plain)


PENDING_STATES = frozenset({NodeState.PENDING, NodeState.UNFINISHED})
"""The states of nodes in which kro deletes no unwanted objects."""


class NodeResult(Struct, frozen=True):
    """The result of a node in a pass.

    `reason` is why it is pending or in error, `unready` why what is rendered is not ready. A node that is left out
    has the node `ignored_by` that it depends on, or the `includeWhen` of its own that decided, `ignored_because`.
    `observed` is None where the cluster has nothing. kro only reads the objects of what `is_external`. `stopped_by` is
    the node because of which kro stopped the pass before it applied this one, `contested_by` one that wants the same
    object. What `is_data` are the values of a `def` of a Graph, which are `observed`.
    """

    id: str
    state: NodeState
    desired: tuple[JsonObject, ...] = ()
    observed: tuple[JsonObject, ...] | None = None
    reason: Reason | None = None
    unready: Reason | None = None
    unready_is_error: bool = False
    ignored_by: str | None = None
    ignored_because: Cause | None = None
    is_external: bool = False
    stopped_by: str | None = None
    contested_by: str | None = None
    is_data: bool = False

    @property
    def count(self) -> int:
        """The number of its objects: those that were found of an external reference, else those that kro applies."""
        return len(self.observed or ()) if self.is_external else len(self.desired)

    @property
    def is_ready(self) -> bool:
        """Whether everything that the node should have exists and is ready."""
        return self.state is NodeState.RENDERED and self.unready is None


class Pass(Struct, frozen=True):
    """What one pass gives: the nodes in topological order, and what the status expressions give.

    `status_error` is why kro writes no status at all.
    """

    instance: JsonObject
    nodes: tuple[NodeResult, ...]
    status: JsonObject = field(default_factory=dict)
    missing_fields: tuple[MissingField, ...] = ()
    status_error: Reason | None = None
    conditions: Conditions = field(default_factory=Conditions)

    def node(self, id_: str) -> NodeResult | None:
        """Return the result of a node by its id."""
        return next((each for each in self.nodes if each.id == id_), None)
