"""Definitions, instances and objects as a cluster returns them, and their explanations."""

from __future__ import annotations

from typing import Any

from kro_ls.analysis.analysis import analyze
from kro_ls.render.yaml_text import to_yaml
from kro_ls.runtime.causes.cause import Explanation
from kro_ls.runtime.causes.explaining import Explained, explain
from kro_ls.runtime.causes.given_objects import Objects
from kro_ls.yaml_positions.text import Text

FAILED = "resource reconciliation failed: "
ERRORS = f"{FAILED}apply results contain errors: "
DEPLOYMENT_READY = "web.status.availableReplicas == 1"


def definition_of(*resources: dict[str, Any], conditions: dict[str, tuple[str, str]] | None = None) -> dict[str, Any]:
    schema = {"apiVersion": "v1alpha1", "kind": "App", "spec": {"name": "string", "zones": "[]string"}}
    found = [
        {"type": name, "status": status, "reason": "X", "message": message}
        for name, (status, message) in (conditions or {}).items()
    ]
    return {
        "apiVersion": "kro.run/v1alpha1",
        "kind": "ResourceGraphDefinition",
        "metadata": {"name": "app"},
        "spec": {"schema": schema, "resources": [*resources]},
        "status": {"state": "Inactive" if found else "Active", "conditions": found},
    }


def node_of(id_: str, kind: str, spec: object = None, *, ready: str = "", **fields: object) -> dict[str, Any]:
    group = {"Deployment": "apps/v1", "StatefulSet": "apps/v1", "Job": "batch/v1", "Ingress": "networking.k8s.io/v1"}
    template = {"apiVersion": group.get(kind, "v1"), "kind": kind, "metadata": {"name": id_}, **fields}
    template |= {"spec": spec} if spec is not None else {}
    return {"id": id_, "template": template, **({"readyWhen": [f"${{{ready}}}"]} if ready else {})}


def child_of(node: dict[str, Any], status: object = None, **metadata: object) -> dict[str, Any]:
    labels = {"kro.run/node-id": node["id"], "kro.run/instance-id": "u"}
    own = {"name": node["id"], "namespace": "x", "uid": f"u-{node['id']}", "labels": labels, **metadata}
    return {**node["template"], "metadata": own, **({"status": status} if status is not None else {})}


def instance_saying(message: str, state: str = "IN_PROGRESS", **metadata: object) -> dict[str, Any]:
    conditions = [{"type": "ResourcesReady", "status": "False", "reason": "NotReady", "message": message}]
    return {
        "apiVersion": "kro.run/v1alpha1",
        "kind": "App",
        "metadata": {"name": "one", "namespace": "x", "uid": "u", "finalizers": ["kro.run/finalizer"], **metadata},
        "spec": {"name": "n"},
        "status": {"state": state, "conditions": conditions if message else []},
    }


def explanation_of(subject: dict[str, Any], *objects: dict[str, Any]) -> Explained:
    values = (subject, *objects)
    definitions = {}
    for each in values:
        if each["kind"] == "ResourceGraphDefinition":
            (rgd,) = analyze(Text(to_yaml({name: part for name, part in each.items() if name != "status"}))).rgds
            kind = each["spec"]["schema"]["kind"]
            definitions["kro.run", kind] = rgd
    return explain(subject, Objects(values), definitions)


def first_cause(subject: dict[str, Any], *objects: dict[str, Any]) -> Explanation:
    return explanation_of(subject, *objects).causes[0]


def waiting_for(node: str, expression: str) -> str:
    quoted = expression.replace('"', '\\"')
    false = f'readyWhen condition evaluated to false: "{quoted}" (waiting for readiness)'
    return f'{ERRORS}waiting for node "{node}": {false}'


def condition_of(name: str, status: str, message: str = "") -> dict[str, Any]:
    return {"conditions": [{"type": name, "status": status, "reason": "Because", "message": message}]}
