"""Texts cut to the length that suits the place where they are shown."""

from __future__ import annotations

from typing import Final

_SHORTEST_PART: Final = 12


def menu_title(title: str, most: int = 80) -> str:
    """Return a title on one line that has room in a menu: of the longest texts that it quotes, `...` is the middle."""
    parts = " ".join(title.split()).split("'")
    while (excess := len("'".join(parts)) - most) > 0:
        number = max(range(len(parts)), key=lambda each: len(parts[each]))
        part = parts[number]
        kept = max(len(part) - excess - 3, _SHORTEST_PART)
        if kept + 3 >= len(part):
            return shortened("'".join(parts), most)
        parts[number] = f"{part[: (kept + 1) // 2]}...{part[len(part) - kept // 2 :]}"
    return "'".join(parts)


def shortened(text: str, most: int = 80) -> str:
    """Return a text, one that has more than so many characters with `...` at its end."""
    return text if len(text) <= most else f"{text[: most - 3]}..."
