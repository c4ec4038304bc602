"""Hover on the status of an instance that kubectl printed: why it does not go on."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from kro_ls.features.hover.hover import hover
from kro_ls.workspace.documents import Document
from kro_ls.workspace.schemas import SchemaSettings, load
from kro_ls.workspace.snapshot import AllDocuments
from kro_ls.yaml_positions.text import Text
from tests.fixtures.features import check_hover
from tests.fixtures.language import Fixture, fixture

DEFINITION = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: app}
spec:
  schema:
    apiVersion: v1
    kind: App
    spec: {name: string}
  resources:
    - id: svc
      template: {apiVersion: v1, kind: Service, metadata: {name: a}, spec: {type: ClusterIP}}
    - id: config
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: b}
        data:
          host: "${svc.status.loadBalancer.ingress[0].hostname}"
"""
MESSAGE = (
    'resource reconciliation failed: waiting for unresolved resource: gvr "x": node "config": failed to evaluate '
    'expression: eval "svc.status.loadBalancer.ingress[0].hostname": no such key: ingress (data pending)'
)
INSTANCE = f"""\
apiVersion: kro.run/v1
kind: App
metadata: {{name: x, uid: u}}
spec: {{name: n}}
status:
  conditions:
  - message: '{MESSAGE}'
    reason: NotReady
    status: "False"
    type: ResourcesReady
  state: IN_PROGRESS
"""
CHILD = """\
---
apiVersion: v1
kind: Service
metadata: {name: a, labels: {kro.run/node-id: svc, kro.run/instance-id: u}}
spec: {type: ClusterIP}
status: {loadBalancer: {}}
"""


def _at(source: str, folder: Path) -> Fixture:
    (folder / "app.yaml").write_text(DEFINITION, encoding="utf-8")
    kinds = load([folder], SchemaSettings())
    others = AllDocuments(
        {}, kinds, lambda path, text: Document(path, None, Text(text), schemas=kinds.index), (folder,)
    )
    found = fixture(source, kinds.index)
    return Fixture(replace(found.cursor, others=others), found.marks)


@pytest.mark.parametrize("key", ["status", "conditions", "state"])
def test_the_keys_of_the_status(key: str, tmp_path: Path) -> None:
    source = INSTANCE.replace(f"{key}:", f"{key[:2]}$0{key[2:]}:", 1) + CHILD
    found = check_hover(
        _at(source, tmp_path),
        "a Service of type ClusterIP never has status.loadBalancer.ingress",
        "line 18](",
        "Matter of: the definition",
        "To unblock: set spec.type to LoadBalancer",
        about=key,
    )
    assert "app.yaml#L18)" in found


def test_what_would_show_more_is_asked_for(tmp_path: Path) -> None:
    source = INSTANCE.replace("state:", "st$0ate:")
    check_hover(_at(source, tmp_path), "See also: `kubectl get ")


@pytest.mark.parametrize("place", ["spec", "metadata"])
def test_other_keys_are_documented_as_ever(place: str, tmp_path: Path) -> None:
    answer = hover(_at(INSTANCE.replace(f"{place}:", f"{place[0]}$0{place[1:]}:", 1), tmp_path).cursor)
    assert answer is None or "Matter of" not in str(answer.contents)


def test_an_instance_that_is_well(tmp_path: Path) -> None:
    well = INSTANCE.replace('"False"', '"True"').replace("state: IN_PROGRESS", "st$0ate: ACTIVE")
    answer = hover(_at(well, tmp_path).cursor)
    assert answer is None or "Matter of" not in str(answer.contents)
