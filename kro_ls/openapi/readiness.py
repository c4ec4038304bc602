"""How an object of a kind shows that it is ready: by a table of ours, by kind and by group, else by its definition.

Built-in kinds follow the rules of kstatus (kubernetes-sigs/cli-utils, `pkg/kstatus/status/core.go`), others the
documentation of their projects. A kind without signs has nothing to wait for: it is ready once it exists.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.openapi.kind_schema import is_kubernetes_like
from kro_ls.openapi.schema import Schema

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kro_ls.openapi.kind_schema import KindSchema


class Sign(Struct, frozen=True):
    """Something that shows that an object is ready."""

    means: str
    """What it means, to follow the name of the kind: `is synced`."""
    expression: str
    """CEL in which `{x}` stands for the object."""
    condition: str = ""
    """The type of the condition that it reads, if it reads one."""
    result: tuple[str, ...] = ()
    """The path of the field of the status that it reads, and the value that it wants, if it wants one."""
    only_with: tuple[str, ...] = ()
    """The path and the value of the field without which there is nothing to wait for."""


def condition(type_: str, means: str = "is ready") -> Sign:
    """Return the sign that a condition of the status is true."""
    return Sign(means, f'{{x}}.status.conditions.exists(c, c.type == "{type_}" && c.status == "True")', type_)


def result(field: str, value: str, means: str) -> Sign:
    """Return the sign that a field of the status has a value."""
    return Sign(means, f'{{x}}.status.{field} == "{value}"', result=(*field.split("."), value))


READY: Final = condition("Ready")
_REPLICAS = Sign("has all its replicas", "{x}.status.readyReplicas == {x}.spec.replicas")
_SCHEDULED = Sign("runs on all its nodes", "{x}.status.numberReady == {x}.status.desiredNumberScheduled")
_ADDRESS = Sign("has an address", "size({x}.status.loadBalancer.ingress) > 0")
_AVAILABLE, _ACCEPTED = condition("Available", "is available"), condition("Accepted", "is accepted")
_PROGRAMMED, _SYNCED = condition("Programmed", "is programmed"), condition("Synced", "is synced")
_HEALTHY, _INSTALLED = condition("Healthy", "is healthy"), condition("Installed", "is installed")
_PARENTS_ACCEPT = Sign(
    "is accepted",
    "size({x}.status.parents) > 0 && {x}.status.parents.all(p, p.conditions.exists(c, "
    'c.type == "Accepted" && c.status == "True"))',
    "Accepted",
)
_GATEWAYS, _ARGO, _CROSSPLANE = "gateway.networking.k8s.io", "argoproj.io", "pkg.crossplane.io"
_FLUX = "notification.toolkit.fluxcd.io"

KINDS: Final[Mapping[tuple[str, str], tuple[Sign, ...]]] = {
    ("", "Namespace"): (result("phase", "Active", "is active"),),
    ("", "Node"): (READY,),
    ("", "PersistentVolumeClaim"): (result("phase", "Bound", "is bound"),),
    ("", "Pod"): (READY, result("phase", "Running", "is running")),
    ("", "ReplicationController"): (_REPLICAS,),
    ("", "Service"): (Sign(_ADDRESS.means, _ADDRESS.expression, only_with=("spec", "type", "LoadBalancer")),),
    ("apiextensions.k8s.io", "CustomResourceDefinition"): (condition("Established", "is established"),),
    ("apiregistration.k8s.io", "APIService"): (_AVAILABLE,),
    ("apps", "DaemonSet"): (_SCHEDULED,),
    ("apps", "Deployment"): (Sign("is available", "{x}.status.availableReplicas == {x}.spec.replicas"), _AVAILABLE),
    ("apps", "ReplicaSet"): (_REPLICAS,),
    ("apps", "StatefulSet"): (_REPLICAS,),
    ("batch", "Job"): (condition("Complete", "is complete"), Sign("has succeeded", "{x}.status.succeeded > 0")),
    ("networking.k8s.io", "Ingress"): (_ADDRESS,),
    # Gateway API
    (_GATEWAYS, "Gateway"): (_PROGRAMMED, _ACCEPTED),
    (_GATEWAYS, "GatewayClass"): (_ACCEPTED,),
    (_GATEWAYS, "ListenerSet"): (_PROGRAMMED, _ACCEPTED),
    **{(_GATEWAYS, f"{each}Route"): (_PARENTS_ACCEPT,) for each in ("HTTP", "GRPC", "TLS", "TCP", "UDP")},
    # Argo
    (_ARGO, "Application"): (
        result("health.status", "Healthy", "is healthy"),
        result("sync.status", "Synced", "is synced"),
    ),
    (_ARGO, "ApplicationSet"): (condition("ResourcesUpToDate", "is up to date"),),
    (_ARGO, "Rollout"): (result("phase", "Healthy", "is healthy"),),
    (_ARGO, "Workflow"): (result("phase", "Succeeded", "has succeeded"),),
    (_ARGO, "AnalysisRun"): (result("phase", "Successful", "has succeeded"),),
    (_ARGO, "Experiment"): (result("phase", "Successful", "has succeeded"),),
    # cert-manager
    ("acme.cert-manager.io", "Challenge"): (result("state", "valid", "is valid"),),
    ("acme.cert-manager.io", "Order"): (result("state", "valid", "is valid"),),
    # Flux
    (_FLUX, "Alert"): (),
    (_FLUX, "Provider"): (),
    # AWS Controllers for Kubernetes
    ("services.k8s.aws", "AdoptedResource"): (condition("ACK.Adopted", "is adopted"),),
    ("services.k8s.aws", "FieldExport"): (),
    # Crossplane
    ("apiextensions.crossplane.io", "CompositeResourceDefinition"): (condition("Established", "is established"),),
    **{(_CROSSPLANE, each): (_HEALTHY, _INSTALLED) for each in ("Provider", "Function", "Configuration")},
}
"""By group and kind."""

GROUPS: Final[Mapping[str, tuple[Sign, ...]]] = {
    "*.services.k8s.aws": (condition("ACK.ResourceSynced", "is synced"), READY),
    "*.cnrm.cloud.google.com": (READY,),
    "*.azure.com": (READY,),
    "*.toolkit.fluxcd.io": (READY,),
    "*.crossplane.io": (READY, _SYNCED),
    "*.upbound.io": (READY, _SYNCED),
    "cert-manager.io": (READY,),
    "external-secrets.io": (READY,),
}
"""By the name of a group, or `*.` and its end."""


def known_signs(group: str, kind: str) -> tuple[Sign, ...] | None:
    """Return the signs of a kind, the best one first; None where the table lacks it."""
    found = KINDS.get((group, kind))
    if found is not None:
        return found
    names = [group, *(f"*.{group[place + 1 :]}" for place, letter in enumerate(group) if letter == ".")]
    return next((GROUPS[name] for name in names if name in GROUPS), None)


_USUAL_CONDITIONS: Final = {
    "Ready": READY.means,
    "Available": "is available",
    "Healthy": "is healthy",
    "Programmed": "is programmed",
    "Established": "is established",
    "Succeeded": "has succeeded",
    "Complete": "is complete",
    "Reconciled": "is reconciled",
    "Synced": "is synced",
    "Applied": "is applied",
    "Accepted": "is accepted",
}
"""Types of conditions that are true for a ready object, the likeliest first, and what they mean."""

_USUAL_WORDS: Final = ("Ready", "Active", "Available", "Running", "Healthy", "Bound", "Succeeded", "Completed", "Valid")
_CONDITION_COLUMN: Final = r"""\.status\.conditions\[\?\(@\.type\s*==\s*["']([\w.-]+)["']\)\]\.status"""
_FIELD: Final = r"\{x\}\.status\.(\w+)"


def signs_of(group: str, kind: str, schema: KindSchema | None) -> tuple[Sign, ...]:
    """Return the signs that an object is ready, the best one first; none where it has nothing to wait for.

    A kind that has neither an entry in the table nor a schema has none, either: see `GUESS`.
    """
    known = known_signs(group, kind)
    if schema is None:
        return known or ()
    status = Schema(schema.schema).child("status")
    if status is None:
        return ()
    if known is None:
        return () if is_kubernetes_like(schema.name.group) else tuple(_by_definition(schema, status))
    return tuple(each for each in known if _has_fields(each, status))


GUESS: Final = READY
"""What most controllers write, for kinds without signs and schema."""


def _has_fields(sign: Sign, status: Schema) -> bool:
    known = status.properties
    return not known or status.preserves_unknown_fields or known.keys() >= set(re.findall(_FIELD, sign.expression))


def _by_definition(kind: KindSchema, status: Schema) -> Iterator[Sign]:
    """Yield the signs that the printer columns and the status of a custom kind suggest."""
    fields = status.properties
    if "conditions" in fields and _are_conditions(fields["conditions"]):
        shown = {found[1] for found in (re.search(_CONDITION_COLUMN, each) for each in kind.columns) if found}
        likeliest = next((each for each in _USUAL_CONDITIONS if each in shown), READY.condition)
        yield condition(likeliest, _USUAL_CONDITIONS[likeliest])
    for name in ("state", "phase"):
        if name in fields and "string" in fields[name].types:
            usual = "ACTIVE" if name == "state" else "Ready"
            value = _usual_value(fields[name]) if fields[name].enum else usual
            if value:
                yield result(name, value, f"is {value.lower()}")


def _usual_value(schema: Schema) -> str | None:
    by_word = {value.lower(): value for value in schema.enum if isinstance(value, str)}
    return next((by_word[word.lower()] for word in _USUAL_WORDS if word.lower() in by_word), None)


def _are_conditions(schema: Schema) -> bool:
    items = schema.items
    if items is None or "object" not in items.types:
        return False
    return not items.properties or items.properties.keys() >= {"type", "status"}
