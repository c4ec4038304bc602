"""What the server reports to clients that ask: versions, sources of kinds, which kinds are instances."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import kro_ls
from kro_ls.kro.versions.version import NEWEST
from kro_ls.openapi.sources.bundled import minors
from tests.fixtures.client import Client
from tests.fixtures.definitions import rgd

RESOURCE = "\n- id: config\n  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n"
WANTED = {"experimental": {"kroStatus": True}}


def test_status_follows_the_workspace(tmp_path: Path) -> None:
    (tmp_path / "rgd.yaml").write_text(rgd(RESOURCE), encoding="utf-8")
    with Client() as client:
        client.initialize(WANTED, rootUri=tmp_path.as_uri())
        status: Any = client.notification("kro/status")
        assert status == {
            "serverVersion": kro_ls.__version__,
            "kroVersion": str(NEWEST),
            "kubernetes": minors()[0],
            "crdKinds": 0,
            "instanceKinds": ["kro.run/App"],
        }
        (tmp_path / "rgd.yaml").write_text(rgd(RESOURCE).replace("kind: App", "kind: Shop"), encoding="utf-8")
        change = {"uri": (tmp_path / "rgd.yaml").as_uri(), "type": 2}
        client.notify("workspace/didChangeWatchedFiles", {"changes": [change]})
        assert client.notification("kro/status")["instanceKinds"] == ["kro.run/Shop"]


def test_status_says_which_version_of_kro_is_meant(tmp_path: Path) -> None:
    (tmp_path / ".kro-ls.yaml").write_text("version: 0.8.1\n", encoding="utf-8")
    with Client() as client:
        client.initialize(WANTED, rootUri=tmp_path.as_uri())
        assert client.notification("kro/status")["kroVersion"] == "0.8.1"
        client.notify("workspace/didChangeConfiguration", {"settings": {"kro": {"version": "0.7"}}})
        assert client.notification("kro/status")["kroVersion"] == "0.7.1"
