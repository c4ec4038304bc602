"""What the API server refuses of the built-in kinds, a table by group and kind.

Source: k8s.io/kubernetes, pkg/apis/*/validation/validation.go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kro_ls.openapi.validation.object_meta import label_problems, path_segment_problems, subdomain_problems
from kro_ls.openapi.validation.objects.admission_policies import ADMISSION_POLICY_BINDING, admission_policy
from kro_ls.openapi.validation.objects.autoscaling import AUTOSCALER, DISRUPTION_BUDGET
from kro_ls.openapi.validation.objects.checks import Shape
from kro_ls.openapi.validation.objects.claims import CLAIM
from kro_ls.openapi.validation.objects.grants import CLUSTER_ROLE, CLUSTER_ROLE_BINDING, ROLE, ROLE_BINDING
from kro_ls.openapi.validation.objects.jobs import CRON_JOB, JOB
from kro_ls.openapi.validation.objects.pods import pod
from kro_ls.openapi.validation.objects.quotas import LIMIT_RANGE, PRIORITY_CLASS, QUOTA, RUNTIME_CLASS
from kro_ls.openapi.validation.objects.routing import (
    ENDPOINTS,
    INGRESS,
    INGRESS_CLASS,
    NETWORK_POLICY,
    endpoint_slice,
)
from kro_ls.openapi.validation.objects.secrets import CONFIG_MAP, SECRET, updated_secret
from kro_ls.openapi.validation.objects.services import service, updated_service
from kro_ls.openapi.validation.objects.storage import PERSISTENT_VOLUME, STORAGE_CLASS
from kro_ls.openapi.validation.objects.webhooks import (
    MUTATING_WEBHOOKS,
    VALIDATING_WEBHOOKS,
    api_service,
)
from kro_ls.openapi.validation.objects.workloads import (
    DAEMON_SET,
    DEPLOYMENT,
    REPLICA_SET,
    REPLICATION_CONTROLLER,
    STATEFUL_SET,
)

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


def _in_spec(check: Check) -> Check:
    return Shape(("spec", check))


CHECKS: Final[dict[Kind, Check]] = {
    ("", "Pod"): pod,
    ("", "ReplicationController"): _in_spec(REPLICATION_CONTROLLER),
    ("", "Service"): _in_spec(service),
    ("", "ConfigMap"): CONFIG_MAP,
    ("", "Secret"): SECRET,
    ("", "PersistentVolume"): _in_spec(PERSISTENT_VOLUME),
    ("", "ResourceQuota"): _in_spec(QUOTA),
    ("", "LimitRange"): _in_spec(LIMIT_RANGE),
    ("", "PersistentVolumeClaim"): _in_spec(CLAIM),
    ("", "Endpoints"): ENDPOINTS,
    ("apps", "Deployment"): _in_spec(DEPLOYMENT),
    ("apps", "ReplicaSet"): _in_spec(REPLICA_SET),
    ("apps", "StatefulSet"): _in_spec(STATEFUL_SET),
    ("apps", "DaemonSet"): _in_spec(DAEMON_SET),
    ("batch", "Job"): _in_spec(JOB),
    ("batch", "CronJob"): _in_spec(CRON_JOB),
    ("networking.k8s.io", "Ingress"): _in_spec(INGRESS),
    ("networking.k8s.io", "IngressClass"): _in_spec(INGRESS_CLASS),
    ("networking.k8s.io", "NetworkPolicy"): _in_spec(NETWORK_POLICY),
    ("discovery.k8s.io", "EndpointSlice"): endpoint_slice,
    ("autoscaling", "HorizontalPodAutoscaler"): _in_spec(AUTOSCALER),
    ("policy", "PodDisruptionBudget"): _in_spec(DISRUPTION_BUDGET),
    (RBAC, "Role"): ROLE,
    (RBAC, "ClusterRole"): CLUSTER_ROLE,
    (RBAC, "RoleBinding"): ROLE_BINDING,
    (RBAC, "ClusterRoleBinding"): CLUSTER_ROLE_BINDING,
    ("storage.k8s.io", "StorageClass"): STORAGE_CLASS,
    ("scheduling.k8s.io", "PriorityClass"): PRIORITY_CLASS,
    ("node.k8s.io", "RuntimeClass"): RUNTIME_CLASS,
    (_ADMISSION, "ValidatingWebhookConfiguration"): VALIDATING_WEBHOOKS,
    (_ADMISSION, "MutatingWebhookConfiguration"): MUTATING_WEBHOOKS,
    (_ADMISSION, "ValidatingAdmissionPolicy"): admission_policy,
    (_ADMISSION, "ValidatingAdmissionPolicyBinding"): _in_spec(ADMISSION_POLICY_BINDING),
    ("apiregistration.k8s.io", "APIService"): api_service,
}
"""The checks of a kind."""

OBJECTS: Final[dict[Kind, str]] = {
    **{
        kind: "spec"
        for kind, check in CHECKS.items()
        if check in (pod, api_service) or (isinstance(check, Shape) and check.begins_with("spec"))
    },
    **dict.fromkeys(SELECTING, "spec.template.spec"),
    ("batch", "Job"): "spec.template.spec",
    ("batch", "CronJob"): "spec.jobTemplate.spec.template.spec",
}
"""The paths of objects that count as empty where they are absent, so that their required fields are missing."""

UPDATED: Final[dict[Kind, Callable[[JsonObject, JsonObject], JsonObject]]] = {
    ("", "Service"): updated_service,
    ("", "Secret"): updated_secret,
}
"""How an edited object is changed by the stored one before it is checked."""

ROLE_KINDS: Final[dict[Kind, tuple[str, ...]]] = {
    (RBAC, "RoleBinding"): ("Role", "ClusterRole"),
    (RBAC, "ClusterRoleBinding"): ("ClusterRole",),
}
"""The kinds that a binding can refer to; for others, the API server cannot even check the grant."""
