"""The preview of any definition ends soon, and names the expression that takes too long."""

from __future__ import annotations

import time
from functools import cache

import pytest

from kro_ls.features.previews.preview import Preview, make_preview
from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.workspace.instances import find_instance
from kro_ls.yaml_positions.text import Text
from tests.fixtures.bombs import DEFINITIONS, EXPRESSIONS, definition_of

BOMBS = {**{name: definition_of(text) for name, text in EXPRESSIONS.items()}, **DEFINITIONS}

_MOST_SECONDS = 8.0
"""Of processor time: a preview takes one at most, and a slow machine is none that hangs."""


@cache
def outcome_and_seconds(name: str) -> tuple[str, float]:
    """Return all that the preview of a bomb says of what went wrong, and the processor time that it took."""
    started = time.process_time()
    analysis = diagnose_text(Text(BOMBS[name])).analysis
    preview = make_preview(analysis.rgds[0], find_instance(analysis.rgds[0], "file:///a.yaml", ()))
    return outcome(preview), time.process_time() - started


def outcome(preview: Preview) -> str:
    if preview.simulation is None:
        return "\n".join(preview.refusals)
    result = preview.simulation.final.result
    reasons = [reason for each in result.nodes for reason in (each.reason, each.unready) if reason is not None]
    reasons += [result.status_error] if result.status_error else []
    return "\n".join([*(each.text for each in reasons), *result.conditions.failures])


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_stopped(name: str) -> None:
    text, seconds = outcome_and_seconds(name)
    assert seconds < _MOST_SECONDS
    if "was stopped" in text:
        assert "took " in text or "evaluating rule: " in text


@pytest.mark.parametrize(
    ("name", "culprit"),
    [
        ("nested loops", 'took "string(lists.range(1000000).map(a, '),
        ("a loop of a long body", '100% of them took "string('),
        ("replace in a loop", "x1 + x1"),
        ("includeWhen", 'took "lists.range(1000000).all(x, '),
        ("readyWhen", 'took "lists.range(1000000).all(x, '),
        ("readyWhen of items", 'took "lists.range(100000).all(x, x >= 0)" of bomb0'),
        ("forEach", 'took "lists.range(1000000).filter(x, '),
        ("a status", 'took "lists.range(1000000).map(x, '),
        ("conditions", 'took "lists.range(200000).map(i, runtime.newCondition('),
        ("a collection of costly items", 'took "string(lists.range(100000).filter(x, x > i).size())" of bomb0'),
        ("a collection of a large template", "took the template of bomb0"),
        ("a collection of large texts", 'took "string(cel.bind(x0, '),
        ("a collection of large lists", 'took "string(json.marshal(lists.range(10000)))" of bomb0'),
        ("an enormous object", 'took "lists.range(1000000)" of bomb0'),
        ("a deep object", "of bomb0"),
        ("a rule of the schema", "evaluating rule: lists.range(1000000).all(x, "),
    ],
)
def test_what_takes_too_long_is_named(name: str, culprit: str) -> None:
    assert culprit in outcome_and_seconds(name)[0]


@pytest.mark.parametrize("name", ["lastIndexOf", "indexOf of nearly all", "matches", "fnv64a", "many resources"])
def test_what_only_looks_costly_has_its_value(name: str) -> None:
    assert outcome_and_seconds(name)[0] == ""
