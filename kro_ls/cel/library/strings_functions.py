"""The functions on strings (cel-go `ext/strings.go`, apiserver `pkg/cel/library/regex.go`).

Searching a text for a part takes linear time, paid for before. Python's own search compares all of a long part again
and again in three cases: backwards, in a short text, and within the last two thousand places of any text, where it does
not change to its linear algorithm any more.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from kro_ls.cel.evaluation.costs import CONSTANT, ELEMENT, Budget, Cost, of_search
from kro_ls.cel.evaluation.printing import format_string, go_text, joined
from kro_ls.cel.evaluation.values import EvaluationError
from kro_ls.golang.re2.pattern_cache import compiled
from kro_ls.golang.re2.pattern_errors import PatternError, UndecidedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from kro_ls.cel.evaluation.values import Value
    from kro_ls.golang.re2.matcher import Matcher


_WHITE_SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029"
_WHITE_SPACE += "\u202f\u205f\u3000"
_ESCAPES = {
    "\a": r"\a",
    "\b": r"\b",
    "\f": r"\f",
    "\n": r"\n",
    "\r": r"\r",
    "\t": r"\t",
    "\v": r"\v",
    "\\": r"\\",
    '"': r"\"",
}
_PART = 5
"""The steps of a text that is made of a part of another one, which takes most of a hundred bytes."""
_PIECE = 10_000
"""How many characters of a text become a list at once: other threads have to wait for so long."""
_LONG: Final = 100
"""How long a part is for which Python's search may change its algorithm as it goes."""
_LAST_PLACES: Final = 2001
MATCHING = Cost(40, 0, 0)
_COMPILING = 25
"""The steps of the budget for a character, and for a step of the program, of a pattern that is used first."""
_MATCH = 30
"""Those of a match."""
_STATE = 5
"""Those of looking at one step of a pattern's program."""


def _out_of_range(index: int) -> EvaluationError:
    return EvaluationError(f"index out of range: {index}")


def _char_at(text: str, index: int) -> str:
    if not 0 <= index <= len(text):
        raise _out_of_range(index)
    return text[index : index + 1]


def contains(budget: Budget, text: str, part: str) -> bool:
    """Return whether a part is anywhere in a text."""
    return find(budget, text, part) >= 0


def _index_of(budget: Budget, text: str, part: str, offset: int = 0) -> int:
    if offset < 0:
        raise _out_of_range(offset)
    if not part:
        return min(offset, len(text))
    return find(budget, text, part, offset)


def _last_index_of(budget: Budget, text: str, part: str, offset: int | None = None) -> int:
    if offset is None:
        return find_last(budget, text, part)
    if offset < 0:
        raise _out_of_range(offset)
    if not part:
        return min(offset, len(text))
    return -1 if offset >= len(text) else find_last(budget, text[: offset + len(part)], part)


def _replace(budget: Budget, text: str, old: str, new: str, limit: int = -1) -> str:
    found = count(budget, text, old)
    replaced = found if limit < 0 else min(found, limit)
    length = len(text) + replaced * (len(new) - len(old))
    budget.spend_text(length, is_ascii=text.isascii() and new.isascii())
    if not old:
        return text.replace(old, new, replaced)
    return new.join(split(budget, text, old, replaced))


def _split(budget: Budget, text: str, separator: str, limit: int = -1) -> list[str]:
    if limit == 0:
        return []
    if separator:
        budget.spend(_PART * count(budget, text, separator))
        return split(budget, text, separator, limit - 1 if 0 < limit <= len(text) else -1)
    last = limit - 1 if 0 < limit < len(text) else len(text)
    budget.spend(_PART * last)
    characters: list[str] = []
    for start in range(0, last, _PIECE):
        characters += text[start : min(start + _PIECE, last)]
    return characters if last == len(text) else [*characters, text[last:]]


def _in_ascii(change: Callable[[bytes], bytes]) -> Callable[[str], str]:
    """Return what changes the letters of ASCII in a text."""
    return lambda text: change(text.encode(errors="surrogatepass")).decode(errors="surrogatepass")


def _substring(text: str, start: int, end: int | None = None) -> str:
    last = len(text) if end is None else end
    if end is not None and start > end:
        raise EvaluationError(f"invalid substring range. start: {start}, end: {end}")
    if not 0 <= start <= len(text):
        raise _out_of_range(start)
    if not 0 <= last <= len(text):
        raise _out_of_range(last)
    return text[start:last]


def _quote(text: str) -> str:
    escaped = re.sub(r'[\a\b\f\n\r\t\v\\"]', lambda found: _ESCAPES[found[0]], text)
    return f'"{escaped}"'


def _join(budget: Budget, elements: Sequence[Value], separator: str = "") -> str:
    budget.spend(ELEMENT * len(elements))
    texts = []
    for element in elements:
        if not isinstance(element, str):
            raise EvaluationError(f"join: invalid input: {go_text(element)}")
        texts.append(element)
    return joined(separator, texts, budget)


def find(budget: Budget, text: str, part: str, start: int = 0) -> int:
    """Return the first place of a part from `start` on, -1 where there is none."""
    budget.spend(of_search(len(text), len(part)))
    return next(_places(text, part, start), -1) if len(part) >= _LONG else text.find(part, start)


def find_last(budget: Budget, text: str, part: str) -> int:
    """Return the last place of a part, -1 where there is none."""
    found = find(budget, text[::-1], part[::-1]) if part else 0
    return -1 if found < 0 else len(text) - found - len(part)


def count(budget: Budget, text: str, part: str) -> int:
    """Return how often a part occurs, no occurrence overlapping another. Charges a step for each."""
    budget.spend(of_search(len(text), len(part)))
    found = sum(1 for _ in _places(text, part)) if len(part) >= _LONG else text.count(part)
    budget.spend(found)
    return found


def split(budget: Budget, text: str, separator: str, most: int = -1) -> list[str]:
    """Return the texts between separators, which are not empty, or between the first `most` if it is not negative."""
    budget.spend(of_search(len(text), len(separator)))
    if len(separator) < _LONG:
        return text.split(separator, most)
    parts: list[str] = []
    end = 0
    for place in _places(text, separator):
        if len(parts) == most:
            break
        parts.append(text[end:place])
        end = place + len(separator)
    return [*parts, text[end:]]


def _places(text: str, part: str, start: int = 0) -> Iterator[int]:
    """Yield the places of a long part, no occurrence overlapping another."""
    # What is added has no occurrence: it differs from the part's end.
    padded = text + ("b" if part[-1] == "a" else "a") * _LAST_PLACES
    while (place := padded.find(part, start)) >= 0:
        yield place
        start = place + len(part)


# Patterns


def matches(budget: Budget, text: str, pattern: str) -> bool:
    """Return whether the pattern matches anywhere. Raises EvaluationError for what is not a pattern."""
    matcher = _matcher(budget, pattern, "")
    budget.spend(len(text))
    try:
        return matcher.search(text, visit=_visit(budget))
    except UndecidedError as error:
        raise EvaluationError(str(error)) from None


def _visit(budget: Budget) -> Callable[[int], None]:
    return lambda count: budget.spend(count * _STATE)


def _matcher(budget: Budget, pattern: str, prefix: str) -> Matcher:
    def compile_pattern() -> Matcher:
        matcher = compiled(pattern)
        budget.spend(_COMPILING * matcher.program.size)
        return matcher

    try:
        return budget.cached(pattern, compile_pattern, _COMPILING * len(pattern))
    except UndecidedError as error:
        raise EvaluationError(str(error)) from None
    except PatternError as error:
        raise EvaluationError(f"{prefix}{error}") from None


def _find_first(budget: Budget, text: str, pattern: str) -> str:
    found = _find_all(budget, text, pattern, 1)
    return found[0] if found else ""


def _find_all(budget: Budget, text: str, pattern: str, limit: int = -1) -> list[str]:
    matcher = _matcher(budget, pattern, "Illegal regex: ")
    budget.spend(2 * len(text))
    parts: list[str] = []
    try:
        for start, end in matcher.find_all(text, _visit(budget)) if limit else ():
            budget.spend(_MATCH)
            parts.append(text[start:end])
            if len(parts) == limit:
                return parts
    except UndecidedError as error:
        raise EvaluationError(str(error)) from None
    return parts


IMPLEMENTATIONS = {
    "string_char_at_int": _char_at,
    "string_index_of_string": _index_of,
    "string_index_of_string_int": _index_of,
    "string_last_index_of_string": _last_index_of,
    "string_last_index_of_string_int": _last_index_of,
    "string_lower_ascii": _in_ascii(bytes.lower),
    "string_upper_ascii": _in_ascii(bytes.upper),
    "string_replace_string_string": _replace,
    "string_replace_string_string_int": _replace,
    "string_split_string": _split,
    "string_split_string_int": _split,
    "string_substring_int": _substring,
    "string_substring_int_int": _substring,
    "string_trim": lambda text: text.strip(_WHITE_SPACE),
    "string_format": format_string,
    "strings_quote": _quote,
    "list_join": _join,
    "list_join_string": _join,
    "string_reverse": lambda text: text[::-1],
    "string_find_string": _find_first,
    "string_find_all_string": _find_all,
    "string_find_all_string_int": _find_all,
}
_SEARCHES = ("string_find_string", "string_find_all_string", "string_find_all_string_int")
BUDGETED = frozenset(
    {
        *_SEARCHES,
        "string_index_of_string",
        "string_index_of_string_int",
        "string_last_index_of_string",
        "string_last_index_of_string_int",
        "string_split_string",
        "string_split_string_int",
        "string_replace_string_string",
        "string_replace_string_string_int",
        "string_format",
        "list_join",
        "list_join_string",
    }
)
COSTS = {
    **dict.fromkeys(_SEARCHES, MATCHING),
    **dict.fromkeys(("string_char_at_int", "string_substring_int", "string_substring_int_int"), CONSTANT),
    **dict.fromkeys(("list_join", "list_join_string"), CONSTANT),
    "string_format": Cost(30),
    "string_trim": Cost(characters=8),
    "strings_quote": Cost(10, characters=4 * 64),
}
