"""Makes untrusted texts printable: without commands to a terminal, or to the CI system that reads the log."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

_BYTES: Final = "[\udc80-\udcff]"
"""What Python uses for bytes that are not UTF-8 (PEP 383)."""
_WORKFLOW_COMMAND: Final = r"^(\s*):(?=:)"
_LOG_COMMAND: Final = r"(##\w*)\["


def unicode_text(text: Path | str) -> str:
    r"""Return a path, or a message about one, with `\xff` for a byte of a name that is not UTF-8."""
    return re.sub(_BYTES, lambda found: f"\\x{ord(found[0]) - 0xDC00:02x}", str(text))


def printable(text: str) -> str:
    """Return a text on one line, with escapes for characters that are not printable.

    The beginnings of commands that CI systems look for are escaped too: `::` at the start of a line and `##[` (GitHub
    Actions, actions/runner, `ActionCommand.cs`), `##vso[` (Azure Pipelines) and `##teamcity[`.
    """
    if not text.isprintable():
        text = "".join(each if each.isprintable() else _escape(each) for each in unicode_text(text))
    if "::" in text:
        text = re.sub(_WORKFLOW_COMMAND, r"\1\\x3a", text)
    return re.sub(_LOG_COMMAND, r"\1\\x5b", text) if "##" in text else text


def printable_lines(text: str) -> str:
    """Return a text of several lines, each printable; tabs stay, because they only move the cursor."""
    return "\n".join("\t".join(map(printable, line.split("\t"))) for line in text.split("\n"))


def printable_literals(text: str) -> str:
    """Return JSON, or a double-quoted scalar of YAML, whose values are the same but are printable as they are written.

    Line ends outside of values stay.
    """
    if not text.isprintable():
        text = "\n".join(line if line.isprintable() else _escaped_line(line) for line in text.split("\n"))
    return re.sub(_LOG_COMMAND, r"\1\\u005b", text) if "##" in text else text


def _escaped_line(line: str) -> str:
    return "".join(each if each.isprintable() else _escape_utf_16(each) for each in line)


def _escape(character: str) -> str:
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")


def _escape_utf_16(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
