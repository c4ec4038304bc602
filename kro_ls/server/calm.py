"""What an editor is not told yet while somebody types: errors that the next letters will most likely take away.

A rule says all that is wrong with a text as it stands. In the middle of a line nearly every text is wrong, so what is
new then waits until the line is left, or, where something is missing, until the person stops. What was shown before
stays, and what is mended goes at once. Servers are not told where the cursor is; it is taken to be where the last edit
ended.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kro_ls.rules.diagnostics import Diagnostic
    from kro_ls.yaml_positions.reparse import Change

PAUSE_SECONDS = 0.5
"""After this long without an edit, everything is shown."""

_MOST_TYPED = 2
"""A key inserts one character, or a bracket and the one that the editor adds to close it; blanks are indentation."""

_MISSING = frozenset(("resource-form", "missing-field", "incomplete-object"))
"""What tells that something is missing, which can still come."""

_OPENING = (":", "-", ",", "[", "{", "|", ">")
"""What a line ends with when the next one goes on with it."""


def is_key_stroke(content: str, change: Change) -> bool:
    """Whether the edit that left this text is one of somebody who types; others come in one piece, such as a paste."""
    return len(content[change.start : change.start + change.length].strip()) <= _MOST_TYPED


def shown_while_typing(
    found: tuple[Diagnostic, ...], content: str, cursor: int, before: tuple[Diagnostic, ...], change: Change | None
) -> tuple[Diagnostic, ...]:
    """Return what to show of `found`, all that is wrong with a text, while somebody types at the offset `cursor`.

    `before` is what was shown of an earlier text, and `change` what was done to that since, if something was.
    """
    known = {(each.code, change.moved(each.span.start) if change else each.span.start) for each in before}
    if all((each.code, each.span.start) in known for each in found):
        return found
    written = content[:cursor].rstrip()
    line_is_left = "\n" in content[len(written) : cursor]
    waiting = _MISSING if line_is_left and not written.endswith(_OPENING) else None
    return tuple(
        each
        for each in found
        if (each.code, each.span.start) in known or (waiting is not None and each.code not in waiting)
    )
