"""What the API server refuses of the built-in kinds, a table by group and kind.

Source: k8s.io/kubernetes, pkg/apis/*/validation/validation.go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.openapi.validation.object_names import label_problems, subdomain_problems
from kro_ls.openapi.validation.objects import relations
from kro_ls.openapi.validation.objects.checks import (
    address,
    at_least,
    config_keys,
    label,
    labels,
    needs,
    node_port,
    one_of,
    optional_port,
    port,
    port_or_name,
    subdomain,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kro_ls.openapi.validation.objects.checks import Check

Kind = tuple[str, str]
"""The group and the name of a kind, whatever its version."""

POD_TEMPLATES: Final[dict[Kind, str]] = {
    ("", "Pod"): "",
    ("", "ReplicationController"): "spec.template",
    ("apps", "Deployment"): "spec.template",
    ("apps", "ReplicaSet"): "spec.template",
    ("apps", "StatefulSet"): "spec.template",
    ("apps", "DaemonSet"): "spec.template",
    ("batch", "Job"): "spec.template",
    ("batch", "CronJob"): "spec.jobTemplate.spec.template",
}
"""Where a kind has what pods are made of."""


class Immutable(Struct, frozen=True):
    """A field that an edit cannot change, and what the API server says then.

    With `forbidden` it says that of another place, without the value.
    """

    pattern: str
    detail: str = "field is immutable"
    forbidden: str = ""


_SELECTING = (("apps", "Deployment"), ("apps", "ReplicaSet"), ("apps", "StatefulSet"), ("apps", "DaemonSet"))
_RBAC = "rbac.authorization.k8s.io"
_LONGEST_CRON_JOB = 52


def _path_segment_problems(name: str) -> Iterator[str]:
    if name in (".", ".."):
        yield f"may not be '{name}'"
    for each in ("/", "%"):
        if each in name:
            yield f"may not contain '{each}'"


def _cron_job_problems(name: str) -> Iterator[str]:
    yield from subdomain_problems(name)
    if len(name) > _LONGEST_CRON_JOB:
        yield f"must be no more than {_LONGEST_CRON_JOB} characters"


NAMES: Final[dict[Kind, Callable[[str], list[str] | Iterator[str]]]] = {
    ("", "Namespace"): label_problems,
    ("", "Service"): label_problems,
    ("batch", "CronJob"): _cron_job_problems,
    **{(_RBAC, each): _path_segment_problems for each in ("Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding")},
}
"""What speaks against the name of an object; those of other kinds are domains."""

_BINDING: tuple[tuple[str, Check], ...] = (
    ("roleRef", needs("name")),
    ("subjects[]", needs("name")),
    ("subjects[].kind", one_of("ServiceAccount", "User", "Group")),
)
_WORKLOAD: tuple[tuple[str, Check], ...] = (
    ("spec", needs("selector")),
    ("spec.replicas", at_least(0)),
    ("spec.minReadySeconds", at_least(0)),
    ("spec.revisionHistoryLimit", at_least(0)),
    ("spec.progressDeadlineSeconds", at_least(0)),
    ("spec.selector.matchLabels", labels),
    ("spec.template.metadata.labels", labels),
    ("spec", relations.selector_and_template),
)
_JOB: tuple[tuple[str, Check], ...] = (
    ("parallelism", at_least(0)),
    ("completions", at_least(0)),
    ("backoffLimit", at_least(0)),
    ("activeDeadlineSeconds", at_least(0)),
    ("ttlSecondsAfterFinished", at_least(0)),
    ("template.spec", relations.job_restarts),
)

FIELDS: Final[dict[Kind, tuple[tuple[str, Check], ...]]] = {
    ("", "Service"): (
        ("spec", relations.service_ports),
        ("spec.ports[].name", label),
        ("spec.ports[].port", port),
        ("spec.ports[].protocol", one_of("SCTP", "TCP", "UDP")),
        ("spec.ports[].targetPort", port_or_name),
        ("spec.ports[].nodePort", node_port),
        ("spec.selector", labels),
        ("spec.type", one_of("ClusterIP", "ExternalName", "LoadBalancer", "NodePort")),
        ("spec.sessionAffinity", one_of("ClientIP", "None")),
        ("spec.externalName", subdomain),
        ("spec", relations.cluster_ip),
        ("spec", relations.cluster_ips),
    ),
    ("", "ConfigMap"): (("data", config_keys), ("binaryData", config_keys)),
    ("", "Secret"): (("data", config_keys), ("stringData", config_keys)),
    ("", "PersistentVolumeClaim"): (("spec", relations.claim),),
    ("", "ReplicationController"): (("spec.replicas", at_least(0)), ("spec.template.metadata.labels", labels)),
    **dict.fromkeys(_SELECTING, _WORKLOAD),
    ("apps", "Deployment"): (
        *_WORKLOAD,
        ("spec.strategy.type", one_of("Recreate", "RollingUpdate")),
        ("spec.template.spec.restartPolicy", relations.always_restarts),
    ),
    ("batch", "Job"): tuple((f"spec.{path}", check) for path, check in _JOB),
    ("batch", "CronJob"): (
        ("spec", needs("schedule")),
        ("spec.schedule", relations.schedule),
        ("spec.concurrencyPolicy", one_of("Allow", "Forbid", "Replace")),
        *((f"spec.jobTemplate.spec.{path}", check) for path, check in _JOB),
        *((f"spec.{each}", at_least(0)) for each in ("successfulJobsHistoryLimit", "failedJobsHistoryLimit")),
    ),
    ("networking.k8s.io", "Ingress"): (
        ("spec", relations.ingress_rules),
        ("spec.rules[].http.paths[]", relations.ingress_path),
        ("spec.rules[].host", relations.ingress_host),
        ("spec.rules[].http.paths[].backend.service.port.number", port),
        ("spec.defaultBackend.service.port.number", port),
    ),
    ("networking.k8s.io", "NetworkPolicy"): (
        ("spec.podSelector.matchLabels", labels),
        ("spec.ingress[].ports[].port", port_or_name),
        ("spec.egress[].ports[].port", port_or_name),
        ("spec.policyTypes[]", one_of("Egress", "Ingress")),
    ),
    ("autoscaling", "HorizontalPodAutoscaler"): (("spec", relations.autoscaler),),
    ("policy", "PodDisruptionBudget"): (
        ("spec", relations.disruption_budget),
        ("spec.minAvailable", at_least(0)),
        ("spec.maxUnavailable", at_least(0)),
        ("spec.selector.matchLabels", labels),
    ),
    (_RBAC, "Role"): (("rules[]", needs("verbs", detail="verbs must contain at least one value")),),
    (_RBAC, "ClusterRole"): (("rules[]", needs("verbs", detail="verbs must contain at least one value")),),
    (_RBAC, "RoleBinding"): _BINDING,
    (_RBAC, "ClusterRoleBinding"): _BINDING,
    ("", "Endpoints"): (("subsets[].ports[].port", port),),
    ("discovery.k8s.io", "EndpointSlice"): (("ports[].port", optional_port), ("endpoints[].addresses[]", address)),
    ("storage.k8s.io", "StorageClass"): (("", needs("provisioner")),),
}
"""The checks of a kind, by the pattern of a path."""

OBJECTS: Final[dict[Kind, str]] = {
    **{kind: "spec" for kind, checks in FIELDS.items() if any(pattern.startswith("spec") for pattern, _ in checks)},
    **{kind: f"{template}.spec".lstrip(".") for kind, template in POD_TEMPLATES.items()},
    ("", "ReplicationController"): "spec",
}
"""Where a kind has objects that are as good as empty when they are absent, so that what they need is missed."""

_STATEFUL = (
    "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', "
    "'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden"
)
_CLAIM = "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims"
_CLAIM_FIELDS = ("accessModes", "selector", "storageClassName", "volumeMode", "volumeName")

IMMUTABLE: Final[dict[Kind, tuple[Immutable, ...]]] = {
    **dict.fromkeys(_SELECTING, (Immutable("spec.selector"),)),
    ("apps", "StatefulSet"): tuple(
        Immutable(f"spec.{each}", _STATEFUL, "spec")
        for each in ("selector", "serviceName", "volumeClaimTemplates", "podManagementPolicy")
    ),
    ("batch", "Job"): tuple(Immutable(f"spec.{each}") for each in ("selector", "template", "completionMode")),
    ("", "Service"): (Immutable("spec.clusterIP", "may not change once set"),),
    ("", "PersistentVolumeClaim"): tuple(Immutable(f"spec.{each}", _CLAIM, "spec") for each in _CLAIM_FIELDS),
    ("", "Secret"): (Immutable("type"),),
    (_RBAC, "RoleBinding"): (Immutable("roleRef", "cannot change roleRef"),),
    (_RBAC, "ClusterRoleBinding"): (Immutable("roleRef", "cannot change roleRef"),),
    ("storage.k8s.io", "StorageClass"): tuple(
        Immutable(each, f"updates to {each} are forbidden.", each)
        for each in ("parameters", "provisioner", "reclaimPolicy")
    ),
}
"""The fields that an edit cannot change."""

ROLE_KINDS: Final[dict[Kind, tuple[str, ...]]] = {
    (_RBAC, "RoleBinding"): ("Role", "ClusterRole"),
    (_RBAC, "ClusterRoleBinding"): ("ClusterRole",),
}
"""The kinds that a binding may refer to; the API server cannot even ask whether others may be granted."""
