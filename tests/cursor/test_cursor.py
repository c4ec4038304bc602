"""The place is found once, and is the one that a walk over the whole document would find."""

from __future__ import annotations

import pytest

from kro_ls.analysis.analysis import Analysis, RgdAnalysis, analyze
from kro_ls.cursor.parts import PlacedPart, part_at, parts, parts_in, rgd_at
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd
from tests.fixtures.language import fixture
from tests.paths import EXAMPLES

RESOURCES = """
- id: first
  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${schema.spec.name}"}}

- id: second

  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${first.metadata.name}"}}
# the end
"""
BEFORE = rgd(RESOURCES)
AFTER = BEFORE.replace("spec:\n  schema", "spec:\n  other: 1\n  schema")
FLOW = rgd() + "  resources: [{id: a}, {id: b, template: {}}, {id: c}]\n"
ANCHORS = rgd("- &one {id: a}\n- id: b\n  template: &two {kind: X}\n- *one\n- id: c\n  template: *two")
TEXTS = [
    BEFORE,
    FLOW,
    ANCHORS,
    f"{BEFORE}---\n{AFTER}---\na: b\n---\n{FLOW}",
    rgd(),
    "",
    *(path.read_text(encoding="utf-8") for path in sorted(EXAMPLES.glob("*.yaml"))),
]


def walked_rgd(analysis: Analysis, offset: int) -> RgdAnalysis | None:
    around = (each for each in analysis.rgds if each.rgd.document.start <= offset <= each.rgd.document.end)
    return next(around, None)


def walked_part(found: RgdAnalysis, offset: int) -> PlacedPart | None:
    return next((each for each in parts(found) if each.to_part(offset) is not None), None)


@pytest.mark.parametrize("text", TEXTS)
def test_the_part_is_the_first_that_holds_the_place(text: str) -> None:
    analysis = analyze(Text(text))
    for offset in range(len(text) + 1):
        found = rgd_at(analysis, offset)
        assert found is walked_rgd(analysis, offset)
        if found:
            assert part_at(found, offset) == walked_part(found, offset)


@pytest.mark.parametrize("text", TEXTS)
def test_the_parts_in_a_window_are_those_that_touch_it(text: str) -> None:
    for found in analyze(Text(text)).rgds:
        for start in range(0, len(text), 17):
            window = Span(start, start + 31)
            touching = [each for each in parts(found) if each.placed.start <= window.end]
            expected = [each for each in touching if each.placed.end >= window.start]
            assert list(parts_in(found, window)) == expected


def test_nothing_stands_outside_of_an_rgd() -> None:
    cursor = fixture("a: b$0").cursor
    assert (cursor.rgd, cursor.part, cursor.yaml, cursor.expression, cursor.symbol) == (None,) * 5
    assert (cursor.schema_field, cursor.instance_field, cursor.key_schema, cursor.named_kind) == (None,) * 4
    assert (cursor.open_expression, cursor.open_field, cursor.open_yaml) == (None,) * 3


def test_what_stands_in_an_expression() -> None:
    cursor = fixture(rgd(RESOURCES).replace("first.metadata.name", "fir$0st.metadata.name")).cursor
    assert cursor.part is not None
    assert cursor.yaml is not None
    assert cursor.yaml.path == ("spec", "resources", 1, "template", "metadata", "name")
    assert cursor.expression is not None
    assert (cursor.expression.expression.text, cursor.expression.offset) == ("first.metadata.name", 3)
    assert cursor.symbol is not None
    assert cursor.symbol.name == "first"
    assert cursor.open_expression is not None
    assert cursor.open_expression.text == "fir"


def test_everything_is_found_once() -> None:
    cursor = fixture(rgd(RESOURCES).replace("first.metadata.name", "fir$0st.metadata.name")).cursor
    assert cursor.part is cursor.part
    assert cursor.expression is cursor.expression
    assert cursor.open_expression is cursor.open_expression
