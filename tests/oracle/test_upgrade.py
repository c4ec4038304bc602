"""Tests that kro accepts the definitions that kro-ls upgrades to its version."""

from __future__ import annotations

from pathlib import Path

import pytest

from kro_ls.repairs.upgrade import upgrade
from kro_ls.rules.settings import Settings
from kro_ls.workspace.documents import Document
from kro_ls.yaml_positions.text import Text
from tests.conformance.recorded import oracle_version
from tests.oracle.oracle import ask
from tests.oracle.test_oracle import needs_go

OLD = """\
# written for the first versions
apiVersion: kro.run/v1alpha1
kind: ResourceGroup
metadata:
  name: old # name
spec:
  defaultServiceAccounts:
    "*": admin
  schema:
    apiVersion: v1alpha1
    kind: Old
    spec:
      name: string | required   # must
      trailing: "string | default=a "
      many: string[]
      count: integer | default=1
    status:
      phase: Fixed
      nested:
        a: string
      ready: ${graphengine.metadata.name}
  resources:
    - id: graphengine
      definition:
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: ${schema.metadata.name}-${schema.spec.count}
        data:
          plain: echo ${HOME
          quoted: 'echo ${HOME'
          brace: ${'}' + schema.spec.name}
          block: |
            echo ${HOME
      readyOn:
        - ${graphengine.metadata.name != ""}
    - id: instance
      conditions:
        - ${schema.spec.count > 0}
      template:
        apiVersion: v1
        kind: Namespace
        metadata:
          name: ${graphengine.metadata.name} # the space
          namespace: gone
    - id: last
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${instance.metadata.name}"}}
"""


PROPOSED = (Path(__file__).parents[1] / "rules" / "versions" / "krep_2.yaml").read_text(encoding="utf-8")


@needs_go
def test_kro_accepts_what_was_upgraded_and_not_what_was_there(version: str) -> None:
    found = upgrade(Document("", None, Text(OLD), settings=Settings(version=oracle_version(version))))
    before, after = ask(
        version, [{"rgd": OLD.replace("ResourceGroup", "ResourceGraphDefinition")}, {"rgd": found.text.content}]
    )
    assert (before["accepted"], after["accepted"]) == (False, True), after
    assert not found.left


@needs_go
def test_kro_accepts_collections_of_the_proposal_in_its_own_form(version: str) -> None:
    if version.startswith("0.8"):
        pytest.skip("selectors came with 0.9")
    found = upgrade(Document("", None, Text(PROPOSED), settings=Settings(version=oracle_version(version))))
    before, after = ask(version, [{"rgd": PROPOSED}, {"rgd": found.text.content}])
    assert (before["accepted"], after["accepted"]) == (False, True), after
    assert not found.left
