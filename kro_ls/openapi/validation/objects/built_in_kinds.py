"""What the API server refuses of the built-in kinds, a table by group and kind.

Source: k8s.io/kubernetes, pkg/apis/*/validation/validation.go.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Final

from kro_ls.openapi.validation.object_meta import label_problems, path_segment_problems, subdomain_problems
from kro_ls.openapi.validation.objects.checks import Shape

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.validation.objects.checks import Check

Kind = tuple[str, str]
"""The group and the name of a kind, whatever its version."""

SELECTING: Final[tuple[Kind, ...]] = (
    ("apps", "Deployment"),
    ("apps", "ReplicaSet"),
    ("apps", "StatefulSet"),
    ("apps", "DaemonSet"),
)
"""The kinds that select the pods that they create."""
RBAC: Final = "rbac.authorization.k8s.io"
_ADMISSION: Final = "admissionregistration.k8s.io"
_LONGEST_CRON_JOB = 52


def _cron_job_problems(name: str) -> Iterator[str]:
    yield from subdomain_problems(name)
    if len(name) > _LONGEST_CRON_JOB:
        yield f"must be no more than {_LONGEST_CRON_JOB} characters"


NAMES: Final[dict[Kind, Callable[[str], list[str] | Iterator[str]]]] = {
    ("", "Namespace"): label_problems,
    ("", "Service"): label_problems,
    ("apps", "StatefulSet"): label_problems,
    ("batch", "CronJob"): _cron_job_problems,
    ("policy", "PodDisruptionBudget"): path_segment_problems,
    **{(RBAC, each): path_segment_problems for each in ("Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding")},
}
"""The checks of names that are not domains."""


_SPECS: Final[dict[Kind, str]] = {
    ("", "ReplicationController"): "workloads.REPLICATION_CONTROLLER",
    ("", "Service"): "services.service",
    ("", "PersistentVolume"): "storage.PERSISTENT_VOLUME",
    ("", "ResourceQuota"): "quotas.QUOTA",
    ("", "LimitRange"): "quotas.LIMIT_RANGE",
    ("", "PersistentVolumeClaim"): "claims.CLAIM",
    ("apps", "Deployment"): "workloads.DEPLOYMENT",
    ("apps", "ReplicaSet"): "workloads.REPLICA_SET",
    ("apps", "StatefulSet"): "workloads.STATEFUL_SET",
    ("apps", "DaemonSet"): "workloads.DAEMON_SET",
    ("batch", "Job"): "jobs.JOB",
    ("batch", "CronJob"): "jobs.CRON_JOB",
    ("networking.k8s.io", "Ingress"): "routing.INGRESS",
    ("networking.k8s.io", "IngressClass"): "routing.INGRESS_CLASS",
    ("networking.k8s.io", "NetworkPolicy"): "routing.NETWORK_POLICY",
    ("autoscaling", "HorizontalPodAutoscaler"): "autoscaling.AUTOSCALER",
    ("policy", "PodDisruptionBudget"): "autoscaling.DISRUPTION_BUDGET",
    (_ADMISSION, "ValidatingAdmissionPolicyBinding"): "admission_policies.ADMISSION_POLICY_BINDING",
}
"""The checks of the `spec` of a kind: a module beside this one, and a name in it."""

CHECKS: Final[dict[Kind, str]] = {
    **_SPECS,
    ("", "Pod"): "pods.pod",
    ("", "ConfigMap"): "secrets.CONFIG_MAP",
    ("", "Secret"): "secrets.SECRET",
    ("", "Endpoints"): "routing.ENDPOINTS",
    ("discovery.k8s.io", "EndpointSlice"): "routing.endpoint_slice",
    (RBAC, "Role"): "grants.ROLE",
    (RBAC, "ClusterRole"): "grants.CLUSTER_ROLE",
    (RBAC, "RoleBinding"): "grants.ROLE_BINDING",
    (RBAC, "ClusterRoleBinding"): "grants.CLUSTER_ROLE_BINDING",
    ("storage.k8s.io", "StorageClass"): "storage.STORAGE_CLASS",
    ("scheduling.k8s.io", "PriorityClass"): "quotas.PRIORITY_CLASS",
    ("node.k8s.io", "RuntimeClass"): "quotas.RUNTIME_CLASS",
    (_ADMISSION, "ValidatingWebhookConfiguration"): "webhooks.VALIDATING_WEBHOOKS",
    (_ADMISSION, "MutatingWebhookConfiguration"): "webhooks.MUTATING_WEBHOOKS",
    (_ADMISSION, "ValidatingAdmissionPolicy"): "admission_policies.admission_policy",
    ("apiregistration.k8s.io", "APIService"): "webhooks.api_service",
}
"""The checks of a kind."""


@cache  # of the kinds in the table
def check_of(kind: Kind) -> Check:
    """Return the check of a kind in `CHECKS`, importing it on first use: a definition has objects of few kinds."""
    module, _, name = CHECKS[kind].partition(".")
    check: Check = getattr(import_module(f"{__package__}.{module}"), name)
    return Shape(("spec", check)) if kind in _SPECS else check


OBJECTS: Final[dict[Kind, str]] = {
    **dict.fromkeys((*_SPECS, ("", "Pod"), ("apiregistration.k8s.io", "APIService")), "spec"),
    **dict.fromkeys(SELECTING, "spec.template.spec"),
    ("batch", "Job"): "spec.template.spec",
    ("batch", "CronJob"): "spec.jobTemplate.spec.template.spec",
}
"""The paths of objects that count as empty where they are absent, so that their required fields are missing."""


def updated(kind: Kind, value: JsonObject, stored: JsonObject) -> JsonObject:
    """Return an edited object with what the API server takes from the stored one before it checks it."""
    if kind == ("", "Service"):
        from kro_ls.openapi.validation.objects.services import updated_service

        return updated_service(value, stored)
    if kind == ("", "Secret"):
        from kro_ls.openapi.validation.objects.secrets import updated_secret

        return updated_secret(value, stored)
    return value


ROLE_KINDS: Final[dict[Kind, tuple[str, ...]]] = {
    (RBAC, "RoleBinding"): ("Role", "ClusterRole"),
    (RBAC, "ClusterRoleBinding"): ("ClusterRole",),
}
"""The kinds that a binding can refer to; for others, the API server cannot even check the grant."""
