"""The fields of built-in kinds that an edit cannot change, a table by group and kind.

Source: k8s.io/kubernetes, pkg/apis/*/validation/validation.go.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from kro_ls.openapi.validation.objects.built_in_kinds import RBAC, SELECTING, Kind


class Immutable(Struct, frozen=True):
    """A field that an edit cannot change, and what the API server says then.

    With `forbidden` it says that of another place, without the value.
    """

    pattern: str
    detail: str = "field is immutable"
    forbidden: str = ""
    ignored: tuple[str, ...] = ()
    """Fields in it that can be changed."""
    defaults: tuple[tuple[str, str], ...] = ()
    """What fields in it are where they are not there."""


_STATEFUL = (
    "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', "
    "'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden"
)
_SOURCE = "spec.persistentvolumesource"
_CLAIM = "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims"
_CLAIM_FIELDS = ("accessModes", "dataSource", "selector", "storageClassName", "volumeMode", "volumeName")

IMMUTABLE: Final[dict[Kind, tuple[Immutable, ...]]] = {
    **dict.fromkeys(SELECTING, (Immutable("spec.selector"),)),
    ("apps", "StatefulSet"): tuple(
        Immutable(f"spec.{each}", _STATEFUL, "spec", ignored=("apiVersion", "kind"))
        for each in ("selector", "serviceName", "volumeClaimTemplates", "podManagementPolicy")
    ),
    ("batch", "Job"): tuple(Immutable(f"spec.{each}") for each in ("selector", "template", "completionMode")),
    ("", "Service"): (Immutable("spec.clusterIP", "may not change once set"),),
    ("", "PersistentVolumeClaim"): tuple(Immutable(f"spec.{each}", _CLAIM, "spec") for each in _CLAIM_FIELDS),
    ("", "Secret"): (Immutable("type"),),
    (RBAC, "RoleBinding"): (Immutable("roleRef", "cannot change roleRef", defaults=(("apiGroup", RBAC),)),),
    (RBAC, "ClusterRoleBinding"): (Immutable("roleRef", "cannot change roleRef", defaults=(("apiGroup", RBAC),)),),
    ("storage.k8s.io", "StorageClass"): tuple(
        Immutable(each) for each in ("parameters", "provisioner", "reclaimPolicy", "volumeBindingMode")
    ),
    ("scheduling.k8s.io", "PriorityClass"): (
        Immutable("value", "may not be changed in an update.", "value"),
        Immutable("preemptionPolicy"),
    ),
    ("networking.k8s.io", "IngressClass"): (Immutable("spec.controller"),),
    ("node.k8s.io", "RuntimeClass"): (Immutable("handler"),),
    ("", "PersistentVolume"): tuple(
        Immutable(f"spec.{each}", f"{_SOURCE} is immutable after creation", _SOURCE)
        for each in ("csi", "nfs", "hostPath", "local")
    ),
}
"""The fields that an edit cannot change."""
