"""RE2 regular expressions, as Go and so Kubernetes have them, searched in time linear in the text.

Python's `re` backtracks: a pattern and a value from the workspace could hold it up for ever. Here a pattern becomes a
nondeterministic automaton (`automaton.py`) that takes no longer for any pattern or text than their lengths tell.
Syntax: github.com/google/re2/wiki/Syntax. Left out are scripts (`\\p{Greek}`), which Python's tables do not know.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache, partial
from typing import TYPE_CHECKING, TypeAlias

from kro_ls.golang.re2.automaton import Automaton, PatternError, Test, UndecidedError, is_word

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["PatternError", "UndecidedError", "compiled", "find", "search"]

_DEEPEST_GROUP = 200
_MOST_REPEATS = 1000


def search(pattern: str, text: str) -> bool:
    """Whether `pattern` matches anywhere in `text`. Raises PatternError or its kind UndecidedError."""
    return compiled(pattern).search(text)


def find(pattern: str, text: str, start: int = 0) -> tuple[int, int] | None:
    """Return where `pattern` first matches at or after `start`, half-open; of several matches there the preferred one.

    Raises PatternError or its kind UndecidedError.
    """
    return compiled(pattern).find(text, start)


@lru_cache(maxsize=256)
def compiled(pattern: str) -> Automaton:
    """Return the automaton of a pattern. Raises PatternError or its kind UndecidedError."""
    return _Parser(pattern).automaton()


def _in_range(low: str, high: str, character: str) -> bool:
    return low <= character <= high


def _in_category(category: str, character: str) -> bool:
    return unicodedata.category(character).startswith(category)


def _any_of(tests: list[Test], character: str) -> bool:
    return any(test(character) for test in tests)


def _none_of(tests: list[Test], character: str) -> bool:
    return not any(test(character) for test in tests)


def _folded(test: Test, character: str) -> bool:
    lower, upper = character.lower(), character.upper()
    others = (lower, upper, lower.upper(), upper.lower())
    return test(character) or any(len(other) == 1 and test(other) for other in others)


_PERL: dict[str, Test] = {
    "d": partial(_in_range, "0", "9"),
    "w": is_word,
    "s": lambda character: character in "\t\n\f\r ",
}
_POSIX: dict[str, Test] = {
    "alnum": lambda character: character.isascii() and character.isalnum(),
    "alpha": lambda character: character.isascii() and character.isalpha(),
    "ascii": str.isascii,
    "blank": lambda character: character in "\t ",
    "cntrl": lambda character: character < " " or character == "\x7f",
    "digit": _PERL["d"],
    "graph": partial(_in_range, "!", "~"),
    "lower": partial(_in_range, "a", "z"),
    "print": partial(_in_range, " ", "~"),
    "punct": lambda character: character in "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
    "space": lambda character: character in "\t\n\v\f\r ",
    "upper": partial(_in_range, "A", "Z"),
    "word": is_word,
    "xdigit": lambda character: character in "0123456789abcdefABCDEF",
}
_CONTROL = {"a": "\a", "f": "\f", "t": "\t", "n": "\n", "r": "\r", "v": "\v"}
_REPEAT = re.compile(r"\{(\d{1,4})(,(\d{0,4}))?\}")
_GROUP = re.compile(r"\(\?(?:P?<(?P<name>\w+)>|(?P<flags>[imsU]*(?:-[imsU]+)?)(?P<end>[:)]))")
_CATEGORY = re.compile(r"([pP])(?:\{(\^?)([A-Za-z_]+)\}|([A-Z]))")
_CATEGORIES = frozenset(
    "C Cc Cf Co Cs L Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps S Sc Sk Sm So Z Zl Zp Zs".split()
)

# A part of the pattern: a function that builds it between two steps, so that a repetition can build it again.
_Part: TypeAlias = "Callable[[Automaton, int, int], None]"


class _Parser:
    """Reads a pattern into parts, which then build the automaton."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._position = 0
        self._flags: frozenset[str] = frozenset()
        self._depth = 0

    def automaton(self) -> Automaton:
        part = self._alternatives()
        if self._position < len(self._pattern):
            raise PatternError("unexpected )")
        automaton = Automaton()
        start, end = automaton.add(), automaton.add()
        part(automaton, start, end)
        automaton.accepting = end
        return automaton

    def _next_is(self, text: str) -> bool:
        return self._pattern.startswith(text, self._position)

    def _take(self) -> str:
        if self._position >= len(self._pattern):
            raise PatternError("unexpected end of the regular expression")
        self._position += 1
        return self._pattern[self._position - 1]

    def _alternatives(self) -> _Part:
        self._depth += 1
        if self._depth > _DEEPEST_GROUP:
            raise PatternError("expression nests too deeply")
        flags = self._flags
        choices = [self._sequence()]
        while self._next_is("|"):
            self._position += 1
            choices.append(self._sequence())
        self._flags = flags
        self._depth -= 1
        return choices[0] if len(choices) == 1 else partial(_choice, choices)

    def _sequence(self) -> _Part:
        parts: list[_Part] = []
        repeated = True
        while self._position < len(self._pattern) and self._pattern[self._position] not in "|)":
            repetition = self._repetition()
            if repetition is not None:
                if repeated:
                    raise PatternError("missing argument to repetition operator, or repeated repetition")
                parts[-1] = partial(_repeat, parts[-1], *repetition)
                repeated = True
                continue
            new = self._quoted() if self._next_is("\\Q") else [self._part()]
            parts += [part for part in new if part is not None]
            repeated = not parts or new == [None]
        return partial(_concatenation, parts)

    def _repetition(self) -> tuple[tuple[int, int | None], bool] | None:
        """The bounds of a repetition operator, if one stands here, and whether it prefers to match less."""
        character = self._pattern[self._position]
        bounds: tuple[int, int | None]
        if character in "*+?":
            self._position += 1
            bounds = {"*": (0, None), "+": (1, None), "?": (0, 1)}[character]
        else:
            match = _REPEAT.match(self._pattern, self._position)
            if match is None:
                return None
            self._position = match.end()
            low = int(match[1])
            high = low if match[2] is None else int(match[3]) if match[3] else None
            if low > _MOST_REPEATS or (high is not None and (high > _MOST_REPEATS or high < low)):
                raise PatternError("invalid repeat count")
            bounds = low, high
        is_lazy = self._next_is("?")
        self._position += is_lazy
        return bounds, is_lazy != ("U" in self._flags)

    def _part(self) -> _Part | None:
        character = self._take()
        if character == "(":
            return self._group()
        if character == "[":
            return self._one(self._class())
        if character == ".":
            return partial(_consume, (lambda _: True) if "s" in self._flags else (lambda other: other != "\n"))
        if character in "^$":
            by_line = "m" in self._flags
            return partial(_assert, character if by_line else {"^": "A", "$": "z"}[character])
        if character != "\\":
            return self._literal(character)
        following = self._pattern[self._position : self._position + 1]
        if following and following in "AzbB":
            self._position += 1
            return partial(_assert, following)
        return self._one(self._escape())

    def _quoted(self) -> list[_Part | None]:
        """The characters between `\\Q` and `\\E`."""
        quoted, _, _ = self._pattern[self._position + 2 :].partition("\\E")
        self._position = min(self._position + len(quoted) + 4, len(self._pattern))
        return [self._literal(character) for character in quoted]

    def _literal(self, character: str) -> _Part:
        return self._one(character.__eq__)

    def _one(self, test: Test) -> _Part:
        return partial(_consume, partial(_folded, test) if "i" in self._flags else test)

    def _group(self) -> _Part | None:
        if self._next_is("?"):
            match = _GROUP.match(self._pattern, self._position - 1)
            if match is None:
                raise PatternError("invalid or unsupported Perl syntax")
            self._position = match.end()
            outer = self._flags
            on, _, off = (match["flags"] or "").partition("-")
            self._flags = (self._flags | set(on)) - set(off)
            if match["end"] == ")":
                return None
            part = self._alternatives()
            self._flags = outer
        else:
            part = self._alternatives()
        if not self._next_is(")"):
            raise PatternError("missing closing )")
        self._position += 1
        return part

    def _escape(self) -> Test:
        """The test of an escape; the backslash has been read."""
        match = _CATEGORY.match(self._pattern, self._position)
        if match is not None:
            self._position = match.end()
            category = match[3] or match[4]
            if category not in _CATEGORIES and category != "Any":
                raise UndecidedError(f"unknown character class {category}")
            test: Test = partial(_in_category, "" if category == "Any" else category)
            return partial(_none_of, [test]) if (match[1] == "P") != (match[2] == "^") else test
        character = self._take()
        if character.lower() in _PERL:
            test = _PERL[character.lower()]
            return test if character.islower() else partial(_none_of, [test])
        return self._escaped_character(character).__eq__

    def _escaped_character(self, character: str) -> str:
        if character in _CONTROL:
            return _CONTROL[character]
        if character == "x":
            match = re.compile(r"\{([0-9a-fA-F]{1,6})\}|([0-9a-fA-F]{2})").match(self._pattern, self._position)
            code_point = int(match[1] or match[2], 16) if match is not None else 0x110000
            if match is None or code_point > 0x10FFFF:
                raise PatternError("invalid escape sequence")
            self._position = match.end()
            return chr(code_point)
        octal = re.compile(r"0[0-7]{0,2}|[1-7][0-7]{1,2}").match(self._pattern, self._position - 1)
        if octal is not None:
            self._position = octal.end()
            return chr(int(octal[0], 8))
        if character.isascii() and (character.isalnum() or character == "_"):
            raise PatternError("invalid escape sequence")
        return character

    def _class(self) -> Test:
        """The test of a class; its opening bracket has been read."""
        negated = self._next_is("^")
        self._position += negated
        tests: list[Test] = []
        first = True
        while first or not self._next_is("]"):
            first = False
            if self._next_is("[:"):
                tests.append(self._posix_class())
                continue
            low = self._class_item(tests)
            if low is None:
                continue
            high = low
            if self._next_is("-") and not self._next_is("-]"):
                self._position += 1
                high = self._class_item([]) or ""
                if high < low:
                    raise PatternError("invalid character class range")
            tests.append(partial(_in_range, low, high))
        self._position += 1
        if "i" in self._flags:
            tests = [partial(_folded, test) for test in tests]
        return partial(_none_of if negated else _any_of, tests)

    def _class_item(self, tests: list[Test]) -> str | None:
        """A character of a class, or None after adding the test of a whole class such as `\\d`."""
        character = self._take()
        if character != "\\":
            return character
        following = self._take()
        if following.lower() in "dswp" and following.isalpha():
            self._position -= 1
            tests.append(self._escape())
            return None
        return self._escaped_character(following)

    def _posix_class(self) -> Test:
        match = re.compile(r"\[:(\^?)(\w+):\]").match(self._pattern, self._position)
        if match is None or match[2] not in _POSIX:
            raise PatternError("invalid character class range")
        self._position = match.end()
        test = _POSIX[match[2]]
        return partial(_none_of, [test]) if match[1] else test


def _consume(test: Test, automaton: Automaton, start: int, end: int) -> None:
    step = automaton.add()
    automaton.tests[step] = test
    automaton.moves[start].append(step)
    automaton.moves[automaton.add()].append(end)


def _assert(assertion: str, automaton: Automaton, start: int, end: int) -> None:
    step = automaton.add()
    automaton.assertions[step] = assertion
    automaton.moves[start].append(step)
    automaton.moves[step].append(end)


def _concatenation(parts: list[_Part], automaton: Automaton, start: int, end: int) -> None:
    for part in parts:
        after = automaton.add()
        part(automaton, start, after)
        start = after
    automaton.moves[start].append(end)


def _choice(choices: list[_Part], automaton: Automaton, start: int, end: int) -> None:
    for choice in choices:
        choice(automaton, start, end)


def _repeat(
    part: _Part, bounds: tuple[int, int | None], is_lazy: bool, automaton: Automaton, start: int, end: int
) -> None:
    """Build the repetitions; the order of the moves tells what is preferred."""
    low, high = bounds
    for _ in range(low if high is not None else low - 1):
        after = automaton.add()
        part(automaton, start, after)
        start = after
    if high is None:
        _repeat_forever(part, low == 0, is_lazy, automaton, start, end)
        return
    for _ in range(high - low):
        before, after = automaton.add(), automaton.add()
        _prefer(automaton, start, (before, end), is_lazy)
        part(automaton, before, after)
        start = after
    automaton.moves[start].append(end)


def _repeat_forever(part: _Part, may_skip: bool, is_lazy: bool, automaton: Automaton, start: int, end: int) -> None:
    """Build the loop that decides behind each turn: a turn that matches nothing leaves it, as in RE2."""
    before, after = automaton.add(), automaton.add()
    if may_skip:
        _prefer(automaton, start, (before, end), is_lazy)
    else:
        automaton.moves[start].append(before)
    part(automaton, before, after)
    _prefer(automaton, after, (before, end), is_lazy)


def _prefer(automaton: Automaton, step: int, targets: tuple[int, int], is_lazy: bool) -> None:
    automaton.moves[step] += reversed(targets) if is_lazy else targets
