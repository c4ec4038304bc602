"""The classes that Go accepts in `\\p{...}`: Unicode categories, by short and long names, and scripts.

The tables are Go's own (Unicode 15.0), since those of Python's `unicodedata` belong to the version of Python: 14.0 in
3.11 and later ones in newer versions; and it does not know scripts.
"""

from __future__ import annotations

import re
from functools import lru_cache

from kro_ls.golang.unicode.character_sets import ALL, CharacterSet, complement, contains, from_bounds, union
from kro_ls.golang.unicode.folding import folded

_PARTS = {
    "C": "Cc Cf Cs Co",
    "L": "Lu Ll Lt Lm Lo",
    "LC": "Lu Ll Lt",
    "M": "Mn Mc Me",
    "N": "Nd Nl No",
    "P": "Pc Pd Ps Pe Pi Pf Po",
    "S": "Sm Sc Sk So",
    "Z": "Zs Zl Zp",
}
"""Categories made of others; `C` holds all that is in none of the others, too."""

_TWO_WORDS = re.compile(r"[ _-]")


@lru_cache(maxsize=512)  # more than there are names
def unicode_class(name: str, *, is_folded: bool = False) -> CharacterSet | None:
    """Return the class that Go knows as `name`; letter case, `_`, `-` and spaces in it do not count.

    A folded one holds the other cases of its characters, too.
    """
    canonical = _canonical(name)
    canonical = _aliases().get(canonical, canonical)
    match canonical:
        case "Any":
            characters = ALL
        case "Ascii":
            characters = (0, 0x80)
        case "Assigned":
            characters = complement(category("Cn"))
        case "Lc" | "LC":
            return category("LC")  # Go does not fold these
        case _:
            if canonical not in _runs() and canonical not in _PARTS and canonical != "Cn":
                return None
            characters = category(canonical)
    return folded(characters) if is_folded else characters


@lru_cache(maxsize=256)  # more than there are categories and scripts
def category(name: str) -> CharacterSet:
    """Return a general category by its short name, such as `Lu` or `L`, or a script."""
    if name == "Cn":
        return complement(union(*(category(each) for each in _PARTS["C"].split()), *map(category, "LMNPSZ")))
    if name == "C":
        return union(category("Cn"), *(category(each) for each in _PARTS["C"].split()))
    if name in _PARTS:
        return union(*(category(each) for each in _PARTS[name].split()))
    return _decoded(_runs()[name])


def is_printable(character: str) -> bool:
    """Whether Go prints a character as it is (`unicode.IsPrint`)."""
    return " " <= character <= "~" or (character > "~" and contains(_printable(), ord(character)))


@lru_cache(maxsize=1)
def _printable() -> CharacterSet:
    return union(*map(category, "LMNPS"))


def _canonical(name: str) -> str:
    words = _TWO_WORDS.sub("", name)
    return words[:1].upper() + words[1:].lower() if words.isascii() else words


@lru_cache(maxsize=1)
def _runs() -> dict[str, str]:
    """Return the runs of each table, not yet decoded."""
    from kro_ls.golang.unicode.tables import RANGES

    return {name: runs for name, runs in re.findall(r"([A-Z][A-Za-z]*)([^A-Z]*)", RANGES)}  # noqa: C416


@lru_cache(maxsize=1)
def _aliases() -> dict[str, str]:
    from kro_ls.golang.unicode.tables import CATEGORY_ALIASES

    return {_canonical(name): short for name, _, short in (each.partition(">") for each in CATEGORY_ALIASES.split())}


def _decoded(runs: str) -> CharacterSet:
    ranges: list[tuple[int, int]] = []
    end = 0
    for run in runs.split():
        gap, _, length = run.partition(".")
        start = end + int(gap, 36)
        end = start + int(length or "1", 36)
        ranges.append((start, end))
    return from_bounds(ranges)
