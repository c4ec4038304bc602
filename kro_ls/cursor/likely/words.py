"""How alike two names are by the words in them: `subnetID` and `publicSubnetId` share two."""

from __future__ import annotations

import re
from functools import lru_cache

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_PLURAL_INITIALS = re.compile(r"([A-Z]{2,})s(?![a-z])")
_SHORTEST_PART = 3


@lru_cache(maxsize=4096)
def words_of(name: str) -> frozenset[str]:
    """Return the words of a name in any of the usual styles, in lower case and without the `s` of a plural."""
    found = _WORD.findall(_PLURAL_INITIALS.sub(r"\1", name))
    return frozenset(_singular(word.lower()) for word in found)


def _singular(word: str) -> str:
    return word[:-1] if len(word) > _SHORTEST_PART and word.endswith("s") and not word.endswith("ss") else word


@lru_cache(maxsize=16384)
def likeness(name: str, other: str) -> float:
    """Return how alike two names are: 1 for the same words, 0 for none in common."""
    left, right = words_of(name), words_of(other)
    if not left or not right:
        return 0.0
    common = len(left & right)
    alike = 2 * common / (len(left) + len(right))
    if common:
        return alike
    short, long = sorted((name.lower(), other.lower()), key=len)
    return 0.8 * len(short) / len(long) if len(short) >= _SHORTEST_PART and short in long else 0.0
