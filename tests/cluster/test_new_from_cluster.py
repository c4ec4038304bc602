"""Tests that `kro-ls new --cluster` drafts the same definition as `--from` with the applied manifests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.text import Text
from tests.cluster.asking import NEEDS_CLUSTER, Asking
from tests.cluster.client import Client, read_objects
from tests.cluster.instances import until

pytestmark = NEEDS_CLUSTER

NAMESPACE = "drafted"
MANIFESTS = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: shop}
data: {level: debug}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: shop}
---
apiVersion: v1
kind: Secret
metadata: {name: shop}
stringData: {password: hidden}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: shop}
spec: {accessModes: [ReadWriteOnce], storageClassName: none, resources: {requests: {storage: 1Gi}}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: shop}
spec:
  replicas: 2
  selector: {matchLabels: {app: shop}}
  template:
    metadata: {labels: {app: shop}}
    spec:
      serviceAccountName: shop
      containers:
        - name: web
          image: example.com/shop:1.0
          envFrom: [{configMapRef: {name: shop}}]
          ports: [{containerPort: 8080}]
---
apiVersion: v1
kind: Service
metadata: {name: shop}
spec:
  type: NodePort
  selector: {app: shop}
  ports: [{port: 80, targetPort: 8080}]
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: shop-report}
spec:
  schedule: "0 3 * * *"
  jobTemplate:
    spec:
      template:
        spec: {restartPolicy: Never, containers: [{name: report, image: "example.com/report:1.0"}]}
---
apiVersion: batch/v1
kind: Job
metadata: {name: shop-once}
spec:
  template:
    spec: {restartPolicy: Never, containers: [{name: once, image: "example.com/once:1.0"}]}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: shop}
spec:
  rules:
    - host: shop.example.com
      http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: shop, port: {number: 80}}}}]}
"""


def _resources(text: str) -> dict[str, Any]:
    value: Any = parse_stream(Text(text)).documents[0].to_python()
    return {each["id"]: each for each in value["spec"]["resources"]}


@pytest.fixture
def asking(tmp_path: Path) -> Asking:
    return Asking(tmp_path)


@pytest.fixture
def client(asking: Asking) -> Iterator[Client]:
    client = asking.cluster.client()
    yield client
    client.delete({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}})
    client.close()


def test_a_namespace_gives_what_its_manifests_give(asking: Asking, client: Client, tmp_path: Path) -> None:
    client.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}})
    (tmp_path / "manifests.yaml").write_text(MANIFESTS)
    for value in read_objects(tmp_path / "manifests.yaml"):
        client.apply({**value, "metadata": {**value["metadata"], "namespace": NAMESPACE}})
    until(lambda: len(client.list("v1", "Pod", NAMESPACE)) >= 3)
    code, written, errors = asking.run("new", "--cluster", "--namespace", NAMESPACE, "--kind", "Shop", "--plain")
    assert code == 0, errors
    assert "1 Secret (shop)" in errors
    assert "hidden" not in written
    (tmp_path / "open.yaml").write_text(
        "---\n".join(part for part in MANIFESTS.split("---\n") if "kind: Secret" not in part)
    )
    code, expected, errors = asking.run("new", "--from", "open.yaml", "--kind", "Shop", "--plain")
    assert code == 0, errors
    assert _resources(written) == _resources(expected)
