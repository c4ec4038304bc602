"""What people write in `readyWhen`, by the kind of the resource: how its controller says that it has done its work."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kro_ls.openapi.schema import Schema

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kro_ls.openapi.kind_schema import KindSchema

_BY_KIND: Final[Mapping[tuple[str, str], tuple[str, ...]]] = {
    ("apps", "Deployment"): (
        "{x}.status.availableReplicas == {x}.spec.replicas",
        '{x}.status.conditions.exists(c, c.type == "Available" && c.status == "True")',
    ),
    ("apps", "StatefulSet"): ("{x}.status.readyReplicas == {x}.spec.replicas",),
    ("apps", "ReplicaSet"): ("{x}.status.readyReplicas == {x}.spec.replicas",),
    ("apps", "DaemonSet"): ("{x}.status.numberReady == {x}.status.desiredNumberScheduled",),
    ("batch", "Job"): (
        '{x}.status.conditions.exists(c, c.type == "Complete" && c.status == "True")',
        "{x}.status.succeeded > 0",
    ),
    ("", "Pod"): (
        '{x}.status.phase == "Running"',
        '{x}.status.conditions.exists(c, c.type == "Ready" && c.status == "True")',
    ),
    ("", "Service"): ("size({x}.status.loadBalancer.ingress) > 0",),
    ("", "PersistentVolumeClaim"): ('{x}.status.phase == "Bound"',),
    ("", "Namespace"): ('{x}.status.phase == "Active"',),
    ("networking.k8s.io", "Ingress"): ("size({x}.status.loadBalancer.ingress) > 0",),
    ("apiextensions.k8s.io", "CustomResourceDefinition"): (
        '{x}.status.conditions.exists(c, c.type == "Established" && c.status == "True")',
    ),
}
_CONDITION: Final = '{{x}}.status.conditions.exists(c, c.type == "{type}" && c.status == "True")'


def readiness(kind: KindSchema | None, group: str, name: str, variable: str) -> tuple[str, ...]:
    """Return the expressions that tell whether an object is ready, the most usual first; none where it has no status.

    `group` and `name` are the kind's, also where its schema is not known; `variable` stands for the object.
    """
    known = _BY_KIND.get((group, name)) or tuple(_by_schema(kind))
    return tuple(text.replace("{x}", variable) for text in known)


def _by_schema(kind: KindSchema | None) -> Iterator[str]:
    """Yield what a custom kind's schema suggests; where there is none, the condition that most controllers write."""
    status = Schema(kind.schema).child("status") if kind else None
    if kind is not None and status is None:
        return
    fields = status.properties if status else {"conditions": None}
    if "ackResourceMetadata" in fields:
        yield _CONDITION.format(type="ACK.ResourceSynced")
    if "conditions" in fields:
        yield _CONDITION.format(type="Ready")
    for name in ("state", "phase"):
        if name in fields:
            yield f'{{x}}.status.{name} == "{"ACTIVE" if name == "state" else "Ready"}"'
