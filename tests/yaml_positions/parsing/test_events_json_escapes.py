"""Surrogates in escapes, which only JSON has."""

from __future__ import annotations

import json

import pytest

from kro_ls.yaml_positions.documents.chunks import parse_chunk
from kro_ls.yaml_positions.nodes import Scalar, walk
from kro_ls.yaml_positions.scalars.source_map import source_map


@pytest.mark.parametrize(
    ("source", "value"),
    [
        (r'"\ud83d\ude00 a \u00e9"', "😀 a é"),
        (r'"\uD83D\uDE00\uD83D\uDE00"', "😀😀"),
        (r'"\\ud83d \ud800\\"', "\\ud83d \ufffd\\"),
        (r'"\ude00\ud83d"', "\ufffd\ufffd"),
    ],
)
def test_json_may_write_a_character_as_two_surrogates(source: str, value: str) -> None:
    text = f'{{"a": {source}, "b": 1}}'
    chunk = parse_chunk(text)
    assert chunk.errors == ()
    assert chunk.root is not None
    scalar = next(node for node in walk(chunk.root) if isinstance(node, Scalar) and node.text == value)
    assert text[scalar.start : scalar.end] == source
    places = source_map(text, scalar)
    assert places.exact
    assert places.decoded() == value
    assert places.to_source(len(value)) == scalar.end - 1


def test_yaml_may_not() -> None:
    text = r'a: "\ud83d\ude00"'
    with pytest.raises(ValueError, match="Expecting value"):
        json.loads(text)
    assert [error.message for error in parse_chunk(text).errors] == ["the escape names no character"] * 2


def test_unfinished_json_is_reported_as_before() -> None:
    assert parse_chunk(r'{"a": "\ud83d\ude00"').errors


def test_what_is_too_deep_for_json_is_read_as_before() -> None:
    assert parse_chunk('{"a": "\\ud83d", "b": ' + "[" * 100_000).errors
