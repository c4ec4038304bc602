"""A document that will hardly be edited has the same findings, although less is recorded for edits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kro_ls.workspace.check import check_document
from kro_ls.workspace.documents import Document, Edit
from kro_ls.yaml_positions.text import Text
from tests.paths import CONFORMANCE, needs_conformance

if TYPE_CHECKING:
    from kro_ls.yaml_positions.documents.runs import Run

SOUND = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: shop
spec:
  schema:
    apiVersion: v1alpha1
    kind: Shop
    spec:
      name: string
    status:
      address: ${service.spec.clusterIP}
  resources:
    - id: config
      # kro-ls: ignore unused-schema-field
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: ${schema.spec.nam}
        data: {port: "${servise.spec.ports[0].port}"}
    - id: service
      template:
        apiVersion: v1
        kind: Service
        metadata:
          name: shop
        spec:
          ports: 80
"""
BROKEN = SOUND.replace("name: ${schema.spec.nam}", 'name: "${schema.spec.nam}')
TEMPLATE = SOUND.replace("  name: shop\nspec", "  name: {{ .Values.name }}\nspec")
ALIASED = SOUND.replace("name: ${schema.spec.nam}", "name: &name ${schema.spec.nam}").replace(
    "ports: 80", "ports: *name"
)
IN_LIST = "kind: List\napiVersion: v1\nitems:\n- " + SOUND.replace("\n", "\n  ")


def _document(text: str, *, is_final: bool) -> Document:
    return Document("shop.yaml", None, Text(text), is_final=is_final)


@pytest.mark.parametrize(
    "text",
    [SOUND, f"{SOUND}---\n{SOUND}", SOUND.replace("\n", "\r\n"), BROKEN, TEMPLATE, ALIASED, IN_LIST, SOUND * 30],
    ids=["sound", "twice", "windows", "broken", "template", "aliased", "in a list", "large"],
)
def test_is_checked_as_one_that_will_be_edited(text: str) -> None:
    found = check_document(_document(text, is_final=True))
    assert found == check_document(_document(text, is_final=False))
    assert found.diagnostics


def test_is_cut_only_where_yaml_cannot_read_it() -> None:
    assert [len(_runs(text)) for text in (SOUND, BROKEN)] == [0, 2]


def _runs(text: str) -> tuple[Run, ...]:
    (document,) = _document(text, is_final=True).analysis.stream.documents
    runs: tuple[Run, ...] = document.runs
    return runs


@pytest.mark.parametrize("before", [SOUND, BROKEN], ids=["sound", "broken"])
def test_may_be_edited_all_the_same(before: str) -> None:
    document = _document(before, is_final=True)
    assert document.diagnosis.diagnostics
    edited = document.edited(None, (Edit(SOUND.replace("servise", "service")),))
    fresh = _document(edited.text.content, is_final=False)
    assert check_document(edited) == check_document(fresh)


@needs_conformance
def test_published_faults_are_found_without_cuts() -> None:
    for path in sorted((CONFORMANCE / "faults").glob("*.yaml")):
        text = path.read_text(encoding="utf-8")
        final, cut = (check_document(_document(text, is_final=each)) for each in (True, False))
        assert final == cut, path.name
