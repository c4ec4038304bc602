"""Fields that the cluster writes itself, whatever value they are given, never writes, or leaves out at zero.

Source: the page "Well-Known Labels, Annotations and Taints" of kubernetes.io; the `omitempty` of k8s.io/api; the
controllers of k8s.io/kubernetes, pkg/controller and pkg/registry.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.openapi.json_values import as_object, is_unknown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.json_values import JsonObject


class Writer(Struct, frozen=True):
    """What writes a key. With `overwrites` it replaces any other value, again and again."""

    name: str
    overwrites: bool = True


_BINDER: Final = Writer("the controller that binds volumes", overwrites=False)
_DEPLOYMENTS: Final = Writer("the Deployment controller")

_CLAIM: Final = {
    "pv.kubernetes.io/bind-completed": _BINDER,
    "pv.kubernetes.io/bound-by-controller": _BINDER,
    "volume.beta.kubernetes.io/storage-provisioner": _BINDER,
    "volume.kubernetes.io/storage-provisioner": _BINDER,
    "volume.kubernetes.io/selected-node": Writer("the scheduler", overwrites=False),
}

_OF_KINDS: Final = {
    ("apps", "Deployment"): {"deployment.kubernetes.io/revision": _DEPLOYMENTS},
    ("apps", "ReplicaSet"): {
        "deployment.kubernetes.io/revision": _DEPLOYMENTS,
        "deployment.kubernetes.io/desired-replicas": _DEPLOYMENTS,
        "deployment.kubernetes.io/max-replicas": _DEPLOYMENTS,
        "deployment.kubernetes.io/revision-history": _DEPLOYMENTS,
    },
    ("", "PersistentVolumeClaim"): _CLAIM,
    ("", "PersistentVolume"): {"pv.kubernetes.io/bound-by-controller": _BINDER},
    ("", "Endpoints"): {
        "endpoints.kubernetes.io/last-change-trigger-time": Writer("the Endpoints controller"),
        "control-plane.alpha.kubernetes.io/leader": Writer("whoever is elected"),
    },
    ("", "ConfigMap"): {"control-plane.alpha.kubernetes.io/leader": Writer("whoever is elected")},
    ("autoscaling", "HorizontalPodAutoscaler"): {
        "autoscaling.alpha.kubernetes.io/conditions": Writer("the autoscaler"),
        "autoscaling.alpha.kubernetes.io/current-metrics": Writer("the autoscaler"),
    },
}
LAST_APPLIED: Final = "kubectl.kubernetes.io/last-applied-configuration"
"""The annotation in which `kubectl apply` stores the manifest."""
_OF_ALL: Final = {LAST_APPLIED: Writer("'kubectl apply'", overwrites=False)}


def writer_of(group: str, kind: str, annotation: str) -> Writer | None:
    """Return what writes an annotation of a kind, None where nothing does."""
    return _OF_KINDS.get((group, kind), {}).get(annotation) or _OF_ALL.get(annotation)


SCALERS: Final = {("autoscaling", "HorizontalPodAutoscaler"): "", ("keda.sh", "ScaledObject"): "Deployment"}
"""Kinds that write the replicas of their `scaleTargetRef`, with the kind of the target where that names none."""

Path = tuple[str, ...]
Kind = tuple[str, str]
"""The group and the name of a kind, whatever its version."""


class AbsentField(Struct, frozen=True):
    """A field that an object lacks, and the reason, as the end of a sentence about it."""

    path: Path
    reason: str


LEFT_OUT_WITHOUT_REPLICAS: Final[dict[Kind, tuple[str, ...]]] = {
    ("apps", "Deployment"): ("replicas", "updatedReplicas", "readyReplicas", "availableReplicas"),
    ("apps", "StatefulSet"): ("readyReplicas", "currentReplicas", "updatedReplicas"),
    ("apps", "ReplicaSet"): ("readyReplicas", "availableReplicas", "fullyLabeledReplicas"),
}
"""The counters of a status that are left out where no replicas are wanted."""

LEFT_OUT_AT_ZERO: Final[dict[Kind, frozenset[str]]] = {
    ("apps", "Deployment"): frozenset((*LEFT_OUT_WITHOUT_REPLICAS["apps", "Deployment"], "unavailableReplicas")),
    ("apps", "StatefulSet"): frozenset(LEFT_OUT_WITHOUT_REPLICAS["apps", "StatefulSet"]),
    ("apps", "ReplicaSet"): frozenset(LEFT_OUT_WITHOUT_REPLICAS["apps", "ReplicaSet"]),
    ("apps", "DaemonSet"): frozenset(("updatedNumberScheduled", "numberAvailable", "numberUnavailable")),
    ("batch", "Job"): frozenset(("active", "succeeded", "failed")),
    ("autoscaling", "HorizontalPodAutoscaler"): frozenset(("currentReplicas",)),
}
"""The numbers of a status that are left out where they are zero."""


MAY_LACK_FIELDS: Final[frozenset[Kind]] = frozenset((("", "Secret"), ("", "Service"), *LEFT_OUT_AT_ZERO))
"""The kinds whose objects may lack fields of their schema."""

_HOSTS, _PLAIN_TEXTS = ("status", "loadBalancer", "ingress"), ("stringData",)

SOMETIMES_ABSENT: Final[frozenset[Path]] = frozenset(
    (
        _HOSTS,
        _PLAIN_TEXTS,
        *(("status", name) for names in LEFT_OUT_AT_ZERO.values() for name in names),
    )
)
"""All fields that objects of some kind may lack."""


def absent_fields(kind: Kind, value: JsonObject) -> Iterator[AbsentField]:
    """Yield the fields that an object of a built-in kind never has.

    `value` has `stringData` of its template, and `type` and `replicas` of its `spec`, with unknown values.
    """
    if kind == ("", "Secret") and value.get("stringData") is not None:
        yield AbsentField(_PLAIN_TEXTS, "the API server turns it into 'data', in base64")
    spec = value.get("spec", {})
    if is_unknown(spec):
        return
    if kind == ("", "Service"):
        form = as_object(spec).get("type", "ClusterIP")
        if isinstance(form, str) and form != "LoadBalancer":
            reason = f"only a Service of the type LoadBalancer has one, and this is a {form}"
            yield AbsentField(_HOSTS, reason)
    elif kind in LEFT_OUT_WITHOUT_REPLICAS and is_zero(as_object(spec).get("replicas")):
        for name in LEFT_OUT_WITHOUT_REPLICAS[kind]:
            yield AbsentField(("status", name), "Kubernetes leaves out zeros, and there are 0 replicas")


def is_zero(value: object) -> bool:
    """Whether a value is certainly the number 0."""
    return isinstance(value, int) and not isinstance(value, bool) and value == 0
