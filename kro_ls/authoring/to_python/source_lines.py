"""Source text of Python line by line, with the places in the definition that its lines are about."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec import Struct

from kro_ls.authoring.to_python.cel_in_python import python_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from kro_ls.openapi.json_values import JsonValue

Path: TypeAlias = "tuple[str | int, ...]"
_LONGEST: Final = 88
_STEP: Final = "    "
_OPENING: Final = re.compile(r"[\[{(]$")


class SourceLine(Struct, frozen=True):
    """A line, and the paths of the texts with expressions in it."""

    text: str
    paths: tuple[Path, ...] = ()


def value_lines(value: JsonValue, path: Path, write: Callable[[str, Path], str]) -> list[SourceLine]:
    """Return a JSON value as Python; `write` gives the Python for a text at a path."""
    if isinstance(value, dict):
        entries = [
            _with_prefix(f"{python_text(name)}: ", value_lines(each, (*path, name), write))
            for name, each in value.items()
        ]
        return bracketed("{", entries, "}")
    if isinstance(value, list):
        return bracketed("[", [value_lines(each, (*path, index), write) for index, each in enumerate(value)], "]")
    if isinstance(value, str):
        return [SourceLine(write(value, path), (path,) if "${" in value else ())]
    return [SourceLine(repr(value))]


def bracketed(opening: str, entries: Sequence[list[SourceLine]], closing: str) -> list[SourceLine]:
    """Return entries between brackets: on one line where they fit and hold one expression at most."""
    if all(len(each) == 1 for each in entries):
        joined = f"{opening}{', '.join(each[0].text for each in entries)}{closing}"
        paths = tuple(path for each in entries for path in each[0].paths)
        if len(joined) <= _LONGEST and len(paths) < 2 and "\n" not in joined:
            return [SourceLine(joined, paths)]
    found = [SourceLine(opening)]
    for entry in entries:
        *before, last = entry
        found += (
            SourceLine(_indented(each.text), each.paths) for each in (*before, SourceLine(f"{last.text},", last.paths))
        )
    return [*found, SourceLine(closing)]


def _with_prefix(prefix: str, made: list[SourceLine]) -> list[SourceLine]:
    first, *rest = made
    return [SourceLine(prefix + first.text, first.paths), *rest]


def keyword_lines(name: str, value: list[SourceLine]) -> list[SourceLine]:
    """Return an argument with its name."""
    return _with_prefix(f"{name}=", value)


def indented(made: Sequence[SourceLine]) -> Iterator[SourceLine]:
    """Yield lines one step further in."""
    return (SourceLine(_indented(each.text), each.paths) for each in made)


def _indented(text: str) -> str:
    return "\n".join(_STEP + each if each else each for each in text.split("\n"))
