"""The names of objects that texts share, found without parsing them."""

from __future__ import annotations

import pytest

from kro_ls.workspace.literal_names import LiteralNames, literal_names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("\n  metadata:\n    name: web\n", {"web"}),
        ("\n  metadata:\n    labels:\n      a: b\n    name: 'web' # ours\r\n", {"web"}),
        ("\n  metadata: {namespace: all, name: web}\n", {"web"}),
        ("\n  - metadata:\n      name: system:web", {"system:web"}),
        ("\nmetadata:\n  name: definition\n", set()),
        ("\n  metadata:\n    name: ${schema.spec.name}\n", set()),
        ("\n  metadata:\n    name: web-${schema.spec.name}\n", set()),
        ("\n  metadata:\n    name: web\n  spec:\n    name: other\n", {"web"}),
    ],
)
def test_names_of_objects(text: str, names: set[str]) -> None:
    assert literal_names(text) == names


def test_only_files_with_a_name_of_the_other_are_found() -> None:
    names, one, two = LiteralNames(), "\n metadata:\n  name: one\n", "\n metadata:\n  name: two\n"
    assert names.sharing("a", {"a": one, "b": one, "c": two}, 2) == ["b"]
    assert names.sharing("a", {"a": two, "b": one, "c": two}, 2) == ["c"]
    assert names.sharing("a", {"a": two, "b": one}, 2) == []
    assert names.sharing("a", {"a": one, "b": one, "c": one}, 2) == []


def test_long_lines_of_nonsense_are_read_at_once() -> None:
    """Else this would take until the end of the world."""
    for part in ("name:", " metadata: {name: ", "\n metadata:", "\n metadata: {name:x"):
        assert literal_names("\n  metadata: {" + part * 300_000) == set()
