"""What the parser tells of long texts, which it reads in pieces."""

from __future__ import annotations

import pytest
from ruamel.yaml.events import ScalarEvent

from kro_ls.yaml_positions.errors import ParseFailure
from kro_ls.yaml_positions.parsing import events as module
from kro_ls.yaml_positions.parsing.events import events

TEXTS = (
    "a: b\n",
    "\ufeffa: [b, 'c d', {e: f}]\n",
    "a: &x |\n  b\n  c\nd: *x\n" * 3,
    "ä: ö\n😀: x\n\u0416: y\n",
    "a: b\r\nc: d\r\n",
    "a: 'never closed\nb: c\n",
    "a: [\n",
    "\tb\n",
    "",
)


def reported(text: str) -> list[object]:
    """What the parser tells of a text, with all places."""
    found: list[object] = []
    try:
        for event in events(text):
            value = getattr(event, "value", None)
            found.append((type(event).__name__, event.start_mark.index, event.end_mark.index, value))
    except ParseFailure as failure:
        found.append((failure.problem, failure.context, failure.problem_offset, failure.context_offset))
    return found


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_in_pieces_reads_as_the_whole(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = reported(text)
    monkeypatch.setattr(module, "_LONG", 0)
    assert reported(text) == whole


def test_a_long_value_is_read_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between them other threads get their turn."""
    if module._LIBYAML is None:
        pytest.skip("without libyaml all is Python, where threads take turns anyway")
    sizes = []
    read = module._Pieces.read

    def noted(pieces: module._Pieces, size: int) -> str:
        sizes.append(size)
        return read(pieces, size)

    monkeypatch.setattr(module._Pieces, "read", noted)
    text = "a: " + "ä😀" * 200_000
    assert reported(text)[4] == ("ScalarEvent", 3, len(text), text[3:])
    assert max(sizes) < 100_000


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("{image: nginx:1.27}", ["image", "nginx:1.27"]),
        ("a: 'b:c'\nd: [x, http://x/y, 10.0.0.1:80]  # e:f\n", ["a", "b:c", "d", "x", "http://x/y", "10.0.0.1:80"]),
        ('{"a":b, c: d::e}', ["a", "b", "c", "d::e"]),
        ("{a:: b}", ["a:", "b"]),
        ("[a:b, {c: d:}]", ["a:b", "c", "d:"]),
    ],
)
def test_a_colon_inside_of_a_word_is_a_part_of_it_in_brackets_too(text: str, values: list[str]) -> None:
    """As kubectl reads it, and not the old libyaml that ruamel.yaml brings along."""
    found = list(events(text))
    assert [event.value for event in found if isinstance(event, ScalarEvent)] == values
    assert [event.start_mark.index for event in found] == sorted(event.start_mark.index for event in found)


@pytest.mark.parametrize("text", ["[::1]", "{a: b: c}", "{a: ?b}"])
def test_other_colons_and_question_marks_are_still_refused(text: str) -> None:
    if module._LIBYAML is None:
        pytest.skip("the parser in Python takes more than kubectl does")
    with pytest.raises(ParseFailure):
        list(events(text))
