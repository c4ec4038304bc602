"""Texts cut to the length that suits the place where they are shown."""

from __future__ import annotations


def shortened(text: str, most: int = 80) -> str:
    """Return a text, one that has more than so many characters with `...` at its end."""
    return text if len(text) <= most else f"{text[: most - 3]}..."
