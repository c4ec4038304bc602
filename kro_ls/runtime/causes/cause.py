"""Why an instance is stuck: the kinds of causes, who must act, what unblocks each, and its place in the definition."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.graphs import at_path
from kro_ls.kro.labels import FINALIZER
from kro_ls.yaml_positions.nodes import nearest_at

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.runtime.nodes.errors import Cause
    from kro_ls.runtime.nodes.errors import Cause as Place
    from kro_ls.yaml_positions.positions import Span


class Fault(Enum):
    """Who or what must change to remove a cause."""

    DEFINITION = "the definition"
    INSTANCE = "the instance"
    PERMISSION = "a permission of kro"
    CONTROLLER = "another controller"
    WORKLOAD = "the workload"
    CAPACITY = "the nodes of the cluster"
    QUOTA = "a quota"
    ADMISSION = "an admission policy or webhook"
    MISSING_KIND = "a missing kind"
    MISSING_OBJECT = "a missing object"
    CONFLICT = "another owner of the object"
    DELETION = "a deletion that does not end"
    USER = "somebody who asked for it"
    UNKNOWN = "not known"


class CauseKind(Enum):
    """A kind of cause: its code, where the fault lies, and what would unblock the instance."""

    DEFINITION_REFUSED = "definition-refused", Fault.DEFINITION, "mend the definition; 'kro-ls check' shows the place"
    BREAKING_CHANGE = (
        "kind-not-changed",
        Fault.DEFINITION,
        'take the change back, or allow it by the annotation kro.run/allow-breaking-changes: "true"',
    )
    KIND_TAKEN = "kind-taken", Fault.DEFINITION, "give one of the two definitions another kind or group"
    KIND_MISSING = (
        "kind-missing",
        Fault.MISSING_KIND,
        "install the CustomResourceDefinition, or mend apiVersion and kind",
    )
    PERMISSION = "permission", Fault.PERMISSION, "grant it to kro: 'kro-ls rbac' writes the ClusterRole"
    KRO_SILENT = (
        "kro-silent",
        Fault.PERMISSION,
        "compare kro's roles with what 'kro-ls rbac' writes, and read kro's log",
    )
    EXTERNAL_MISSING = "external-missing", Fault.MISSING_OBJECT, "create the object, or mend the reference"
    REFERENCE_MISSING = "reference-missing", Fault.MISSING_OBJECT, "create what the object names, or mend the name"
    NAMESPACE_MISSING = "namespace-missing", Fault.MISSING_OBJECT, "create the namespace before"
    NAMESPACE_TERMINATING = (
        "namespace-terminating",
        Fault.DELETION,
        "wait until the namespace is gone, and create it anew",
    )
    VALUE_REFUSED = "value-refused", Fault.DEFINITION, "change the value in the template"
    INSTANCE_VALUE_REFUSED = (
        "instance-value-refused",
        Fault.INSTANCE,
        "change the field of the instance that it comes from",
    )
    IMMUTABLE_FIELD = (
        "immutable-field",
        Fault.INSTANCE,
        "take the change back, or delete the object so that kro makes it anew",
    )
    OTHER_OWNER = "other-owner", Fault.CONFLICT, "let the template's name depend on the instance"
    SAME_OBJECT = "same-object", Fault.DEFINITION, "give the two nodes' objects different names"
    INSTANCE_FIELD_MISSING = "instance-field-missing", Fault.INSTANCE, "set the field of the instance"
    COLLISION = "collection-collision", Fault.INSTANCE, "make the items different, or the name depend on more of each"
    FIELD_CONFLICT = "field-conflict", Fault.CONFLICT, "leave the field to one of the two"
    POLICY = (
        "admission-policy",
        Fault.ADMISSION,
        "write what the policy asks for into the template, or change the policy",
    )
    FORBIDDEN = "forbidden", Fault.ADMISSION, "change what the API server forbids in the template"
    WEBHOOK = (
        "admission-webhook",
        Fault.ADMISSION,
        "write what the webhook asks for into the template, or mend the webhook",
    )
    QUOTA = "quota", Fault.QUOTA, "raise the quota, or ask for less"
    NEVER_THERE = "never-there", Fault.DEFINITION, "read a field that is written, or give the expression an alternative"
    NEVER_TRUE = "never-true", Fault.DEFINITION, "compare with a value that the field can have"
    EVALUATION = "evaluation-error", Fault.DEFINITION, "mend the expression; it fails for these values for good"
    COST_LIMIT = "cost-limit", Fault.DEFINITION, "make the expression cheaper, or the lists that it runs over shorter"
    FIGHT = "fight", Fault.CONTROLLER, "leave the field out of the template"
    JOB_FAILED = "job-failed", Fault.WORKLOAD, "mend the program of the Job, delete the Job, and kro makes it anew"
    JOB_SUSPENDED = "job-suspended", Fault.USER, "set spec.suspend of the Job to false"
    PAUSED = "paused", Fault.USER, "resume the rollout"
    UNAVAILABLE = "pods-unavailable", Fault.WORKLOAD, "find out from its pods why they do not become available"
    UNSCHEDULABLE = "unschedulable", Fault.CAPACITY, "make room on the nodes, or ask for less"
    IMAGE = "image-pull", Fault.WORKLOAD, "mend the name of the image, or give access to the registry"
    CRASH = "crash-loop", Fault.WORKLOAD, "read the container's log: 'kubectl logs --previous'"
    CONTAINER_CONFIG = (
        "container-config",
        Fault.MISSING_OBJECT,
        "create what the container reads, or mend the reference",
    )
    PROBE = "probe-failing", Fault.WORKLOAD, "mend the program or its readiness probe"
    VOLUME_PENDING = "volume-pending", Fault.CONTROLLER, "check the storage class and its provisioner"
    BALANCER_PENDING = "load-balancer-pending", Fault.CONTROLLER, "install or mend a controller for load balancers"
    CHILD_INSTANCE = "child-instance", Fault.CONTROLLER, "see why the child instance does not go on"
    CONTROLLER_SAYS = "controller-says", Fault.CONTROLLER, "do what the controller of the object says"
    NO_CONTROLLER = "no-controller", Fault.CONTROLLER, "check that the controller of this kind is installed and runs"
    WAITING = "waiting", Fault.CONTROLLER, "wait, or see what the controller of the object says in events"
    BEING_DELETED = "being-deleted", Fault.DELETION, "let the owner of the finalizer finish, or take the finalizer away"
    DEFINITION_GONE = (
        "definition-gone",
        Fault.DELETION,
        f"apply the definition again, or take the finalizer {FINALIZER} away when the objects are gone",
    )
    DELETION_BLOCKED = "deletion-blocked", Fault.DELETION, "unblock the deletion of what is left"
    SUSPENDED = "suspended", Fault.USER, "take the annotation kro.run/reconcile away"
    LEFT_OUT = "left-out", Fault.INSTANCE, "set what includeWhen asks for, if the resource is to be there"
    SERVER_TROUBLE = "server-trouble", Fault.UNKNOWN, "wait; kro tries again"
    UNKNOWN = "unknown", Fault.UNKNOWN, "read kro's message and its log"
    NOTHING = "nothing", Fault.UNKNOWN, ""

    def __init__(self, code: str, fault: Fault, unblock: str) -> None:
        self.code = code
        self.fault = fault
        self.unblock = unblock


class Explanation(Struct, frozen=True):
    """One cause: a sentence, and the node, the object and the place in the definition that it is about.

    `kro` is kro's own message, `fetch` are commands that get further information.
    """

    kind: CauseKind
    message: str
    node: str = ""
    place: Place | None = None
    kro: str = ""
    unblock: str = ""
    fetch: tuple[str, ...] = ()
    value: JsonObject | None = None
    field: tuple[str | int, ...] = ()
    """The path of a field in the node's template that it is about."""

    @property
    def advice(self) -> str:
        """What would unblock it."""
        return self.unblock or self.kind.unblock


def place_in(rgd: RgdAnalysis, cause: Explanation) -> Span | None:
    """Return the span of the expression, the field or the node that a cause is about; None where it is about none."""
    if cause.place is not None:
        return _expression_span(rgd, cause.place)
    owner = at_path(rgd, cause.node) if cause.node else None
    if owner is None:
        return None
    node = nearest_at(owner.resource.object, cause.field) if cause.field else None
    shown = node or owner.resource.id_node
    return owner.placed.span(shown) if shown else None


def _expression_span(rgd: RgdAnalysis, place: Cause) -> Span | None:
    owner = at_path(rgd, place.node)
    schema = rgd.rgd.schema
    part, placed = (owner.resource, owner.placed) if owner else (rgd.section, schema.placed if schema else None)
    expression = place.expression
    if part is None or placed is None or not any(each is expression for each in part.expressions):
        return None  # another definition's, of which an instance is a child of this one
    return placed.document_span(expression.whole if place.start < 0 else expression.span(place.start, place.end))
