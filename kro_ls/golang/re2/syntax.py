"""Syntax check of RE2 regular expressions with the verdicts and texts of Go's package regexp/syntax.

Python's `re` accepts look-around and back-references and refuses things that Go takes, so it cannot be asked.
This only checks: nothing here matches text.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from kro_ls.golang.re2.unicode_classes import is_unicode_class

MAX_REPEAT = 1000
"""The largest repeat count, alone or multiplied through nested repeats."""

MAX_DEPTH = 1000
"""The deepest nesting that Go takes."""

_REPEAT = re.compile(r"\{(0|[1-9][0-9]*)(,(0|[1-9][0-9]*)?)?\}")
_POSIX_NAMES = "alnum alpha ascii blank cntrl digit graph lower print punct space upper word xdigit"
_POSIX_CLASSES = frozenset(f"[:{negation}{name}:]" for negation in ("", "^") for name in _POSIX_NAMES.split())
_HEX = frozenset("0123456789abcdefABCDEF")
_OCTAL = frozenset("01234567")
_MAX_CODE_POINT = 0x10FFFF


@dataclass(frozen=True, slots=True)
class PatternError:
    """Why Go refuses a pattern: `message` as Go words it, the code points `[start, end)` of the pattern at fault."""

    message: str
    start: int
    end: int


class _Refused(Exception):  # noqa: N818 - control flow inside this module
    def __init__(self, reason: str, shown: str, start: int, end: int) -> None:
        super().__init__(reason)
        self.error = PatternError(f"error parsing regexp: {reason}: `{shown}`", start, end)


@dataclass(slots=True)
class _Group:
    """An open parenthesis and what is inside it so far, by two measures: the product of nested repeats, and the depth.

    The `last_` fields are those of the last operand, which a repeat behind it still changes.
    """

    start: int
    repeats: int = 1
    depth: int = 0
    operands: int = 0
    has_operand: bool = False
    last_repeats: int = 1
    last_depth: int = 0

    def push(self, repeats: int = 1, depth: int = 1) -> None:
        """Note the next operand."""
        self.repeats = max(self.repeats, self.last_repeats)
        self.depth = max(self.depth, self.last_depth)
        self.operands += 1
        self.has_operand = True
        self.last_repeats, self.last_depth = repeats, depth

    def close(self) -> tuple[int, int]:
        """Return the measures of the whole group."""
        own_depth = 2 if self.operands > 1 else 1  # the group, and the list of its operands
        return max(self.repeats, self.last_repeats), max(self.depth, self.last_depth) + own_depth


@lru_cache(maxsize=512)
def pattern_error(pattern: str) -> PatternError | None:
    """Return the first reason why Go's regexp.Compile refuses `pattern`, or None if it compiles."""
    try:
        _Parser(pattern).parse()
    except _Refused as refused:
        return refused.error
    return None


class _Parser:
    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.position = 0
        self.groups = [_Group(0)]

    def parse(self) -> None:
        last_repeat: int | None = None
        while self.position < len(self.pattern):
            start = self.position
            repeated = False
            character = self.pattern[start]
            if character in "*+?":
                self.repeat(start, start + 1, 1, last_repeat)
                repeated = True
            elif character == "{":
                repeated = self.counted_repeat(start, last_repeat)
            else:
                self.operand(character)
            last_repeat = start if repeated else None
        if len(self.groups) > 1:
            opening = self.groups[-1].start
            raise _Refused("missing closing )", self.pattern, opening, opening + 1)

    def operand(self, character: str) -> None:
        if character == "(":
            self.open_group()
        elif character == ")":
            self.close_group()
        elif character == "|":
            self.groups[-1].has_operand = False
            self.position += 1
        elif character == "[":
            self.character_class()
            self.groups[-1].push()
        elif character == "\\":
            self.escape_outside_class()
        else:
            self.position += 1
            self.groups[-1].push()

    def counted_repeat(self, start: int, last_repeat: int | None) -> bool:
        """Read `{n}`, `{n,}` or `{n,m}`; anything else starting with a brace is literal text."""
        match = _REPEAT.match(self.pattern, start)
        if match is None:
            self.position += 1
            self.groups[-1].push()
            return False
        minimum = _count(match[1])
        maximum = minimum if match[2] is None else -1 if match[3] is None else _count(match[3])
        if minimum > MAX_REPEAT or maximum > MAX_REPEAT or 0 <= maximum < minimum:
            raise _Refused("invalid repeat count", match[0], start, match.end())
        # What x{0} repeats disappears; x{0,} keeps one copy (Go's repeatIsValid).
        self.repeat(start, match.end(), max(minimum, 1) if maximum < 0 else maximum, last_repeat)
        return True

    def repeat(self, start: int, end: int, count: int, last_repeat: int | None) -> None:
        if self.pattern.startswith("?", end):
            end += 1
        if last_repeat is not None:
            raise _Refused("invalid nested repetition operator", self.pattern[last_repeat:end], last_repeat, end)
        group = self.groups[-1]
        if not group.has_operand:
            raise _Refused("missing argument to repetition operator", self.pattern[start:end], start, end)
        repeats = group.last_repeats * count if count > 0 else 1
        if repeats > MAX_REPEAT:
            raise _Refused("invalid repeat count", self.pattern[start:end], start, end)
        group.last_repeats, group.last_depth = repeats, group.last_depth + 1
        self.check_depth(group.last_depth)
        self.position = end

    def open_group(self) -> None:
        start = self.position
        if self.pattern.startswith("(?", start):
            self.position = self.group_flags(start)
            if self.pattern[self.position - 1] == ")":  # (?i) sets flags for what follows and opens nothing
                return
        else:
            self.position += 1
        self.groups.append(_Group(start))

    def group_flags(self, start: int) -> int:
        """Check what follows `(?` and return the offset behind it."""
        pattern = self.pattern
        for prefix in ("(?P<", "(?<"):
            if pattern.startswith(prefix, start) and len(pattern) > start + len(prefix):
                return self.group_name(start, start + len(prefix))
        negated = saw_flag = False
        position = start + 2
        while position < len(pattern):
            character = pattern[position]
            position += 1
            if character in "imsU":
                saw_flag = True
            elif character == "-" and not negated:
                negated, saw_flag = True, False
            elif character in ":)" and (saw_flag or not negated):
                return position
            else:
                break
        raise _Refused("invalid or unsupported Perl syntax", pattern[start:position], start, position)

    def group_name(self, start: int, name_start: int) -> int:
        end = self.pattern.find(">", start)
        if end < 0:
            raise _Refused("invalid named capture", self.pattern[start:], start, len(self.pattern))
        if not re.fullmatch(r"[A-Za-z0-9_]+", self.pattern[name_start:end]):
            raise _Refused("invalid named capture", self.pattern[start : end + 1], start, end + 1)
        return end + 1

    def close_group(self) -> None:
        if len(self.groups) == 1:
            raise _Refused("unexpected )", self.pattern, self.position, self.position + 1)
        repeats, depth = self.groups.pop().close()
        self.groups[-1].push(repeats, depth)
        self.check_depth(depth)
        self.position += 1

    def check_depth(self, depth: int) -> None:
        if depth > MAX_DEPTH:
            raise _Refused("expression nests too deeply", self.pattern, self.position, self.position + 1)

    def escape_outside_class(self) -> None:
        start = self.position
        following = self.pattern[start + 1 : start + 2]
        if following == "C":
            raise _Refused("invalid escape sequence", "\\C", start, start + 2)
        if following == "Q":
            end = self.pattern.find("\\E", start + 2)
            literal_end = len(self.pattern) if end < 0 else end
            if literal_end > start + 2:
                self.groups[-1].push()
            self.position = literal_end if end < 0 else end + 2
            return
        if following and following in "AbBzdDsSwW":
            self.position += 2
        elif following and following in "pP":
            self.position = self.unicode_class(start)
        else:
            self.position = self.character_escape(start)[1]
        self.groups[-1].push()

    def unicode_class(self, start: int) -> int:
        """Check `\\pL` or `\\p{Name}` and return the offset behind it."""
        pattern = self.pattern
        if pattern.startswith("{", start + 2):
            end = pattern.find("}", start)
            if end < 0:
                raise _Refused("invalid character class range", pattern[start:], start, len(pattern))
            name, end = pattern[start + 3 : end], end + 1
        else:
            name, end = pattern[start + 2 : start + 3], start + 3
        if not is_unicode_class(name.removeprefix("^")):
            raise _Refused("invalid character class range", pattern[start:end], start, min(end, len(pattern)))
        return end

    def character_escape(self, start: int) -> tuple[int, int]:
        """Read an escape that stands for one character; return its code point and the offset behind it."""
        pattern = self.pattern
        if start + 1 >= len(pattern):
            raise _Refused("trailing backslash at end of expression", "", start, start + 1)
        character = pattern[start + 1]
        end = start + 2
        if character == "0" or (character in _OCTAL and pattern[end : end + 1] in _OCTAL and end < len(pattern)):
            while end < len(pattern) and end < start + 4 and pattern[end] in _OCTAL:
                end += 1
            return int(pattern[start + 1 : end], 8), end
        if character == "x":
            return self.hexadecimal_escape(start)
        if character in "afnrtv":
            return ord({"a": "\a", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}[character]), end
        if character < "\x80" and not character.isalnum():
            return ord(character), end
        raise _Refused("invalid escape sequence", pattern[start:end], start, end)

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
                if value > _MAX_CODE_POINT:
                    break
        else:
            position = min(start + 4, len(pattern))
            digits = pattern[start + 2 : position]
            if len(digits) == 2 and _HEX.issuperset(digits):
                return int(digits, 16), position
        raise _Refused("invalid escape sequence", pattern[start:position], start, position)

    def character_class(self) -> None:
        pattern, start = self.pattern, self.position
        position = start + 1
        if pattern.startswith("^", position):
            position += 1
        first = True
        while first or not pattern.startswith("]", position):
            first = False
            item = self.class_shorthand(position)
            if item is not None:
                position = item
                continue
            low_start = position
            low, position = self.class_character(position, start)
            if pattern.startswith("-", position) and pattern[position + 1 : position + 2] not in ("", "]"):
                high, position = self.class_character(position + 1, start)
                if high < low:
                    shown = pattern[low_start:position]
                    raise _Refused("invalid character class range", shown, low_start, position)
        self.position = position + 1

    def class_shorthand(self, position: int) -> int | None:
        """Return the offset behind `[:name:]`, `\\p{Name}` or `\\d` at `position`, or None where there is none."""
        pattern = self.pattern
        if pattern.startswith("[:", position):
            end = pattern.find(":]", position + 2)
            if end >= 0:
                name = pattern[position : end + 2]
                if name not in _POSIX_CLASSES:
                    raise _Refused("invalid character class range", name, position, end + 2)
                return end + 2
        following = pattern[position + 1 : position + 2]
        if pattern.startswith("\\", position) and following:
            if following in "pP":
                return self.unicode_class(position)
            if following in "dDsSwW":
                return position + 2
        return None

    def class_character(self, position: int, class_start: int) -> tuple[int, int]:
        if position >= len(self.pattern):
            raise _Refused("missing closing ]", self.pattern[class_start:], class_start, class_start + 1)
        if self.pattern[position] == "\\":
            return self.character_escape(position)
        return ord(self.pattern[position]), position + 1


def _count(digits: str) -> int:
    """Return the number, or something over every limit where it has too many digits to matter."""
    return int(digits) if len(digits) < 10 else MAX_REPEAT + 1
