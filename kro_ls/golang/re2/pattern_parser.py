"""Patterns as Go's package regexp/syntax reads them, with its verdicts and texts.

Syntax: https://pkg.go.dev/regexp/syntax. What Go refuses is refused here with the same words; see `MAX_HEIGHT` and the
limits beside it for what is too large.
"""

from __future__ import annotations

import re

from msgspec import Struct, field

from kro_ls.golang.re2 import tree
from kro_ls.golang.re2.pattern_errors import PatternError
from kro_ls.golang.re2.tree import Assertion
from kro_ls.golang.unicode import (
    ALL,
    CODE_POINTS,
    CharacterSet,
    cases,
    complement,
    folded,
    from_bounds,
    unicode_class,
    union,
)

MAX_REPEAT = 1000
"""The largest repeat count, alone or multiplied through nested repeats."""

MAX_HEIGHT = 1000
"""The height of the largest tree that Go accepts."""

MAX_SIZE = (128 << 20) // 40
"""The instructions of the largest program that Go makes."""

MAX_BOUNDS = (128 << 20) // 4
"""The bounds of all character sets of a pattern together."""


def _characters(bounds: str) -> CharacterSet:
    """Return the set of the ranges that pairs of characters stand for."""
    return from_bounds((ord(low), ord(high) + 1) for low, high in zip(bounds[::2], bounds[1::2], strict=True))


_POSIX = {
    "alnum": _characters("09AZaz"),
    "alpha": _characters("AZaz"),
    "ascii": _characters("\x00\x7f"),
    "blank": _characters("\t\t  "),
    "cntrl": _characters("\x00\x1f\x7f\x7f"),
    "digit": _characters("09"),
    "graph": _characters("!~"),
    "lower": _characters("az"),
    "print": _characters(" ~"),
    "punct": _characters("!/:@[`{~"),
    "space": _characters("\t\r  "),
    "upper": _characters("AZ"),
    "word": _characters("09AZ__az"),
    "xdigit": _characters("09AFaf"),
}
_PERL = {"d": _POSIX["digit"], "s": _characters("\t\n\f\r  "), "w": _POSIX["word"]}
_ALL_BUT_NEWLINE = complement((ord("\n"), ord("\n") + 1))
_CONTROL = {"a": "\a", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_ASSERTIONS = {
    "A": Assertion.TEXT_START,
    "b": Assertion.WORD_BOUNDARY,
    "B": Assertion.NO_WORD_BOUNDARY,
    "z": Assertion.TEXT_END,
}
_COUNTS = {"*": (0, None), "+": (1, None), "?": (0, 1)}
_REPEAT = re.compile(r"\{(0|[1-9][0-9]*)(,(0|[1-9][0-9]*)?)?\}")
_GROUP_NAME = re.compile(r"[A-Za-z0-9_]+")
_HEX = frozenset("0123456789abcdefABCDEF")
_OCTAL = frozenset("01234567")
_SPECIAL = frozenset("()|[\\^$.")


def parse(pattern: str) -> tree.Node:
    """Return the tree of a pattern. Raises PatternError where Go's regexp.Compile refuses it."""
    return _Parser(pattern).parse()


class _OpenGroup(Struct):
    """A parenthesis that is still open, or the whole pattern, and what is in it so far."""

    start: int
    sequence_start: int
    flags: frozenset[str] = frozenset()
    """The flags to go back to."""
    number: int = 0
    name: str = ""
    choices: list[tree.Node] = field(default_factory=list)
    operands: list[tree.Node] = field(default_factory=list)


class _Parser:
    """Reads a pattern from left to right; what a repetition repeats is the last operand of the innermost group."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.position = 0
        self.flags: frozenset[str] = frozenset()
        self.groups = [_OpenGroup(0, 0)]
        self.captures = 0
        # Go counts these before it computes the size of a tree: nodes, the product of repeat counts, bounds of sets.
        self.nodes = 0
        self.repeats = 1
        self.bounds = 0

    def parse(self) -> tree.Node:
        pattern = self.pattern
        last_repeat: int | None = None
        while self.position < len(pattern):
            start = self.position
            character = pattern[start]
            repeated = False
            if character in _COUNTS:
                least, most = _COUNTS[character]
                self.repeat(start + 1, least, most, last_repeat)
                repeated = True
            elif character == "{":
                repeated = self.counted_repeat(last_repeat)
            elif character in _SPECIAL:
                self.operand(character)
            else:
                self.literal(ord(character), start + 1)
            last_repeat = start if repeated else None
        whole = self.close()
        if len(self.groups) > 1:
            opening = self.groups[-1].start
            raise PatternError("missing closing )", pattern, opening, opening + 1)
        return whole

    # --- operands -----------------------------------------------------------------------------------------------------

    def operand(self, character: str) -> None:
        start = self.position
        match character:
            case "(":
                self.open_group()
            case ")":
                self.close_group()
            case "|":
                self.close_sequence()
                self.position += 1
                self.groups[-1].sequence_start = self.position
            case "[":
                characters, end = self.character_class()
                self.add_set(characters, end)
            case "^":
                self.place(Assertion.LINE_START if "m" in self.flags else Assertion.TEXT_START, start + 1)
            case "$":
                self.place(Assertion.LINE_END if "m" in self.flags else Assertion.TEXT_END, start + 1)
            case ".":
                self.add_set(ALL if "s" in self.flags else _ALL_BUT_NEWLINE, start + 1)
            case _:
                self.escape()

    def add(self, node: tree.Node) -> None:
        """Append an operand and go on after it."""
        self.nodes += 1
        self.position = node.end
        self.groups[-1].operands.append(node)

    def literal(self, code_point: int, end: int) -> None:
        characters = cases(code_point) if "i" in self.flags else (code_point, code_point + 1)
        self.nodes += 1
        self.groups[-1].operands.append(tree.Character(self.position, end, characters, is_literal=True))
        self.position = end

    def add_set(self, characters: CharacterSet, end: int) -> None:
        self.bounds += len(characters)
        is_literal = len(characters) == 2 and characters[0] + 1 == characters[1]
        self.add(self.checked(tree.Character(self.position, end, characters, is_literal)))

    def place(self, assertion: Assertion, end: int) -> None:
        self.add(tree.Place(self.position, end, assertion))

    def escape(self) -> None:
        pattern, start = self.pattern, self.position
        following = pattern[start + 1 : start + 2]
        if following in _ASSERTIONS:
            self.place(_ASSERTIONS[following], start + 2)
        elif following == "C":  # a single byte
            raise PatternError("invalid escape sequence", "\\C", start, start + 2)
        elif following == "Q":
            self.quoted()
        else:
            shorthand = self.class_escape(start)
            if shorthand is not None:
                self.add_set(*shorthand)
            else:
                self.literal(*self.character_escape(start))

    def quoted(self) -> None:
        """Add the characters between `\\Q` and `\\E`."""
        self.position += 2
        end = self.pattern.find("\\E", self.position)
        text = self.pattern[self.position : end if end >= 0 else None]
        for character in text:
            self.literal(ord(character), self.position + 1)
        if end >= 0:
            self.position += 2

    # --- repetitions --------------------------------------------------------------------------------------------------

    def counted_repeat(self, last_repeat: int | None) -> bool:
        """Read `{n}`, `{n,}` or `{n,m}`; anything else that starts with a brace is literal text."""
        start = self.position
        match = _REPEAT.match(self.pattern, start)
        if match is None:
            self.literal(ord("{"), start + 1)
            return False
        least = _count(match[1])
        most = least if match[2] is None else None if match[3] is None else _count(match[3])
        if least > MAX_REPEAT or (most is not None and (most > MAX_REPEAT or most < least)):
            raise PatternError("invalid repeat count", match[0], start, match.end())
        self.repeat(match.end(), least, most, last_repeat)
        return True

    def repeat(self, end: int, least: int, most: int | None, last_repeat: int | None) -> None:
        """Repeat the last operand; `last_repeat` is where an operator right before this one begins."""
        pattern, start = self.pattern, self.position
        is_lazy = pattern.startswith("?", end)
        end += is_lazy
        if last_repeat is not None:
            raise PatternError("invalid nested repetition operator", pattern[last_repeat:end], last_repeat, end)
        operands = self.groups[-1].operands
        if not operands:
            raise PatternError("missing argument to repetition operator", pattern[start:end], start, end)
        self.nodes += 1
        node = tree.repetition(end, operands[-1], least, most, is_lazy == ("U" in self.flags))
        operands[-1] = self.checked(node)
        if node.measures.repeats > MAX_REPEAT:
            raise PatternError("invalid repeat count", pattern[start:end], start, end)
        self.position = end

    # --- groups -------------------------------------------------------------------------------------------------------

    def open_group(self) -> None:
        pattern, start = self.pattern, self.position
        if not pattern.startswith("(?", start):
            self.capture(start + 1, "")
            return
        for prefix in ("(?P<", "(?<"):
            if pattern.startswith(prefix, start) and len(pattern) > start + len(prefix):
                self.named_group(start + len(prefix))
                return
        self.flag_group()

    def capture(self, end: int, name: str) -> None:
        self.captures += 1
        self.nodes += 1
        self.groups.append(_OpenGroup(self.position, end, self.flags, self.captures, name))
        self.position = end

    def named_group(self, name_start: int) -> None:
        pattern, start = self.pattern, self.position
        end = pattern.find(">", start)
        if end < 0:
            raise PatternError("invalid named capture", pattern[start:], start, len(pattern))
        name = pattern[name_start:end]
        if not _GROUP_NAME.fullmatch(name):
            raise PatternError("invalid named capture", pattern[start : end + 1], start, end + 1)
        self.capture(end + 1, name)

    def flag_group(self) -> None:
        """Read `(?flags)`, which sets flags for what follows, or `(?flags:`, which opens a group with them."""
        pattern, start = self.pattern, self.position
        flags = set(self.flags)
        negated = saw_flag = False
        position = start + 2
        while position < len(pattern):
            character = pattern[position]
            position += 1
            if character in "imsU":
                saw_flag = True
                (flags.discard if negated else flags.add)(character)
            elif character == "-" and not negated:
                negated, saw_flag = True, False
            elif character in ":)" and (saw_flag or not negated):
                if character == ":":
                    self.nodes += 1
                    self.groups.append(_OpenGroup(start, position, self.flags))
                self.flags = frozenset(flags)
                self.position = position
                return
            else:
                break
        raise PatternError("invalid or unsupported Perl syntax", pattern[start:position], start, position)

    def close_sequence(self) -> None:
        """Make the operands one of the group's choices."""
        group = self.groups[-1]
        self.nodes += 1
        node = tree.sequence(group.sequence_start, self.position, group.operands)
        group.choices.append(self.checked(node))
        group.operands = []

    def close(self) -> tree.Node:
        """Return the contents of the innermost group."""
        self.close_sequence()
        group = self.groups[-1]
        first = group.choices[0]
        return self.checked(tree.alternation(first.start, self.position, group.choices))

    def close_group(self) -> None:
        if len(self.groups) == 1:
            self.close()
            raise PatternError("unexpected )", self.pattern, self.position, self.position + 1)
        inner = self.close()
        group = self.groups.pop()
        self.flags = group.flags
        end = self.position + 1
        if group.number:
            inner = tree.group(group.start, end, inner, group.number, group.name)
        self.groups[-1].operands.append(self.checked(inner))
        self.position = end

    def checked(self, node: tree.Node) -> tree.Node:
        """Return a node that is within Go's limits; the size counts only once it may well be over its own."""
        if isinstance(node, tree.Repetition):
            self.repeats = min(self.repeats * max(1, node.least if node.most is None else node.most), MAX_SIZE)
        height, size, _ = node.measures
        is_large = size > MAX_SIZE and self.nodes * self.repeats >= MAX_SIZE
        if is_large or self.bounds > MAX_BOUNDS:
            raise PatternError("expression too large", self.pattern, node.start, self.position + 1)
        if height > MAX_HEIGHT:
            raise PatternError("expression nests too deeply", self.pattern, self.position, self.position + 1)
        return node

    # --- escapes and classes ------------------------------------------------------------------------------------------

    def cased(self, characters: CharacterSet) -> CharacterSet:
        return folded(characters) if "i" in self.flags else characters

    def class_escape(self, start: int) -> tuple[CharacterSet, int] | None:
        """Return the set of `\\d`, `\\pL` or `\\p{Name}` at `start` and the offset after it, or None."""
        following = self.pattern[start + 1 : start + 2]
        if following in ("p", "P"):
            return self.unicode_class(start)
        perl = _PERL.get(following.lower())
        if perl is None:
            return None
        characters = self.cased(perl)
        return (characters if following.islower() else complement(characters)), start + 2

    def unicode_class(self, start: int) -> tuple[CharacterSet, int]:
        pattern = self.pattern
        if pattern.startswith("{", start + 2):
            end = pattern.find("}", start)
            if end < 0:
                raise PatternError("invalid character class range", pattern[start:], start, len(pattern))
            name, end = pattern[start + 3 : end], end + 1
        else:
            name, end = pattern[start + 2 : start + 3], min(start + 3, len(pattern))
        characters = unicode_class(name.removeprefix("^"), is_folded="i" in self.flags)
        if characters is None:
            raise PatternError("invalid character class range", pattern[start:end], start, end)
        is_negated = (pattern[start + 1] == "P") != name.startswith("^")
        return (complement(characters) if is_negated else characters), end

    def character_escape(self, start: int) -> tuple[int, int]:
        """Read an escape that stands for one character; return its code point and the offset after it."""
        pattern = self.pattern
        if start + 1 >= len(pattern):
            raise PatternError("trailing backslash at end of expression", "", start, start + 1)
        character = pattern[start + 1]
        end = start + 2
        if character == "0" or (character in _OCTAL and pattern[end : end + 1] in _OCTAL):
            while end < len(pattern) and end < start + 4 and pattern[end] in _OCTAL:
                end += 1
            return int(pattern[start + 1 : end], 8), end
        if character == "x":
            return self.hexadecimal_escape(start)
        if character in _CONTROL:
            return ord(_CONTROL[character]), end
        if character < "\x80" and not character.isalnum():
            return ord(character), end
        raise PatternError("invalid escape sequence", pattern[start:end], start, end)

    def hexadecimal_escape(self, start: int) -> tuple[int, int]:
        pattern = self.pattern
        position = start + 2
        if pattern.startswith("{", position):
            value, position = 0, position + 1
            while position < len(pattern):
                character = pattern[position]
                position += 1
                if character == "}" and position > start + 4:
                    return value, position
                if character not in _HEX:
                    break
                value = value * 16 + int(character, 16)
                if value >= CODE_POINTS:
                    break
        else:
            position = min(start + 4, len(pattern))
            digits = pattern[start + 2 : position]
            if len(digits) == 2 and _HEX.issuperset(digits):
                return int(digits, 16), position
        raise PatternError("invalid escape sequence", pattern[start:position], start, position)

    def character_class(self) -> tuple[CharacterSet, int]:
        """Read a class in brackets; return its set and the offset after it."""
        pattern, start = self.pattern, self.position
        position = start + 1
        is_negated = pattern.startswith("^", position)
        position += is_negated
        sets: list[CharacterSet] = []
        ranges: list[tuple[int, int]] = []
        first = position
        while position == first or not pattern.startswith("]", position):
            item = self.posix_class(position) or (
                self.class_escape(position) if pattern.startswith("\\", position) else None
            )
            if item is not None:
                sets.append(item[0])
                position = item[1]
                continue
            low, end = self.class_character(position, start)
            high = low
            if pattern.startswith("-", end) and pattern[end + 1 : end + 2] not in ("", "]"):
                high, end = self.class_character(end + 1, start)
                if high < low:
                    raise PatternError("invalid character class range", pattern[position:end], position, end)
            ranges.append((low, high + 1))
            position = end
        characters = union(*sets, self.cased(from_bounds(ranges)))
        return (complement(characters) if is_negated else characters), position + 1

    def posix_class(self, position: int) -> tuple[CharacterSet, int] | None:
        """Return the set of `[:name:]` or `[:^name:]` at `position` and the offset after it, or None."""
        pattern = self.pattern
        end = pattern.find(":]", position + 2) + 2 if pattern.startswith("[:", position) else 0
        if end < 2:
            return None
        name = pattern[position + 2 : end - 2]
        posix = _POSIX.get(name.removeprefix("^"))
        if posix is None:
            raise PatternError("invalid character class range", pattern[position:end], position, end)
        characters = self.cased(posix)
        return (complement(characters) if name.startswith("^") else characters), end

    def class_character(self, position: int, class_start: int) -> tuple[int, int]:
        if position >= len(self.pattern):
            raise PatternError("missing closing ]", self.pattern[class_start:], class_start, class_start + 1)
        if self.pattern[position] == "\\":
            return self.character_escape(position)
        return ord(self.pattern[position]), position + 1


def _count(digits: str) -> int:
    """Return the number, or something over every limit where it has too many digits to matter."""
    return int(digits) if len(digits) < 10 else MAX_REPEAT + 1
