"""The program among the examples, and those of the page about deploying: strategies and factories of one's own."""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path
from typing import Any

import pytest

from kro_ls.deploying import DeploymentError, Event, EventKind
from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.rules.refusals import refusals
from kro_ls.yaml_positions.text import Text
from tests.deploying.played_server import PlayedServer, kubeconfig
from tests.paths import EXAMPLES, ROOT

pytest.importorskip("kubernetes")

DEFINITION = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: shop}
spec:
  schema: {apiVersion: v1alpha1, kind: Shop, spec: {image: string}}
  resources:
    - id: settings
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "${schema.metadata.name}"}
"""


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the programs of the page define; those that deploy find no cluster."""
    monkeypatch.setenv("KUBECONFIG", str(tmp_path / "none"))
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs/deploying.md").read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    for program in re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        try:
            exec(program, names)
        except DeploymentError as error:
            assert "name a context of your kubeconfig" in str(error)  # noqa: PT017 (others may well succeed)
    return names


def test_a_strategy_of_ones_own_writes_a_file(page: dict[str, Any], server: PlayedServer, tmp_path: Path) -> None:
    strategy = page["ToFiles"](kubeconfig=kubeconfig(tmp_path, server.server_port))
    run = page["TeamFactory"](DEFINITION, strategy).deploy("corner", {"image": "nginx"})
    assert [each.kind for each in run] == [EventKind.CREATED]
    assert run.result().state == "WRITTEN"
    assert [each.phase for each in run.result().timings] == ["preparation", "writing"]
    written = json.loads(Path("instance.json").read_text(encoding="utf-8"))
    assert written == {
        "apiVersion": "kro.run/v1alpha1",
        "kind": "Shop",
        "metadata": {"name": "corner", "namespace": "team", "labels": {"team": "shop"}},
        "spec": {"image": "nginx"},
    }


def test_a_subclass_changes_what_is_applied_and_awaited(page: dict[str, Any]) -> None:
    careful = page["Careful"]()
    value = {"kind": "PersistentVolumeClaim", "metadata": {"name": "data"}}
    assert careful.prepare("claim", value)["metadata"]["annotations"] == {"node": "claim"}
    assert careful.unready(None, [value]) == "1 claims are not bound"


def test_the_example_makes_a_definition_that_kro_accepts() -> None:
    example = runpy.run_path(str(EXAMPLES / "python/deploy_shop.py"))
    diagnosis = diagnose_text(Text(example["shop"].to_yaml()))
    assert refusals(diagnosis, diagnosis.analysis.rgds[0]) == ()


def test_the_example_reports_a_missing_cluster(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("KUBECONFIG", str(tmp_path / "none"))
    assert runpy.run_path(str(EXAMPLES / "python/deploy_shop.py"))["main"]() == 1
    assert "name a context of your kubeconfig" in capsys.readouterr().err


def test_an_event_is_printed_in_a_line() -> None:
    assert str(Event(EventKind.WAITING, "web", "Deployment web", "no")) == "[0/0] waiting for web (Deployment web): no"
