"""Visual Studio Code beside a kind that nothing in the workspace declares."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from tests.editors.vscode import Server, project
from tests.fixtures.definitions import rgd

if TYPE_CHECKING:
    import pytest

DEFINITION = rgd(
    """
- id: bucket
  template: {apiVersion: example.com/v1, kind: Bucket, metadata: {name: a}, spec: {regoin: north}}
"""
)
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
          properties: {spec: {type: object, properties: {region: {type: string}}}}
"""


def test_the_quick_fix_of_an_unknown_kind_adds_its_definition(tmp_path_factory: pytest.TempPathFactory) -> None:
    crd = tmp_path_factory.mktemp("elsewhere") / "buckets.yaml"
    crd.write_text(CRD, encoding="utf-8")
    server = Server(tmp_path_factory.mktemp("server"))
    with project(tmp_path_factory, {"definition.yaml": DEFINITION}, server, width=1180, height=720) as code:
        path = code.folder / "definition.yaml"
        code.open(path)
        code.wait_for_diagnostics(path, ["unknown-kind"])
        code.place("Bucket")
        titles = code.quick_fixes()
        chosen = next(number for number, title in enumerate(titles) if "Add definitions for this kind" in title)
        silencing = next(number for number, title in enumerate(titles) if "Silence" in title)
        assert chosen < silencing, titles
        for _ in range(chosen):
            code.browser.press("ArrowDown", 40)
        code.browser.press("Enter", 13)

        box = "document.querySelector('.quick-input-widget:not([style*=\"display: none\"]) input[type=text]')"
        code.browser.wait(f"{box} && {box}.value.length > 0", "the dialog for files")
        code.browser.evaluate(f"{box}.select()")
        code.browser.type(str(crd))
        code.browser.wait(f"{box}.value === {json.dumps(str(crd))}", "the typed name")
        code.browser.press("Enter", 13)

        code.wait_for_diagnostics(path, ["unknown-template-field"])
        settings = json.loads((code.folder / ".vscode/settings.json").read_text(encoding="utf-8"))
        assert [Path(each) for each in settings["kro.crds"]] == [crd]
