"""Labels and annotations that a controller writes, so that nobody else can keep a value in them.

Source: the page "Well-Known Labels, Annotations and Taints" of kubernetes.io; k8s.io/kubernetes, pkg/controller.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct


class Writer(Struct, frozen=True):
    """Who writes a key. With `overwrites` it puts its own value in the place of any other, again and again."""

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
"""The annotation in which `kubectl apply` keeps the manifest."""
_OF_ALL: Final = {LAST_APPLIED: Writer("'kubectl apply'", overwrites=False)}


def writer_of(group: str, kind: str, annotation: str) -> Writer | None:
    """Return who writes an annotation of a kind, None where nobody does."""
    return _OF_KINDS.get((group, kind), {}).get(annotation) or _OF_ALL.get(annotation)
