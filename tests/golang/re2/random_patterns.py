"""Random patterns with texts for them: grown by the grammar, and others with a few characters changed."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

_LITERALS = [*"aabbcxyzABKks019-_ ,:/é", "ß", "ſ", "K", "Δ", "日", "😀", "\n", "\t"]
_ESCAPES = (
    r"\d \D \w \W \s \S \. \\ \_ \/ \- \n \t \x41 \x{e9} \x{1F600} \101 \07 \pL \PL \p{Lu} \p{Greek} \p{^Han}".split()
)
_MORE_ESCAPES = (
    r"\p{Latin} \P{Lu} \p{letter} \pZ \p{Nd} \p{Any} \p{Assigned} \p{ascii} \p{lc} \pC \Qa.b\E \Q*\E \Q\E".split()
)
_WRONG = (
    r"\p{Nope} \pX \1 \8 \y \C \x{} \x{110000} \xg \p{ \E \é (?=a) (?<n (?P<> (?P=x) (?i-)"
    r" (?#c) [z-a] [[:no:]] [a-\d] ** ?+"
    r" a{1001} {2,1} \z* \p{Old_Italic} \x{0000000041} \Qab [b (a ) [[:alpha:] \x4 \p{^} \p"
    r" (?<a-b>c) (?P<é>a) {0} {,3} {1 x{01}"
).split()
_PLACES = r"^ $ \A \z \b \B".split()
_CLASS_ITEMS = (
    r"a b k s - ^ a-c 0-9 A-Z é Δ à-ÿ \d \W \s \- \] \n [:alpha:] [:^digit:] [:word:] [:space:] \pL \p{^Lu}".split()
)
_REPEATS = "* + ? *? +? ?? {2} {2,} {1,2} {0,3}? {0} {3}? {,2} {1,1} {0,}".split()
_FLAGS = "i s m U im i-s -i is-m -U ims-U ms".split()
_NOISE = [*r"()[]{}|*+?^$\.-:<>PiUmsQEpdx,012ab", "é", "\n"]
_TEXT = [*"aabbcxyzABKks019-_ ,:/.*\n", "é", "É", "ß", "ſ", "K", "Δ", "δ", "ς", "日", "😀", "\t", "\x00", "\u0301", "ǅ"]


def questions(seed: int, count: int) -> Iterator[list[str]]:
    """Yield patterns, each with texts after it."""
    chance = Random(seed)
    for _ in range(count):
        pattern = _pattern(chance, chance.randint(0, 4))
        if chance.random() < 0.25:
            pattern = _spoiled(chance, pattern)
        texts = ["".join(chance.choices(_TEXT, k=chance.choice((0, 1, 2, 3, 5, 8, 13)))) for _ in range(3)]
        yield [pattern, *texts]


def _spoiled(chance: Random, pattern: str) -> str:
    for _ in range(chance.randint(1, 3)):
        at = chance.randint(0, len(pattern))
        new = chance.choice([chance.choice(_NOISE), chance.choice(_WRONG), ""])
        pattern = pattern[:at] + new + pattern[at + chance.choice((0, 0, 1, 2)) :]
    return pattern


def _pattern(chance: Random, depth: int) -> str:
    choices = [
        "".join(_piece(chance, depth) for _ in range(chance.choice((0, 1, 1, 2, 3))))
        for _ in range(chance.choice((1, 1, 1, 2, 3)))
    ]
    return "|".join(choices)


def _piece(chance: Random, depth: int) -> str:
    piece = _atom(chance, depth)
    return f"{piece}{chance.choice(_REPEATS)}" if chance.random() < 0.35 else piece


def _atom(chance: Random, depth: int) -> str:
    kind = chance.random()
    if depth and kind < 0.3:
        opening = chance.choice(["(", "(", "(?:", "(?P<n>", "(?<other>", f"(?{chance.choice(_FLAGS)}:"])
        return f"{opening}{_pattern(chance, depth - 1)})"
    if kind < 0.4:
        items = "".join(chance.choice(_CLASS_ITEMS) for _ in range(chance.randint(1, 4)))
        return f"[{chance.choice(['', '', '^'])}{items}]"
    if kind < 0.5:
        return chance.choice(_ESCAPES + _MORE_ESCAPES)
    if kind < 0.57:
        return chance.choice(_PLACES)
    if kind < 0.63:
        return "."
    if kind < 0.68:
        return f"(?{chance.choice(_FLAGS)})"
    return str(chance.choice(_LITERALS))
