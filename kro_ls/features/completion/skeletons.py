"""The beginnings of objects: what the API server needs of a kind, with a tab stop for each thing to fill in.

A schema says which fields are required, but not that a Deployment's selector must find its pods, or that a rule of an
Ingress needs a backend to be of use; for the kinds that most graphs are made of that is written here.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kro_ls.features.completion.snippets import escaped, required_text
from kro_ls.openapi.schema import Schema

if TYPE_CHECKING:
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.kind_schema import GroupVersionKind

_POD = """\
containers:
  - name: ${3:app}
    image: $4"""
_TEMPLATE = f"""\
template:
  metadata:
    labels:
      app: $2
  spec:
    {_POD.replace(chr(10), chr(10) + "    ")}"""
_SELECTED = f"""\
selector:
  matchLabels:
    app: $2
{_TEMPLATE}"""
_JOB = """\
template:
  spec:
    restartPolicy: ${2:Never}
    containers:
      - name: ${3:app}
        image: $4"""
_ROLE = """\
rules:
  - apiGroups: [${2:""}]
    resources: [$3]
    verbs: [${4:get, list, watch}]"""
_BINDING = """\
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: %s
  name: $2
subjects:
  - kind: ServiceAccount
    name: $3
    namespace: $4"""


def _spec(text: str) -> str:
    return "spec:\n  " + text.replace("\n", "\n  ")


_BODIES = {
    ("", "ConfigMap"): "data:\n  ${2:key}: $3",
    ("", "Secret"): "stringData:\n  ${2:key}: $3",
    ("", "Pod"): _spec(_POD),
    ("", "Service"): _spec("selector:\n  app: $2\nports:\n  - port: ${3:80}\n    targetPort: ${4:80}"),
    ("", "PersistentVolumeClaim"): _spec(
        "accessModes:\n  - ${2:ReadWriteOnce}\nresources:\n  requests:\n    storage: ${3:1Gi}"
    ),
    ("apps", "Deployment"): _spec(f"replicas: ${{5:1}}\n{_SELECTED}"),
    ("apps", "StatefulSet"): _spec(f"serviceName: $5\nreplicas: ${{6:1}}\n{_SELECTED}"),
    ("apps", "DaemonSet"): _spec(_SELECTED),
    ("batch", "Job"): _spec(_JOB),
    ("batch", "CronJob"): _spec(
        'schedule: "${5:0 * * * *}"\njobTemplate:\n  spec:\n    ' + _JOB.replace("\n", "\n    ")
    ),
    ("networking.k8s.io", "Ingress"): _spec(
        "rules:\n  - host: $2\n    http:\n      paths:\n        - path: ${3:/}\n          pathType: Prefix\n"
        "          backend:\n            service:\n              name: $4\n              port:\n"
        "                number: ${5:80}"
    ),
    ("networking.k8s.io", "NetworkPolicy"): _spec(
        "podSelector:\n  matchLabels:\n    app: $2\npolicyTypes:\n  - ${3:Ingress}"
    ),
    ("autoscaling", "HorizontalPodAutoscaler"): _spec(
        "scaleTargetRef:\n  apiVersion: apps/v1\n  kind: ${2:Deployment}\n  name: $3\n"
        "minReplicas: ${4:1}\nmaxReplicas: ${5:3}"
    ),
    ("policy", "PodDisruptionBudget"): _spec("minAvailable: ${2:1}\nselector:\n  matchLabels:\n    app: $3"),
    ("rbac.authorization.k8s.io", "Role"): _ROLE,
    ("rbac.authorization.k8s.io", "ClusterRole"): _ROLE,
    ("rbac.authorization.k8s.io", "RoleBinding"): _BINDING % "Role",
    ("rbac.authorization.k8s.io", "ClusterRoleBinding"): _BINDING % "ClusterRole",
}


_BODIES_OF_PROJECTS = {
    ("argoproj.io", "Application"): _spec(
        "project: ${2:default}\nsource:\n  repoURL: $3\n  path: ${4:.}\n  targetRevision: ${5:HEAD}\n"
        "destination:\n  server: ${6:https://kubernetes.default.svc}\n  namespace: $7"
    ),
    ("argoproj.io", "Rollout"): _spec(f"replicas: ${{5:1}}\nstrategy:\n  canary:\n    maxSurge: ${{6:1}}\n{_SELECTED}"),
    ("cert-manager.io", "Certificate"): _spec(
        "secretName: $2\ndnsNames:\n  - $3\nissuerRef:\n  kind: ${4:ClusterIssuer}\n  name: $5"
    ),
    ("external-secrets.io", "ExternalSecret"): _spec(
        "refreshInterval: ${2:1h}\nsecretStoreRef:\n  kind: ${3:ClusterSecretStore}\n  name: $4\ntarget:\n  name: $5\n"
        "data:\n  - secretKey: $6\n    remoteRef:\n      key: $7"
    ),
    ("gateway.networking.k8s.io", "Gateway"): _spec(
        "gatewayClassName: $2\nlisteners:\n  - name: ${3:http}\n    port: ${4:80}\n    protocol: ${5:HTTP}"
    ),
    ("gateway.networking.k8s.io", "HTTPRoute"): _spec(
        "parentRefs:\n  - name: $2\nrules:\n  - backendRefs:\n      - name: $3\n        port: ${4:80}"
    ),
    ("helm.toolkit.fluxcd.io", "HelmRelease"): _spec(
        "interval: ${2:10m}\nchart:\n  spec:\n    chart: $3\n    sourceRef:\n"
        "      kind: ${4:HelmRepository}\n      name: $5"
    ),
    ("kustomize.toolkit.fluxcd.io", "Kustomization"): _spec(
        "interval: ${2:10m}\nprune: ${3:true}\npath: ${4:./}\nsourceRef:\n  kind: ${5:GitRepository}\n  name: $6"
    ),
    ("source.toolkit.fluxcd.io", "GitRepository"): _spec("interval: ${2:10m}\nurl: $3\nref:\n  branch: ${4:main}"),
}

_FIELD = re.compile(r"^[ -]*(\w+):", re.MULTILINE)
_USUAL = {name: rank for rank, name in enumerate(_BODIES)}


def rank(name: GroupVersionKind) -> int:
    """Return where a kind stands among those that people write most; the others share the last place."""
    return _USUAL.get((name.group, name.kind), len(_USUAL))


def usual_fields(name: GroupVersionKind) -> tuple[str, ...]:
    """Return the fields that the beginning of an object has, of all levels; none for kinds that are not usual."""
    return tuple(_FIELD.findall(_BODIES.get((name.group, name.kind), "")))


def skeleton(name: GroupVersionKind, schemas: SchemaIndex | None) -> str:
    """Return the snippet for an object of a kind, its lines indented from the first one's column.

    Without `schemas` only usual kinds get more than their metadata.
    """
    head = f"apiVersion: {escaped(name.api_version)}\nkind: {escaped(name.kind)}\nmetadata:\n  name: $1"
    body = _BODIES.get((name.group, name.kind)) or _BODIES_OF_PROJECTS.get((name.group, name.kind))
    if body is None:
        kind = schemas and schemas.find(name.group, name.version, name.kind)
        spec = Schema(kind.schema).child("spec") if kind else None
        body = required_text("spec", spec, ("spec",), stops=1) if spec else ""
    return f"{head}\n{body}" if body else head
