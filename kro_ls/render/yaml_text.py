"""Writes JSON values as YAML that kubectl reads as the same values.

kubectl reads YAML 1.1 by go-yaml's rules, where `yes`, `y` and `0o7` are not strings; so our own reader, which follows
them, decides which texts need quotes. Mappings and lists are written as kubectl does.
"""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, Any, TypeAlias

from kro_ls.printable import printable, printable_literals
from kro_ls.yaml_positions.scalars.writing import can_be_plain, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.model.paths import Path

# What other readers of YAML 1.1 may take for a number, a time or a merge key.
_READ_OTHERWISE = re.compile(r"[-.]?[0-9+=<]")

_INDENT = "  "


def to_yaml(value: Any) -> str:
    """Return a JSON value as one YAML document without `---`."""
    return "".join(f"{line}\n" for line in lines(value))


def lines(value: Any) -> Iterator[str]:
    """Yield the lines of a JSON value in block style."""
    return (line for line, _ in placed_lines(value))


def placed_lines(value: Any, path: Path = ()) -> Iterator[tuple[str, Path]]:
    """Yield the lines of a JSON value in block style, each with the path of what begins in it."""
    found: _Placed = []
    _place(value, path, "", found)
    return iter(found)


def entry_lines(name: str, value: Any) -> Iterator[str]:
    """Yield the lines of one entry of a mapping; lists are not indented."""
    found: _Placed = []
    _place_entry(name, value, (), "", found)
    return (line for line, _ in found)


_Placed: TypeAlias = "list[tuple[str, Path]]"


def _place(value: Any, path: Path, margin: str, found: _Placed) -> None:
    """Append the lines of a value, each after a margin."""
    if isinstance(value, dict) and value:
        for name, member in value.items():
            _place_entry(name, member, path, margin, found)
    elif isinstance(value, list) and value:
        for index, item in enumerate(value):
            start = len(found)
            own = margin if isinstance(item, str) else margin + _INDENT
            _place(item, (*path, index), own, found)
            line, place = found[start]
            found[start] = f"{margin}- {line[len(own) :]}", place
    else:
        _place_scalar("", value, path, margin, found)


def _place_entry(name: str, value: Any, path: Path, margin: str, found: _Placed) -> None:
    here = (*path, name)
    if isinstance(value, dict | list) and value:
        found.append((margin + key_line(name), here))
        _place(value, here, margin + _INDENT if isinstance(value, dict) else margin, found)
    else:
        _place_scalar(f"{scalar_text(name)}: ", value, here, margin, found)


def _place_scalar(before: str, value: Any, path: Path, margin: str, found: _Placed) -> None:
    first, *text = text_block(value) or [scalar_text(value)]
    found.append((f"{margin}{before}{first}", path))
    found.extend((f"{margin}{_INDENT}{line}" if line else line, path) for line in text)


def key_line(name: str) -> str:
    """Return the line of a key whose value follows in the next lines."""
    return f"{scalar_text(name)}:"


def indented(line: str, by: int = 2) -> str:
    """Return a line with more indentation; an empty line, which belongs to a string, stays empty."""
    return " " * by + line if line else line


def text_block(value: Any) -> list[str] | None:
    """Return the header and the lines, not indented, of a text as a literal block; None where it has to be quoted.

    Quotes are needed if blanks at its ends, or at the end of a line, would be invisible, or a line is not printable.
    """
    if not isinstance(value, str) or "\n" not in value:
        return None
    body = value.removesuffix("\n")
    written = body.split("\n")
    if body != body.strip() or not body or any(line != line.rstrip() or printable(line) != line for line in written):
        return None
    return ["|" if body != value else "|-", *written]


def scalar_text(value: Any, *, in_flow: bool = False) -> str:
    """Return a scalar, or an empty mapping or list; with `in_flow` for the inside of `{...}` or `[...]`."""
    if isinstance(value, str):
        is_plain = can_be_plain(value, in_flow=in_flow) and not _READ_OTHERWISE.match(value)
        return value if is_plain and "##" not in value else printable_literals(quoted(value))
    if isinstance(value, float) and value.is_integer() and math.fabs(value) < 2**53:
        return str(int(value))
    return json.dumps(value)
