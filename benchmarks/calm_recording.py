"""Writes docs/typing.md: a definition typed key by key, with the diagnostics shown and held back after each key.

`python -m benchmarks.calm_recording`
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from benchmarks.calm import Task, typed
from benchmarks.completion_ranking import Case
from benchmarks.connection import ROOT
from benchmarks.typing_sessions import DEFINITION

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.in_process import Keystroke, Mark

PAGE = ROOT / "docs" / "typing.md"

_HEAD = """\
# A definition typed key by key

What kro-ls finds after each key while somebody types without a pause, from an empty file to the end. Written by
`python -m benchmarks.calm_recording`; `python -m benchmarks --only calm` counts the same for many definitions.

Each line of the definition stands after `|`, as it was typed. Below it are the stretches of keys after which something
is wrong, by the columns that they left the cursor in: what is `SHOWN`, and what is `held back` until the line is left,
a pause of a second or a save. `code:12` is a diagnostic of that code in line 12. A line with nothing below it had
nothing wrong at any key.

```text
"""


def lines() -> Iterator[str]:
    """Return the lines of the recording."""
    keys = list(typed(Task(Case("typed", DEFINITION, accepted=True), DEFINITION)))
    shown_line = 0
    for line, of_line in groupby(keys, key=lambda key: key.line):
        stretch = list(of_line)
        content = stretch[-1].text.content.split("\n")[line]
        yield f"{line + 1:>3} | {content}"
        shown_line = line
        for what, same in groupby(stretch, key=_what):
            columns = [_column(key) for key in same]
            if what:
                yield f"        {columns[0]:>3}-{columns[-1]:<3} {what}"
    final = keys[-1]
    yield f"at the end of line {shown_line + 1}: {len(final.found)} diagnostics, {len(keys)} keys"


def _what(key: Keystroke) -> str:
    held = [mark for mark in key.found if mark not in key.shown]
    parts = [("SHOWN ", key.shown), ("held back ", held)]
    return "; ".join(what + ", ".join(_name(key, mark) for mark in marks) for what, marks in parts if marks)


def _name(key: Keystroke, mark: Mark) -> str:
    return f"{mark.code}:{key.text.position(mark.start).line + 1}"


def _column(key: Keystroke) -> int:
    return key.text.position(key.change.start + key.change.length).column


if __name__ == "__main__":
    PAGE.write_text(_HEAD + "\n".join(lines()) + "\n```\n", encoding="utf-8")
