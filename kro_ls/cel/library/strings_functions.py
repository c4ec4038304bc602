"""The functions on strings (cel-go `ext/strings.go`). Indices count code points from 0."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kro_ls.cel.evaluation.errors import Budget, EvaluationError
from kro_ls.cel.evaluation.formatting import format_string
from kro_ls.cel.evaluation.printing import go_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kro_ls.cel.evaluation.values import Value

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
_TO_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}
_TO_UPPER = {lower: upper for upper, lower in _TO_LOWER.items()}


def _out_of_range(index: int) -> EvaluationError:
    return EvaluationError(f"index out of range: {index}")


def _char_at(text: str, index: int) -> str:
    if not 0 <= index <= len(text):
        raise _out_of_range(index)
    return text[index : index + 1]


def _index_of(text: str, part: str, offset: int = 0) -> int:
    if offset < 0:
        raise _out_of_range(offset)
    if not part:
        return min(offset, len(text))
    return text.find(part, offset)


def _last_index_of(text: str, part: str, offset: int | None = None) -> int:
    if offset is None:
        return text.rfind(part)
    if offset < 0:
        raise _out_of_range(offset)
    if not part:
        return min(offset, len(text))
    return -1 if offset >= len(text) else text.rfind(part, 0, offset + len(part))


def _replace(budget: Budget, text: str, old: str, new: str, limit: int = -1) -> str:
    found = text.count(old)
    budget.spend((found if limit < 0 else min(found, limit)) * len(new))
    # Python takes a count over the size of a machine word for an error.
    return text.replace(old, new, -1 if limit > found or limit < 0 else limit)


def _split(text: str, separator: str, limit: int = -1) -> list[str]:
    if limit == 0:
        return []
    if separator:
        return text.split(separator, limit - 1 if 0 < limit <= len(text) else -1)
    if 0 < limit < len(text):
        return [*text[: limit - 1], text[limit - 1 :]]
    return list(text)


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
    texts = []
    for element in elements:
        if not isinstance(element, str):
            raise EvaluationError(f"join: invalid input: {go_text(element)}")
        budget.spend(len(element) + len(separator) + 1)
        texts.append(element)
    return separator.join(texts)


IMPLEMENTATIONS = {
    "string_char_at_int": _char_at,
    "string_index_of_string": _index_of,
    "string_index_of_string_int": _index_of,
    "string_last_index_of_string": _last_index_of,
    "string_last_index_of_string_int": _last_index_of,
    "string_lower_ascii": lambda text: text.translate(_TO_LOWER),
    "string_upper_ascii": lambda text: text.translate(_TO_UPPER),
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
}
BUDGETED = frozenset(
    {
        "string_replace_string_string",
        "string_replace_string_string_int",
        "string_format",
        "list_join",
        "list_join_string",
    }
)
