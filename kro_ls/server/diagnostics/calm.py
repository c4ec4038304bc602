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
    from kro_ls.rules.rule import WaitsFor
    from kro_ls.yaml_positions.reparse import Change

_MOST_TYPED = 2
"""A key inserts one character, or a bracket and the one that the editor adds to close it; blanks are indentation."""

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
    known = _known(before, change)
    if all((each.code, each.span.start) in known for each in found):
        return found
    if _open_line(content, cursor) == cursor:
        return shown_in_pause(found, content, cursor, before, change)
    return tuple(each for each in found if (each.code, each.span.start) in known)


def _known(before: tuple[Diagnostic, ...], change: Change | None) -> set[tuple[str, int]]:
    """Return what was shown before, each by its code and where it begins now."""
    return {(each.code, change.moved(each.span.start) if change else each.span.start) for each in before}


def shown_in_pause(
    found: tuple[Diagnostic, ...],
    content: str,
    cursor: int,
    before: tuple[Diagnostic, ...] = (),
    change: Change | None = None,
) -> tuple[Diagnostic, ...]:
    """Return what to show of `found` when somebody who types at the offset `cursor` stops for a moment.

    What was shown before stays, as in `shown_while_typing`. Of what is new, not what is missing or has no value yet.
    While there is any of that, or the text is written at its end, also not the name of a resource that may be declared
    further down; one that is like a declared name waits until the line with the cursor is written. Neither what is
    wrong with that line at the end of a text.
    """
    unwritten = tuple(each for each in found if _is_unwritten(each, content))
    is_at_end = not content[cursor:].strip()
    is_open = bool(unwritten) or is_at_end
    open_line = _open_line(content, cursor) if is_at_end else cursor
    known = _known(before, change)
    return tuple(
        each
        for each in found
        if (each.code, each.span.start) in known
        or not (
            each in unwritten
            or (is_open and waits_for(each, "declaration") and (open_line < cursor or not each.fixes))
            or open_line <= each.span.start < cursor
        )
    )


def waits_for(found: Diagnostic, what: WaitsFor) -> bool:
    """Whether the rule that found something says that this may still come."""
    from kro_ls.rules.registry import RULE_OF  # which imports all rules: a server does that when it has started

    return RULE_OF[found.code].waits_for == what


def _open_line(content: str, cursor: int) -> int:
    """Return where the line begins that is being written, or that the next one goes on with; else the cursor."""
    written = content[:cursor].rstrip()
    if "\n" in content[len(written) : cursor] and not written.endswith(_OPENING):
        return cursor
    return written.rfind("\n") + 1


def _is_unwritten(found: Diagnostic, content: str) -> bool:
    return waits_for(found, "rest") or not content[found.span.start : found.span.end].strip(" -\n")
