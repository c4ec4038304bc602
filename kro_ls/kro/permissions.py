"""What kro must be allowed to do, as a real cluster showed by granting one verb after the other."""

from types import MappingProxyType
from typing import Final

AGGREGATION_LABEL: Final = "rbac.kro.run/aggregate-to-controller"
"""The label of ClusterRoles that the chart's mode `aggregation` gives to kro where it is "true"."""

CHILD_VERBS: Final = ("get", "list", "watch", "create", "patch", "delete")
PATCHED_VERBS: Final = ("get", "list", "watch", "patch")
EXTERNAL_VERBS: Final = ("get", "list", "watch")
"""kro lists and watches in all namespaces, also an object whose name and namespace are fixed."""

INSTANCE_VERBS: Final = ("get", "list", "watch", "patch")
INSTANCE_STATUS_VERBS: Final = ("update",)

_EVERY_VERB = ("create", "delete", "get", "list", "patch", "update", "watch")

CHART_VERBS: Final = MappingProxyType(
    {
        ("kro.run", "resourcegraphdefinitions"): _EVERY_VERB,
        ("kro.run", "resourcegraphdefinitions/finalizers"): ("update",),
        ("kro.run", "resourcegraphdefinitions/status"): ("get", "patch", "update"),
        ("internal.kro.run", "graphrevisions"): _EVERY_VERB,
        ("internal.kro.run", "graphrevisions/finalizers"): ("update",),
        ("internal.kro.run", "graphrevisions/status"): ("get", "patch", "update"),
        ("apiextensions.k8s.io", "customresourcedefinitions"): _EVERY_VERB,
        ("", "configmaps"): _EVERY_VERB,
        ("coordination.k8s.io", "leases"): _EVERY_VERB,
        ("", "events"): ("create", "patch"),
    }
)
"""What kro's chart grants by itself, by group and resource (helm/templates/cluster-role.yaml, the static role)."""
