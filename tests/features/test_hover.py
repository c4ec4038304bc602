"""Hover on resources, iterators, kro's names and functions."""

from __future__ import annotations

import pytest
from lsprotocol import types

from kro_ls.features.hover import hover
from tests.features.fixtures import fixture, rgd

RESOURCES = """
- id: config
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: "${schema.spec.name}-config"}
- id: deployment
  includeWhen:
    - ${schema.spec.name.startsWith("a")}
  template:
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: ${config.metadata.name}
      labels:
        joined: ${['a'].map(x, x).join(',')}
        random: ${random.seededString(3, 'a')}
"""


def text_at(old: str, new: str) -> str | None:
    found = fixture(rgd(RESOURCES).replace(old, new, 1))
    answer = hover(found.document, found.cursor)
    if answer is None:
        return None
    assert isinstance(answer.contents, types.MarkupContent)
    return answer.contents.value


@pytest.mark.parametrize(("old", "new"), [("${config.", "${con$0fig."), ("id: config", "id: c$0onfig")])
def test_a_resource_tells_its_kind_name_and_place_in_the_graph(old: str, new: str) -> None:
    assert text_at(old, new) == (
        "**config**: resource\n\n- kind: `ConfigMap` (`v1`)\n- name: `${schema.spec.name}-config`\n"
        "- depends on: nothing\n- used by: `deployment`\n- order: 1 of 2"
    ).replace("\\\n", "\n")


def test_the_instance() -> None:
    assert "instance" in (text_at("${schema.spec.name}-", "${sch$0ema.spec.name}-") or "")


def test_a_macro_variable() -> None:
    assert text_at("map(x, x)", "map(x, $0x)") == "`x`: variable of a macro"


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        ("startsWith", "starts$0With", "startsWith(prefix: string) -> bool"),
        (".map(", ".m$0ap(", "map("),
        ("seededString", "seeded$0String", "random.seededString(length: int, seed: string) -> string"),
    ],
)
def test_a_function_has_its_signature_and_documentation(old: str, new: str, part: str) -> None:
    assert part in (text_at(old, new) or "")


def test_a_field_without_more_to_say_is_quiet() -> None:
    assert text_at("kind: ConfigMap", "kind: Config$0Map") is None
