"""What the benchmarks give the server: texts that are valid, and that are never the same twice."""

from __future__ import annotations

import itertools

import pytest

from benchmarks.crd_files import crd, group_version, kind
from benchmarks.definitions import LINES_TO_RESOURCES, READERS, definition, definition_of_lines
from benchmarks.edits import KINDS, Change, Kind, position_of
from benchmarks.folders import is_known, user_of
from benchmarks.in_process import messages
from benchmarks.requests import places
from benchmarks.typing_sessions import DEFINITION, RESOURCE, keys

EDITS = 12


@pytest.mark.parametrize(("lines", "resources"), LINES_TO_RESOURCES.items())
def test_a_definition_has_about_the_lines_and_no_faults(lines: int, resources: int) -> None:
    made = definition_of_lines(lines)
    assert 0.9 * lines < len(made.text.splitlines()) < 1.2 * lines
    assert made.text.count("- id: ") == len(made.ids) == resources
    too_large = "the definition has more than 256 KiB as JSON"  # as the longest one has
    assert [each for each in messages(made.text) if not each.startswith(too_large)] == []


def test_definitions_of_different_numbers_share_no_id_and_no_kind() -> None:
    first, second = definition(20, 1), definition(20, 2)
    assert not set(first.ids) & set(second.ids)
    assert "kind: Generated1\n" in first.text
    assert "kind: Generated2\n" in second.text


@pytest.mark.parametrize("resources", [14, 86])
def test_planted_faults_are_as_many_as_asked_for_and_reach_the_last_resource(resources: int) -> None:
    text = definition(resources, faults=10).text
    assert len(messages(text)) == 10
    assert "missing" in text.splitlines()[-2] + text.splitlines()[-1]


def test_fields_are_read_by_as_many_resources_as_they_say() -> None:
    assert definition(1000).readers == dict(zip(READERS, (1, 10, 1000), strict=True))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_text_of_an_edit_stream_is_new_and_has_the_faults_it_promises(kind: Kind) -> None:
    opened = definition_of_lines(100)
    text, before = opened.text, ""
    seen = {text}
    for step in itertools.islice(kind.steps(opened), EDITS):
        older, before, text = before, text, step.change.apply(text)
        if kind.name == "undo" and step.is_measured:
            assert text == older
            continue
        assert text not in seen
        seen.add(text)
        if step.is_measured:
            unread = 1 if kind.name == "new schema field" else 0  # a hint
            assert len(messages(text)) == kind.faults(opened) + unread


def test_undo_never_returns_to_the_same_text_twice() -> None:
    opened = definition_of_lines(100)
    (kind,) = (kind for kind in KINDS if kind.name == "undo")
    text, undone = opened.text, []
    for step in itertools.islice(kind.steps(opened), EDITS):
        text = step.change.apply(text)
        if step.is_measured:
            undone.append(text)
    assert len(undone) == len(set(undone)) == EDITS / 3


@pytest.mark.parametrize("typed", [DEFINITION, RESOURCE])
def test_the_keys_of_a_session_give_the_text_and_every_text_is_new(typed: str) -> None:
    start = "a: 1\n"
    text, seen = start, {start}
    for change in keys(typed, position_of(start, len(start))):
        assert len(change.text.lstrip("\n ")) <= 1
        text = change.apply(text)
        seen.add(text)
    assert text == start + typed.rstrip("\n")
    assert len(seen) > len(typed) * 0.6
    assert messages(DEFINITION) == []


def test_places_of_requests_are_in_a_field_of_the_schema() -> None:
    opened = definition_of_lines(500)
    lines = opened.text.splitlines()
    found = places(opened)
    assert len(found) == len(set(found)) == len(opened.ids)
    assert all(lines[line][:character].endswith("schema.spec.re") for line, character in found)


def test_a_crd_has_about_the_size_and_is_the_same_each_time() -> None:
    text = crd(7, 40_000)
    assert 40_000 < len(text) < 80_000
    assert text == crd(7, 40_000)
    assert f"kind: {kind(7)}\n" in text
    assert text != crd(8, 40_000)


def test_a_user_of_a_kind_is_silent_while_the_kind_is_unknown() -> None:
    found = messages(user_of(group_version(7), kind(7)).text)
    assert not is_known([{"message": message} for message in found])


def test_a_change_replaces_its_range() -> None:
    assert Change((1, 1), (2, 1), "x\ny").apply("ab\ncd\nef\n") == "ab\ncx\nyf\n"
