"""A workspace with files and folders whose names are not UTF-8."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from kro_ls.uris import file_path, file_uri
from tests.fixtures.client import Client
from tests.fixtures.definitions import rgd
from tests.server.test_across_files import at

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="names are bytes on Linux only")

CRD = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: buckets.example.com}
spec:
  group: example.com
  names: {kind: Bucket, plural: buckets}
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec: {type: object, properties: {size: {type: integer}}}
"""
USER = rgd("- id: bucket\n  template: {apiVersion: example.com/v1, kind: Bucket, metadata: {name: a}, spec: {sise: 1}}")


@pytest.mark.parametrize("name", [b"a\xffb.yaml", b"\xe9t\xe9/100% #\xff.yaml", "grün.yaml".encode()])
def test_uris_name_the_same_file(name: bytes) -> None:
    path = f"/shop/{os.fsdecode(name)}"
    uri = file_uri(path)
    assert uri.isascii()
    assert file_path(uri) == path


def test_kinds_beside_such_names_are_loaded(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"work\xff")
    folder.mkdir()
    (folder / ".gitignore").write_bytes(b"*.log\nignored\xfe*\n")
    crd, app, user = (folder / os.fsdecode(name) for name in (b"crd\xfe.yaml", b"app\xfd.yaml", b"user\xfc.yaml"))
    crd.write_text(CRD)
    app.write_text(rgd("- id: config\n  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: x}}"))
    (folder / os.fsdecode(b"ignored\xfe.yaml")).write_text(CRD.replace("example.com", "other.com"))
    (folder / os.fsdecode(b"broken\xfe.yaml")).write_bytes(b"kind: CustomResourceDefinition\na: \xff\n")
    uri = file_uri(str(user))
    with Client() as client:
        client.initialize({"window": {"workDoneProgress": True}}, rootUri=file_uri(str(folder)))
        client.answer(client.wait(lambda message: message.get("method") == "window/workDoneProgress/create"), None)
        client.wait(
            lambda message: message.get("method") == "$/progress" and message["params"]["value"]["kind"] == "end"
        )
        client.open(USER, uri)
        published = client.wait(
            lambda message: (
                message.get("method") == "textDocument/publishDiagnostics" and message["params"]["diagnostics"]
            )
        )["params"]
        assert published["uri"] == uri
        assert [each["code"] for each in published["diagnostics"]] == ["unknown-template-field"]
        found = client.request("textDocument/definition", at(uri, USER, "kind: Buck"))
        assert found["uri"] == file_uri(str(crd))
        symbols = client.request("workspace/symbol", {"query": "app"})
        assert file_uri(str(app)) in {each["location"]["uri"] for each in symbols}
        for change in (1, 2, 3):
            client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": file_uri(str(crd)), "type": change}]})
        client.request("workspace/executeCommand", {"command": "kro.preview", "arguments": [{"uri": uri}]})
        assert client.request("textDocument/hover", at(uri, USER, "kind: Buck"))
        client.request("shutdown")
    assert b"Traceback" not in client.errors
    assert b"not UTF-8 (line 2); save it as UTF-8" in client.errors
