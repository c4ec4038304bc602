"""Tests of `kro-ls admission` with the real API server: the answers that users get when they apply objects.

`scripts/test-cluster` starts the cluster and runs these tests.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cluster.asking import CLUSTER_NAME
from tests.cluster.client import Client, RefusedError, read_objects
from tests.cluster.control_plane import ControlPlane
from tests.cluster.instances import until
from tests.fixtures.definitions import rgd_of_config_maps
from tests.fixtures.webhook import RunningWebhook
from tests.paths import ROOT

pytest.importorskip("uvicorn")
pytest.importorskip("kubernetes")
pytestmark = [
    pytest.mark.skipif(CLUSTER_NAME not in os.environ, reason="no cluster runs: scripts/test-cluster starts one"),
    pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificate"),
]

DEPLOY = ROOT / "deploy"
NAMESPACE = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "kro-ls"}}
BROKEN = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: admitted-broken
spec:
  schema:
    apiVersion: v1alpha1
    kind: AdmittedBroken
    spec:
      name: strin
  resources:
    - id: config
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: ${shema.spec.name}
"""
GOOD = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: admitted
spec:
  schema:
    apiVersion: v1alpha1
    kind: Admitted
    spec:
      name: string | required=true
      port: integer | default=80
  resources:
    - id: service
      template:
        apiVersion: v1
        kind: Service
        metadata:
          name: ${schema.spec.name}
        spec:
          selector:
            app: ${schema.spec.name}
          ports:
            - port: ${schema.spec.port}
"""


@pytest.fixture(scope="module")
def cluster() -> ControlPlane:
    return ControlPlane(os.environ[CLUSTER_NAME])


@pytest.fixture(scope="module")
def webhook(cluster: ControlPlane, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningWebhook]:
    """The webhook, with the rights of its role, registered with the API server as in `deploy`."""
    folder = tmp_path_factory.mktemp("webhook")
    client = cluster.client()
    access = [NAMESPACE, *map(_placed, read_objects(DEPLOY / "base" / "access.yaml"))]
    for each in access:
        client.apply(each)
    own = _kubeconfig(cluster, client, folder)
    running = RunningWebhook(folder, "--cluster", "--drain-seconds", "0", KUBECONFIG=str(own))
    configuration = _configuration(running)
    try:
        assert running.metric("kro_ls_admission_cluster_failures") == 0, "the role allows what is needed"
        client.apply(configuration)
        until(lambda: _is_denied(client, BROKEN))
        yield running
    finally:
        for each in (configuration, *reversed(access)):
            client.delete(each)
        running.close()
        client.close()


@pytest.fixture
def kubectl(cluster: ControlPlane, webhook: RunningWebhook, tmp_path: Path) -> Callable[..., tuple[int, str]]:
    if shutil.which("kubectl") is None:
        pytest.skip("kubectl is not installed")

    def run(text: str, *arguments: str) -> tuple[int, str]:
        file = tmp_path / "object.yaml"
        file.write_text(text, encoding="utf-8")
        own = {"KUBECONFIG": str(cluster.certificates / "admin.kubeconfig"), "HOME": str(tmp_path)}
        command = ["kubectl", "apply", "-f", str(file), *arguments]
        ran = subprocess.run(command, env=os.environ | own, capture_output=True, encoding="utf-8", check=False)
        return ran.returncode, ran.stderr

    return run


def _kubeconfig(cluster: ControlPlane, client: Client, folder: Path) -> Path:
    """Return the kubeconfig of the webhook's service account in `deploy`."""
    config = json.loads((cluster.certificates / "admin.kubeconfig").read_text(encoding="utf-8"))
    account = "/api/v1/namespaces/kro-ls/serviceaccounts/kro-ls-admission/token"
    request = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {}}
    config["users"][0]["user"] = {"token": client.call("POST", account, request)["status"]["token"]}
    file = folder / "kubeconfig"
    file.write_text(json.dumps(config), encoding="utf-8")
    return file


def _placed(value: Any) -> Any:
    """Return an object with the namespace that the Kustomization gives it."""
    if value["kind"].startswith(("Cluster", "Validating", "Namespace")):
        return value
    return {**value, "metadata": {**value["metadata"], "namespace": "kro-ls"}}


def _configuration(running: RunningWebhook) -> Any:
    (configuration,) = read_objects(DEPLOY / "base" / "webhook.yaml")
    bundle = base64.b64encode(running.authority.read_bytes()).decode()
    for each in configuration["webhooks"]:
        each["clientConfig"] = {"url": f"https://127.0.0.1:{running.port}/validate", "caBundle": bundle}
    return configuration


def _value(text: str, folder: Path) -> Any:
    file = folder / "value.yaml"
    file.write_text(text, encoding="utf-8")
    (value,) = read_objects(file)
    return value


def _is_denied(client: Client, text: str) -> bool:
    from kro_ls.yaml_positions.documents.stream import parse_stream
    from kro_ls.yaml_positions.text import Text

    value: Any = parse_stream(Text(text)).documents[0].to_python()
    try:
        client.apply(value, dryRun="All")
    except RefusedError as refused:
        return "denied the request" in refused.message
    return False


def _instance(name: str) -> dict[str, object]:
    metadata = {"name": name, "namespace": "default"}
    return {"apiVersion": "kro.run/v1alpha1", "kind": "Admitted", "metadata": metadata, "spec": {"name": name}}


@pytest.fixture
def admitted(cluster: ControlPlane, webhook: RunningWebhook, tmp_path: Path) -> Iterator[Client]:
    """A client of a cluster that serves the kind Admitted, which the webhook knows."""
    client = cluster.client()
    definition = _value(GOOD, tmp_path)
    try:
        client.apply(definition)
        until(lambda: (client.get(definition) or {}).get("status", {}).get("state") == "Active")
        client.forget_kinds()
        reviewed = 'kro_ls_admission_reviews_total{outcome="allowed",subject="instance"}'

        def is_known() -> bool:
            client.apply(_instance("probe"), dryRun="All")
            return webhook.metric(reviewed) > 0

        until(is_known)
        yield client
    finally:
        client.delete(definition)
        until(lambda: client.get(definition) is None)
        client.close()


def test_kubectl_shows_every_error(kubectl: Callable[..., tuple[int, str]]) -> None:
    code, output = kubectl(BROKEN)
    assert code == 1
    assert 'admission webhook "definitions.admission.kro-ls" denied the request: kro refuses this: 2 errors' in output
    assert "- spec.schema.spec.name: unknown type 'strin'; did you mean 'string'? [unknown-type]" in output
    assert (
        "- spec.resources[0].template.metadata.name (resource 'config'): unknown name 'shema'; "
        "did you mean 'schema'? [unresolved-reference]"
    ) in output


@pytest.mark.parametrize("mode", [["--dry-run=server"], ["--server-side", "--dry-run=server"]])
def test_a_dry_run_and_server_side_apply_are_reviewed(kubectl: Callable[..., tuple[int, str]], mode: list[str]) -> None:
    assert "kro refuses this: 2 errors" in kubectl(BROKEN, *mode)[1]


def test_kubectl_shows_warnings_of_what_it_applies(kubectl: Callable[..., tuple[int, str]]) -> None:
    code, output = kubectl(rgd_of_config_maps(("config", "hello-${schema.spec.name")), "--dry-run=server")
    assert code == 0
    assert "Warning: spec.resources[0].template" in output
    assert "[unterminated-expression]" in output


def test_kinds_that_the_cluster_lacks_are_warned_of(kubectl: Callable[..., tuple[int, str]]) -> None:
    service = "apiVersion: v1\n        kind: Service"
    code, output = kubectl(
        GOOD.replace(service, "apiVersion: absent.example/v1\n        kind: Widget"), "--dry-run=server"
    )
    assert code == 0
    assert (
        'cannot resolve group version kind "absent.example/v1, Kind=Widget": schema not found [unknown-kind]' in output
    )


def test_warnings_say_what_becomes_of_the_objects_of_an_instance(
    admitted: Client, kubectl: Callable[..., tuple[int, str]]
) -> None:
    text = "apiVersion: kro.run/v1alpha1\nkind: Admitted\nmetadata: {name: one, namespace: default}\n"
    code, output = kubectl(f"{text}spec: {{name: one, port: 70000}}\n", "--dry-run=server")
    assert code == 0
    assert "Warning: resource 'service': the API server refuses spec.ports[0].port of Service default/one" in output
    assert "[refused-object]" in output
    assert kubectl(f"{text}spec: {{name: one, port: 7000}}\n", "--dry-run=server") == (0, "")


def test_breaking_changes_are_denied(admitted: Client, tmp_path: Path) -> None:
    definition = _value(GOOD, tmp_path)
    del definition["spec"]["schema"]["spec"]["port"]
    definition["spec"]["resources"][0]["template"]["spec"]["ports"][0]["port"] = 80
    with pytest.raises(RefusedError, match=r"breaking changes detected: Property port was removed") as refused:
        admitted.apply(definition, dryRun="All")
    assert refused.value.reason == "Forbidden"
    definition["metadata"]["annotations"] = {"kro.run/allow-breaking-changes": "true"}
    admitted.apply(definition, dryRun="All")


def test_kro_itself_is_not_hindered(admitted: Client, webhook: RunningWebhook) -> None:
    """kro writes finalizers, labels and the status of instances, and deletes their objects."""
    instance = _instance("whole")
    admitted.create(instance)
    until(lambda: (admitted.get(instance) or {}).get("status", {}).get("state") == "ACTIVE")
    admitted.delete(instance)
    until(lambda: admitted.get(instance) is None)
    denied = 'kro_ls_admission_reviews_total{outcome="denied",subject="instance"}'
    assert webhook.metric(denied) == 0


def test_a_label_keeps_an_object_from_being_reviewed(
    webhook: RunningWebhook, cluster: ControlPlane, tmp_path: Path
) -> None:
    client = cluster.client()
    definition = _value(BROKEN, tmp_path)
    definition["metadata"]["labels"] = {"kro-ls/admission": "ignore"}
    client.apply(definition, dryRun="All")
    client.close()


def test_the_manifests_are_accepted(cluster: ControlPlane, webhook: RunningWebhook) -> None:
    client = cluster.client()
    try:
        for file in sorted((DEPLOY / "base").glob("*.yaml")):
            for value in read_objects(file) if file.name != "kustomization.yaml" else ():
                client.apply(_placed(value), dryRun="All")
    finally:
        client.close()


def test_objects_are_let_through_where_nobody_answers(cluster: ControlPlane, tmp_path: Path) -> None:
    running = RunningWebhook(tmp_path, "--drain-seconds", "0")
    configuration = _configuration(running)
    configuration["metadata"]["name"] = "kro-ls-gone"
    client = cluster.client()
    try:
        client.apply(configuration)
        assert running.close() == 0
        client.apply(_value(GOOD, tmp_path), dryRun="All")
    finally:
        client.delete(configuration)
        client.close()
