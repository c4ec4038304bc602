"""Facts about kro's controller: default limits, feature gates, conditions that it reports, permissions that it needs.

Source: kro `pkg/features`, `pkg/graph/conditions.go`, the flags and the chart. A real cluster showed which permissions
kro needs, by granting one verb after the other.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from msgspec import Struct

from kro_ls.spelling import closest

MOST_DIMENSIONS: Final = 10
"""The iterators of one resource, by default (`--rgd-max-collection-dimension-size`)."""

MOST_COLLECTION_OBJECTS: Final = 1000
"""The objects of one collection, by default (`--rgd-max-collection-size`)."""


class FeatureGate(Struct, frozen=True):
    """A feature gate (flag `--feature-gates`): one sentence about the feature, and whether it is on by default."""

    name: str
    meaning: str
    default: bool = False


OMIT: Final = FeatureGate("CELOmitFunction", "Expressions of templates can leave a field out with `omit()`.")

FEATURE_GATES: Final = MappingProxyType(
    {
        gate.name: gate
        for gate in (
            OMIT,
            FeatureGate("InstanceConditionEvents", "Each change of an instance's condition gives an event."),
            FeatureGate("InstanceConditionMetrics", "The changes of instances' conditions are measured."),
        )
    }
)
"""Every gate that kro knows, by name."""


def unknown_gate(name: str) -> str:
    """Return the message about a name that no gate has."""
    meant = closest(name, FEATURE_GATES)
    hint = f"did you mean {meant}?" if meant else f"one of {', '.join(FEATURE_GATES)}"
    return f"unknown feature gate '{name}'; {hint}"


CONDITION_FIELDS: Final = ("type", "status", "reason", "message")
CONDITION_STATUSES: Final = ("True", "False", "Unknown")

BUILT_IN_CONDITIONS: Final = ("InstanceManaged", "GraphResolved", "ResourcesReady", "Ready")
"""The types that kro itself reports on every instance."""

AGGREGATION_LABEL: Final = "rbac.kro.run/aggregate-to-controller"
"""The label of ClusterRoles that the chart's mode `aggregation` gives to kro where it is "true"."""

CHILD_VERBS: Final = ("get", "list", "watch", "create", "patch", "delete")
PATCHED_VERBS: Final = ("get", "list", "watch", "patch")
EXTERNAL_VERBS: Final = ("get", "list", "watch")
"""kro lists and watches in all namespaces, even for an object whose name and namespace are fixed."""

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
