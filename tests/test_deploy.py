"""The manifests for a cluster: kro-ls itself finds nothing in them, and what they name of each other is there."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from kro_ls.cli.admission import command
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.text import Text
from tests.fixtures.processes import run
from tests.paths import ROOT

DEPLOY = ROOT / "deploy"
NEEDS_KUBECTL = pytest.mark.skipif(shutil.which("kubectl") is None, reason="kubectl has kustomize")


def objects(text: str) -> list[Any]:
    return [each.to_python() for each in parse_stream(Text(text)).documents]


def of_base() -> dict[str, Any]:
    """Return the objects of the base by their kinds."""
    files = [each for each in sorted((DEPLOY / "base").glob("*.yaml")) if each.stem != "kustomization"]
    return {each["kind"]: each for file in files for each in objects(file.read_text(encoding="utf-8"))}


def built(folder: Path) -> list[Any]:
    ran = subprocess.run(["kubectl", "kustomize", str(folder)], capture_output=True, encoding="utf-8", check=True)
    return objects(ran.stdout)


def test_the_api_server_takes_the_manifests(tmp_path: Path) -> None:
    ran = run("validate", str(DEPLOY), folder=tmp_path)
    assert (ran.returncode, ran.stderr) == (0, b"")


def test_the_base_lists_its_files() -> None:
    (listed,) = objects((DEPLOY / "base" / "kustomization.yaml").read_text(encoding="utf-8"))
    files = {each.name for each in (DEPLOY / "base").glob("*.yaml")}
    assert {*listed["resources"], "kustomization.yaml"} == files


def test_several_replicas_share_the_work_and_one_stays() -> None:
    found = of_base()
    labels = found["Deployment"]["spec"]["template"]["metadata"]["labels"]
    assert found["Deployment"]["spec"]["replicas"] >= 2
    for kind in ("Deployment", "PodDisruptionBudget"):
        assert found[kind]["spec"]["selector"]["matchLabels"] == labels
    assert found["Service"]["spec"]["selector"] == labels
    assert found["PodDisruptionBudget"]["spec"]["minAvailable"] == 1


def test_the_container_gets_options_that_there_are() -> None:
    (container,) = of_base()["Deployment"]["spec"]["template"]["spec"]["containers"]
    name, *arguments = container["args"]
    assert name == "admission"
    options = {option for parameter in command.params for option in parameter.opts}
    assert {each.partition("=")[0] for each in arguments} <= options
    (port,) = container["ports"]
    default = next(each.default for each in command.params if each.name == "port")
    assert port["containerPort"] == default


def test_a_webhook_that_does_not_answer_keeps_nobody_from_working() -> None:
    configuration = of_base()["ValidatingWebhookConfiguration"]
    for webhook in configuration["webhooks"]:
        assert (webhook["failurePolicy"], webhook["sideEffects"]) == ("Ignore", "None")
        assert webhook["timeoutSeconds"] <= 5
        service = webhook["clientConfig"]["service"]
        assert (service["name"], service["path"]) == (of_base()["Service"]["metadata"]["name"], "/validate")


def test_the_role_only_reads() -> None:
    assert {verb for rule in of_base()["ClusterRole"]["rules"] for verb in rule["verbs"]} == {"get", "list", "watch"}


@NEEDS_KUBECTL
def test_cert_manager_makes_the_certificate() -> None:
    found = {each["kind"]: each for each in built(DEPLOY / "cert-manager")}
    certificate = found["Certificate"]
    assert certificate["spec"]["dnsNames"] == ["kro-ls-admission.kro-ls.svc"]
    annotations = found["ValidatingWebhookConfiguration"]["metadata"]["annotations"]
    assert annotations == {"cert-manager.io/inject-ca-from": "kro-ls/kro-ls-admission"}
    (volume, _) = found["Deployment"]["spec"]["template"]["spec"]["volumes"]
    assert volume["secret"]["secretName"] == certificate["spec"]["secretName"]


@NEEDS_KUBECTL
@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificate")
def test_the_script_makes_a_certificate(tmp_path: Path) -> None:
    for name in ("base", "own-certificate"):
        shutil.copytree(DEPLOY / name, tmp_path / name)
    folder = tmp_path / "own-certificate"
    subprocess.run([folder / "make-certificate.sh"], capture_output=True, check=True)
    verify = [
        "openssl",
        "verify",
        "-CAfile",
        "authority.crt",
        "-verify_hostname",
        "kro-ls-admission.kro-ls.svc",
        "tls.crt",
    ]
    subprocess.run(verify, cwd=folder, capture_output=True, check=True)
    assert not (folder / "authority.key").exists()
    found = {each["kind"]: each for each in built(folder)}
    assert found["Secret"]["metadata"]["name"] == "kro-ls-admission-tls"
    bundles = {each["clientConfig"]["caBundle"] for each in found["ValidatingWebhookConfiguration"]["webhooks"]}
    assert len(bundles) == 1
