"""Inlay hints: the types of status fields and iterators."""

from __future__ import annotations

from lsprotocol import types

from kro_ls.features.hints.inlay_hints import inlay_hints
from kro_ls.features.settings import InlayHintSettings
from tests.features.fixtures import Fixture, fixture, rgd

STATUS = """
replicas: ${web.status.replicas}
address: "https://${web.metadata.name}"
ready: ${web.status.readyReplicas == 1}
containers: ${web.spec.template.spec.containers}
nested:
  block: |
    ${web.metadata.name}
broken: ${web.spec.}
wrong: ${web.nothing}
plain: ${schema.spec.zones}
conditions:
  - ${runtime.newCondition({type: "A", status: "True"})}
"""
RESOURCES = """
- id: web
  template:
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: web}
- id: pods
  forEach:
    - zone: ${schema.spec.zones}
    - container: ${web.spec.template.spec.containers}
    - other: ${unknown.x}
    - text: plain
  template:
    apiVersion: v1
    kind: Pod
    metadata: {name: "${zone}"}
"""
ALL = types.Range(types.Position(0, 0), types.Position(1000, 0))


def example() -> Fixture:
    return fixture(rgd(RESOURCES, spec='{zones: "[]string"}', status=STATUS))


def shown(
    found: Fixture, wanted: types.Range = ALL, settings: InlayHintSettings | None = None
) -> list[tuple[str, str]]:
    """Return each hint with the text of the line before it."""
    lines = found.document.text.content.split("\n")
    hints = inlay_hints(found.document, wanted, settings or InlayHintSettings())
    assert all(hint.kind is types.InlayHintKind.Type for hint in hints)
    return [(lines[hint.position.line][: hint.position.character].strip(), str(hint.label)) for hint in hints]


STATUS_HINTS = [
    ("replicas: ${web.status.replicas}", ": int"),
    ('address: "https://${web.metadata.name}"', ": string"),
    ("ready: ${web.status.readyReplicas == 1}", ": bool"),
    ("containers: ${web.spec.template.spec.containers}", ": list(Deployment.spec.template.spec.containers[])"),
    ("${web.metadata.name}", ": string"),
    ("plain: ${schema.spec.zones}", ": list(string)"),
]
ITERATOR_HINTS = [
    ("- zone", "string"),
    ("- container", "Deployment.spec.template.spec.containers[]"),
    ("- other", "dyn"),
]


def test_types_stand_after_status_fields_and_iterators() -> None:
    assert shown(example()) == STATUS_HINTS + ITERATOR_HINTS


def test_each_kind_can_be_turned_off() -> None:
    assert shown(example(), settings=InlayHintSettings(status_types=False)) == ITERATOR_HINTS
    assert shown(example(), settings=InlayHintSettings(iterator_types=False)) == STATUS_HINTS


def test_only_the_range_is_looked_at() -> None:
    found = example()
    line = next(n for n, text in enumerate(found.document.text.content.split("\n")) if "ready:" in text)
    assert shown(found, types.Range(types.Position(line, 0), types.Position(line, 200))) == STATUS_HINTS[2:3]
    assert shown(found, types.Range(types.Position(0, 0), types.Position(0, 5))) == []
