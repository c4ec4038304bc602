"""The defaults of Kubernetes' own kinds, which stand in no schema, and how they are filled in.

A table follows the object: a value is what an absent field becomes, a table is for what is there (each item, where
that is a list). A name that ends in `!` stands for an object that is made where it is absent. A name that begins with
`?` holds what counts only where a field has one of some values. Recorded from the API server and compared with it by
`tests/runtime/apiserver`; source: k8s.io/kubernetes, pkg/apis/*/*/defaults.go and zz_generated.defaults.go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from kro_ls.openapi.json_values import as_object, copy_json
from kro_ls.runtime.values.text_table import TIME

if TYPE_CHECKING:
    from kro_ls.openapi.json_values import JsonObject, JsonValue


Table = dict[str, Any]

_RBAC = "rbac.authorization.k8s.io"

_FIELD_REF: Final[Table] = {"apiVersion": "v1"}
_HTTP: Final[Table] = {"path": "/", "scheme": "HTTP"}
_PROBE: Final[Table] = {
    "timeoutSeconds": 1,
    "periodSeconds": 10,
    "successThreshold": 1,
    "failureThreshold": 3,
    "httpGet": _HTTP,
    "grpc": {"service": ""},
}
_CONTAINER: Final[Table] = {
    "terminationMessagePath": "/dev/termination-log",
    "terminationMessagePolicy": "File",
    "resources": {},
    "ports": {"protocol": "TCP"},
    "env": {"valueFrom": {"fieldRef": _FIELD_REF, "resourceFieldRef": {"divisor": "0"}}},
    "livenessProbe": _PROBE,
    "readinessProbe": _PROBE,
    "startupProbe": _PROBE,
    "lifecycle": {"preStop": {"httpGet": _HTTP}, "postStart": {"httpGet": _HTTP}},
}
_DOWNWARD: Final[Table] = {"items": {"fieldRef": _FIELD_REF, "resourceFieldRef": {"divisor": "0"}}}
_CLAIM_SPEC: Final[Table] = {"volumeMode": "Filesystem", "resources": {}}
_VOLUME: Final[Table] = {
    "configMap": {"defaultMode": 420},
    "secret": {"defaultMode": 420},
    "downwardAPI": {"defaultMode": 420, **_DOWNWARD},
    "projected": {
        "defaultMode": 420,
        "sources": {"serviceAccountToken": {"expirationSeconds": 3600}, "downwardAPI": _DOWNWARD},
    },
    "hostPath": {"type": ""},
    "iscsi": {"iscsiInterface": "default"},
    "azureDisk": {"cachingMode": "ReadWrite", "fsType": "ext4", "kind": "Shared", "readOnly": False},
    "rbd": {"pool": "rbd", "user": "admin", "keyring": "/etc/ceph/keyring"},
    "scaleIO": {"storageMode": "ThinProvisioned", "fsType": "xfs"},
    "ephemeral": {"volumeClaimTemplate": {"metadata": {}, "spec": _CLAIM_SPEC}},
}
_POD_SPEC: Final[Table] = {
    "dnsPolicy": "ClusterFirst",
    "restartPolicy": "Always",
    "schedulerName": "default-scheduler",
    "securityContext": {},
    "terminationGracePeriodSeconds": 30,
    "containers": _CONTAINER,
    "initContainers": _CONTAINER,
    "volumes": _VOLUME,
}
_TEMPLATE: Final[Table] = {"metadata": {}, "spec": _POD_SPEC}
_ROLLING: Final[Table] = {"type": "RollingUpdate"}
_JOB_SPEC: Final[Table] = {
    "template": _TEMPLATE,
    "podFailurePolicy": {"rules": {"onPodConditions": {"status": "True"}}},
}
_SERVICE_REFERENCE: Final[Table] = {"service": {"port": 443}}
_WEBHOOK: Final[Table] = {
    "failurePolicy": "Fail",
    "matchPolicy": "Equivalent",
    "namespaceSelector": {},
    "objectSelector": {},
    "timeoutSeconds": 10,
    "rules": {"scope": "*"},
    "clientConfig": _SERVICE_REFERENCE,
}
_MATCH: Final[Table] = {
    "matchPolicy": "Equivalent",
    "namespaceSelector": {},
    "objectSelector": {},
    "resourceRules": {"scope": "*"},
    "excludeResourceRules": {"scope": "*"},
}
_BINDING: Final[Table] = {"roleRef": {"apiGroup": _RBAC}, "subjects": {"?kind=User|Group": {"apiGroup": _RBAC}}}
_NETWORK_PORTS: Final[Table] = {"ports": {"protocol": "TCP"}}
_AUTOSCALER: Final[Table] = {"minReplicas": 1}
_SCHEDULED: Final = ("currentNumberScheduled", "desiredNumberScheduled", "numberMisscheduled", "numberReady")
_HEALTHY: Final = ("currentHealthy", "desiredHealthy", "disruptionsAllowed", "expectedPods")

DEFAULTS: Final[dict[tuple[str, str], Table]] = {
    ("", "Secret"): {"type": "Opaque"},
    ("", "Service"): {
        "spec!": {
            "type": "ClusterIP",
            "sessionAffinity": "None",
            "?sessionAffinity=ClientIP": {"sessionAffinityConfig!": {"clientIP!": {"timeoutSeconds": 10800}}},
            "ports": {"protocol": "TCP"},
            "?type=NodePort|LoadBalancer": {"externalTrafficPolicy": "Cluster"},
            "?type=ClusterIP|NodePort|LoadBalancer": {"internalTrafficPolicy": "Cluster"},
            "?type=LoadBalancer": {"allocateLoadBalancerNodePorts": True},
        },
        "status!": {"loadBalancer": {}},
    },
    ("", "Namespace"): {"spec!": {"finalizers": ["kubernetes"]}, "status!": {"phase": "Active"}},
    ("", "PersistentVolumeClaim"): {"spec!": _CLAIM_SPEC, "status!": {"phase": "Pending"}},
    ("", "PersistentVolume"): {
        "spec": {"persistentVolumeReclaimPolicy": "Retain", "volumeMode": "Filesystem", **_VOLUME},
        "status!": {"phase": "Pending", "lastPhaseTransitionTime": TIME},
    },
    ("", "ResourceQuota"): {"status": {}},
    ("", "ReplicationController"): {"spec!": {"replicas": 1, "template": _TEMPLATE}, "status!": {"replicas": 0}},
    ("", "Endpoints"): {"subsets": {"ports": {"protocol": "TCP"}}},
    ("", "PodTemplate"): {"template": _TEMPLATE},
    ("", "Pod"): {
        "spec": {
            **_POD_SPEC,
            "enableServiceLinks": True,
            "preemptionPolicy": "PreemptLowerPriority",
            "priority": 0,
            "serviceAccountName": "default",
        },
        "status!": {"phase": "Pending"},
    },
    ("apps", "Deployment"): {
        "spec": {
            "replicas": 1,
            "revisionHistoryLimit": 10,
            "progressDeadlineSeconds": 600,
            "strategy!": {
                **_ROLLING,
                "?type=RollingUpdate": {"rollingUpdate!": {"maxSurge": "25%", "maxUnavailable": "25%"}},
            },
            "template": _TEMPLATE,
        },
        "status": {},
    },
    ("apps", "StatefulSet"): {
        "spec": {
            "replicas": 1,
            "revisionHistoryLimit": 10,
            "podManagementPolicy": "OrderedReady",
            "serviceName": "",
            "updateStrategy!": {**_ROLLING, "?type=RollingUpdate": {"rollingUpdate!": {"partition": 0}}},
            "persistentVolumeClaimRetentionPolicy!": {"whenDeleted": "Retain", "whenScaled": "Retain"},
            "template": _TEMPLATE,
            "volumeClaimTemplates": {
                "apiVersion": "v1",
                "kind": "PersistentVolumeClaim",
                "spec!": _CLAIM_SPEC,
                "status!": {"phase": "Pending"},
            },
        },
        "status!": {"availableReplicas": 0, "replicas": 0},
    },
    ("apps", "DaemonSet"): {
        "metadata": {"annotations!": {"deprecated.daemonset.template.generation": "1"}},
        "spec": {
            "revisionHistoryLimit": 10,
            "updateStrategy!": {
                **_ROLLING,
                "?type=RollingUpdate": {"rollingUpdate!": {"maxSurge": 0, "maxUnavailable": 1}},
            },
            "template": _TEMPLATE,
        },
        "status!": dict.fromkeys(_SCHEDULED, 0),
    },
    ("apps", "ReplicaSet"): {"spec": {"replicas": 1, "template": _TEMPLATE}, "status!": {"replicas": 0}},
    ("batch", "Job"): {
        "spec": {
            **_JOB_SPEC,
            "?completions=&parallelism=": {"completions": 1},
            "parallelism": 1,
            "?backoffLimitPerIndex": {"backoffLimit": 2147483647},
            "backoffLimit": 6,
            "completionMode": "NonIndexed",
            "suspend": False,
            "?podFailurePolicy": {"podReplacementPolicy": "Failed"},
            "podReplacementPolicy": "TerminatingOrFailed",
            "manualSelector": False,
        },
        "status": {},
    },
    ("batch", "CronJob"): {
        "spec": {
            "concurrencyPolicy": "Allow",
            "suspend": False,
            "successfulJobsHistoryLimit": 3,
            "failedJobsHistoryLimit": 1,
            "jobTemplate": {"metadata": {}, "spec": _JOB_SPEC},
        },
        "status": {},
    },
    ("autoscaling", "HorizontalPodAutoscaler"): {"spec": _AUTOSCALER, "status!": {"desiredReplicas": 0}},
    ("policy", "PodDisruptionBudget"): {"status!": dict.fromkeys(_HEALTHY, 0)},
    ("networking.k8s.io", "Ingress"): {"status!": {"loadBalancer": {}}},
    ("networking.k8s.io", "IngressClass"): {"spec": {"parameters": {"scope": "Cluster"}}},
    ("networking.k8s.io", "NetworkPolicy"): {"spec!": {"ingress": _NETWORK_PORTS, "egress": _NETWORK_PORTS}},
    (_RBAC, "Role"): {"rules": None},
    (_RBAC, "ClusterRole"): {"rules": None},
    (_RBAC, "RoleBinding"): _BINDING,
    (_RBAC, "ClusterRoleBinding"): _BINDING,
    ("storage.k8s.io", "StorageClass"): {"reclaimPolicy": "Delete", "volumeBindingMode": "Immediate"},
    ("storage.k8s.io", "CSIDriver"): {
        "spec!": {
            "attachRequired": True,
            "fsGroupPolicy": "ReadWriteOnceWithFSType",
            "podInfoOnMount": False,
            "requiresRepublish": False,
            "seLinuxMount": False,
            "storageCapacity": False,
            "volumeLifecycleModes": ["Persistent"],
        }
    },
    ("scheduling.k8s.io", "PriorityClass"): {"preemptionPolicy": "PreemptLowerPriority"},
    ("discovery.k8s.io", "EndpointSlice"): {"endpoints": {"conditions": {}}, "ports": {"name": "", "protocol": "TCP"}},
    ("admissionregistration.k8s.io", "ValidatingWebhookConfiguration"): {"webhooks": _WEBHOOK},
    ("admissionregistration.k8s.io", "MutatingWebhookConfiguration"): {
        "webhooks": {**_WEBHOOK, "reinvocationPolicy": "Never"}
    },
    ("admissionregistration.k8s.io", "ValidatingAdmissionPolicy"): {
        "spec": {"failurePolicy": "Fail", "matchConstraints": _MATCH},
        "status": {},
    },
    ("admissionregistration.k8s.io", "ValidatingAdmissionPolicyBinding"): {"spec": {"matchResources": _MATCH}},
    ("apiextensions.k8s.io", "CustomResourceDefinition"): {
        "spec": {"conversion!": {"strategy": "None", "webhook": {"clientConfig": _SERVICE_REFERENCE}}}
    },
    ("apiregistration.k8s.io", "APIService"): {"spec": _SERVICE_REFERENCE, "status": {}},
    ("flowcontrol.apiserver.k8s.io", "PriorityLevelConfiguration"): {
        "spec": {"limited": {"lendablePercent": 0, "nominalConcurrencyShares": 30}},
        "status": {},
    },
    ("flowcontrol.apiserver.k8s.io", "FlowSchema"): {"spec": {"matchingPrecedence": 1000}, "status": {}},
}
"""The table of a kind, by its group and its name."""

WITHOUT_GENERATION: Final = frozenset(
    {
        *(("", kind) for kind in "ConfigMap Endpoints LimitRange Namespace Node PersistentVolume".split()),
        *(("", kind) for kind in "PersistentVolumeClaim ResourceQuota Secret Service ServiceAccount Event".split()),
        *((_RBAC, kind) for kind in "Role ClusterRole RoleBinding ClusterRoleBinding".split()),
        *(("storage.k8s.io", kind) for kind in "StorageClass CSIDriver CSINode VolumeAttachment".split()),
        ("autoscaling", "HorizontalPodAutoscaler"),
        ("coordination.k8s.io", "Lease"),
        ("node.k8s.io", "RuntimeClass"),
        ("apiregistration.k8s.io", "APIService"),
    }
)
"""Kinds whose objects have no `metadata.generation`."""


def fill_defaults(value: JsonValue, table: Table) -> None:
    """Apply a table to an object, or to each item of a list."""
    if isinstance(value, list):
        for each in value:
            fill_defaults(each, table)
    if not isinstance(value, dict):
        return
    for name, default in table.items():
        if name.startswith("?"):
            if _holds(value, name.removeprefix("?")):
                fill_defaults(value, default)
        elif name.endswith("!"):
            fill_defaults(value.setdefault(name.removesuffix("!"), {}), default)
        elif isinstance(default, dict) and default:
            fill_defaults(value.get(name), default)
        elif value.get(name) is None:
            value[name] = copy_json(default)


def _holds(value: JsonObject, condition: str) -> bool:
    """Whether fields meet a condition: present, absent (`name=`), or one of some texts (`name=a|b`)."""
    for part in condition.split("&"):
        name, is_compared, texts = part.partition("=")
        found = value.get(name)
        if not is_compared:
            fits = found is not None
        elif not texts:
            fits = found is None
        else:
            fits = found in texts.split("|")
        if not fits:
            return False
    return True


def spec_of(value: JsonObject) -> JsonObject:
    """Return the `spec` of an object, an empty one where there is none."""
    return as_object(value.get("spec"))
