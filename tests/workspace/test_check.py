"""A file has the same diagnosis for every caller."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import kro_ls
from kro_ls.rules.diagnosis import DEFAULT_SETTINGS
from kro_ls.workspace.check import check_document, check_file
from kro_ls.workspace.documents import Document
from kro_ls.workspace.schemas import SchemaSettings, load
from kro_ls.yaml_positions.text import Text

DEFINITION = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: app}
spec:
  schema: {apiVersion: v1alpha1, kind: App, spec: {name: strin}}
  resources: []
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec:
  group: example.com
  scope: Anywhere
  names: {kind: Thing, plural: things}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: objec}}}]
"""


@pytest.mark.parametrize(
    ("name", "text"),
    [("app.yaml", DEFINITION), ("app.test.yaml", "resourceGraphDefinition: none.yaml\ntest: []\n"), ("a.yaml", "a: [")],
)
def test_the_command_line_and_editors_find_the_same(tmp_path: Path, name: str, text: str) -> None:
    kinds = load([tmp_path], SchemaSettings())
    opened = Document(f"file:///{name}", 1, Text(text), schemas=kinds.index)
    checked = check_file(str(tmp_path / name), Text(text), DEFAULT_SETTINGS, kinds)
    assert checked.found == check_document(opened)
    assert checked.is_checked == (name != "a.yaml")
    assert bool(checked.found.diagnostics) == checked.is_checked


def test_nothing_writes_into_a_document_from_outside() -> None:
    root = Path(kro_ls.__file__).parent
    writing = {
        str(path.relative_to(root))
        for path in root.rglob("*.py")
        if re.search(r"\bdocument\.__dict__", path.read_text(encoding="utf-8"))
    }
    assert writing == set()
