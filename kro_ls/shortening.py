"""Shortens texts to the length that fits where they are shown."""

from __future__ import annotations

from typing import Final

_SHORTEST_PART: Final = 12


def menu_title(title: str, most: int = 80) -> str:
    """Return a title on one line that fits into a menu; the longest texts that it quotes have `...` in the middle."""
    parts = " ".join(title.split()).split("'")
    while (excess := len("'".join(parts)) - most) > 0:
        number = max(range(len(parts)), key=lambda each: len(parts[each]))
        part = parts[number]
        room = max(len(part) - excess - 3, _SHORTEST_PART)
        if room + 3 >= len(part):
            return shortened("'".join(parts), most)
        parts[number] = f"{part[: (room + 1) // 2]}...{part[len(part) - room // 2 :]}"
    return "'".join(parts)


def shortened(text: str, most: int = 80) -> str:
    """Return a text; if it has more than `most` characters, it ends with `...` instead."""
    return text if len(text) <= most else f"{text[: most - 3]}..."
