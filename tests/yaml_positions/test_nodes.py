"""Reading a tree as Kubernetes does: aliases, merge keys, and paths into it."""

from __future__ import annotations

import pytest

from kro_ls.yaml_positions.documents.chunks import parse_chunk
from kro_ls.yaml_positions.nodes import (
    Alias,
    JsonValue,
    Mapping,
    entries,
    entry_of,
    field,
    is_null,
    items,
    key_at,
    merged_entries,
    node_at,
    to_python,
)

TEXT = """\
base: &base {name: a, ports: [1, 2]}
list: [*base, *unknown, {name: b}]
merged:
  <<: *base
  name: c
"quoted <<": {"<<": {x: 1}}
again: 1
again: 2
"""
ROOT = parse_chunk(TEXT).root


def paths(value: JsonValue, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    below: list[tuple[str | int, JsonValue]] = []
    if isinstance(value, dict):
        below = list(value.items())
    elif isinstance(value, list):
        below = list(enumerate(value))
    return [path, *(found for step, inner in below for found in paths(inner, (*path, step)))]


@pytest.mark.parametrize("path", paths(to_python(ROOT)), ids=str)
def test_the_node_at_a_path_has_the_value_there(path: tuple[str | int, ...]) -> None:
    expected = to_python(ROOT)
    for step in path:
        expected = expected[step]  # type: ignore[index]
    assert to_python(node_at(ROOT, path)) == expected


def test_an_alias_at_the_end_of_a_path_is_not_followed() -> None:
    assert isinstance(node_at(ROOT, ("list", 0)), Alias)
    assert items(field(ROOT, "list"))[1:] == (node_at(ROOT, ("list", 2)),)


def test_the_key_at_a_path_is_the_one_that_counts() -> None:
    keys = [key_at(ROOT, path) for path in (("again",), ("merged", "ports"))]
    assert [TEXT[: key.start].count("\n") for key in keys if key] == [7, 0]
    assert [key_at(ROOT, path) for path in ((), ("list", 0), ("merged", "none"))] == [None] * 3


@pytest.mark.parametrize("path", [("none",), ("list", 3), ("list", -1), ("list", "name"), ("base", 0), ("again", "x")])
def test_nothing_stands_at_a_path_that_leads_nowhere(path: tuple[str | int, ...]) -> None:
    assert node_at(ROOT, path) is None
    assert node_at(None, path) is None


def test_merge_keys_are_applied() -> None:
    merged = node_at(ROOT, ("merged",))
    assert isinstance(merged, Mapping)
    assert {entry.name for entry in merged_entries(merged)} == {"name", "ports"}
    assert entry_of(merged, "<<") is None
    assert entry_of(field(ROOT, "quoted <<"), "<<")


def test_another_shape_counts_as_absent() -> None:
    text = node_at(ROOT, ("base", "name"))
    assert (entries(text), items(text), field(text, "a"), entry_of(None, "a")) == ((), (), None, None)
    assert is_null(None)
    assert is_null(node_at(ROOT, ("list", 1)))
    assert not is_null(text)
