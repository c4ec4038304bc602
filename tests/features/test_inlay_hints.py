"""Inlay hints: the types of status fields and iterators."""

from __future__ import annotations

from lsprotocol import types

from kro_ls.features.hints.inlay_hints import inlay_hints
from kro_ls.features.settings import InlayHintSettings
from tests.fixtures.definitions import rgd
from tests.fixtures.features import EVERYTHING, check_inlay_hints
from tests.fixtures.language import Fixture, fixture

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


def example() -> Fixture:
    return fixture(rgd(RESOURCES, spec='{zones: "[]string"}', status=STATUS))


STATUS_HINTS = [
    ("replicas: ${web.status.replicas}", "→ int"),
    ('address: "https://${web.metadata.name}"', "→ string"),
    ("ready: ${web.status.readyReplicas == 1}", "→ bool"),
    ("containers: ${web.spec.template.spec.containers}", "→ list(Deployment.spec.template.spec.containers)"),
    ("${web.metadata.name}", "→ string"),
    ("plain: ${schema.spec.zones}", "→ list(string)"),
]
ITERATOR_HINTS = [
    ("- zone: ${schema.spec.zones}", "→ string"),
    ("- container: ${web.spec.template.spec.containers}", "→ Deployment.spec.template.spec.containers[]"),
    ("- other: ${unknown.x}", "→ dyn"),
]


def test_types_stand_after_status_fields_and_iterators() -> None:
    check_inlay_hints(example(), STATUS_HINTS + ITERATOR_HINTS, settings=InlayHintSettings())


def test_each_kind_can_be_turned_off() -> None:
    check_inlay_hints(example(), ITERATOR_HINTS, settings=InlayHintSettings(status_types=False))
    check_inlay_hints(example(), STATUS_HINTS, settings=InlayHintSettings(iterator_types=False))


def test_only_the_range_is_looked_at() -> None:
    found = example()
    line = next(n for n, text in enumerate(found.content.split("\n")) if "ready:" in text)
    one_line = types.Range(types.Position(line, 0), types.Position(line, 200))
    check_inlay_hints(found, STATUS_HINTS[2:3], settings=InlayHintSettings(), wanted=one_line)
    start = types.Range(types.Position(0, 0), types.Position(0, 5))
    check_inlay_hints(found, [], settings=InlayHintSettings(), wanted=start)


def test_types_are_shown_as_types() -> None:
    hints = inlay_hints(example().document, EVERYTHING, InlayHintSettings())
    assert {hint.kind for hint in hints} == {types.InlayHintKind.Type}
