"""The benchmarks measure what they say; how long it takes is not tested."""

from __future__ import annotations

import pytest

from benchmarks.client import EMPTY_SERVER, Client
from benchmarks.edit_to_diagnostics import FIELD, place_of_edit
from benchmarks.generate import definition, definition_of_lines
from benchmarks.report import percentile
from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.yaml_positions.text import Text


@pytest.mark.parametrize("lines", [100, 500, 5000])
def test_generated_definition_has_the_lines_and_no_faults(lines: int) -> None:
    text = definition_of_lines(lines)
    assert lines - 5 < len(text.splitlines()) <= lines
    diagnosis = diagnose_text(Text(text))
    assert len(diagnosis.analysis.rgds[0].resources) == text.count("- id:")
    assert diagnosis.diagnostics == ()


def test_generated_definitions_differ_in_name_and_kind() -> None:
    first, second = definition(1, 1), definition(1, 2)
    assert "name: generated-1" in first
    assert "kind: Generated2" in second


def test_the_edit_is_behind_a_field_in_the_middle() -> None:
    text = definition_of_lines(100)
    line, column = place_of_edit(text)
    assert 50 <= line < 60
    assert text.splitlines()[line][:column].endswith(FIELD)


def test_the_client_gets_the_diagnostics_of_each_version() -> None:
    uri = "file:///test.yaml"
    with Client(EMPTY_SERVER) as client:
        client.initialize()
        assert len(client.open(uri, "a: 1\n")) == 20
        assert len(client.replace(uri, 1, 0, (0, 1), "b")) == 20


@pytest.mark.parametrize(("share", "value"), [(0.5, 2.0), (0.95, 4.0), (0.0, 1.0)])
def test_percentile(share: float, value: float) -> None:
    assert percentile([4.0, 1.0, 3.0, 2.0], share) == value
