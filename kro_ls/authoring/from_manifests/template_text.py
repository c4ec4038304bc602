"""Texts as a definition holds them: templates with expressions in them, and the values of SimpleSchema's markers."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec import Struct, field

from kro_ls.golang.quoting import go_quoted

if TYPE_CHECKING:
    from kro_ls.openapi.json_values import JsonValue


_CLOSED: Final = re.compile(r"\$\{[^{}\"\\\n]*\}")
_IDENTIFIER: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
TOKENS: Final = frozenset({"in", "true", "false", "null"})
"""Words that cannot follow a dot in CEL, other than the reserved ones."""


class Written(Struct, frozen=True):
    """A text of a template as kro reads it: its literal parts are escaped. `why` explains the guess behind it."""

    text: str
    why: str = ""
    uses: frozenset[str] = field(default_factory=frozenset)
    """The ids of the resources that it reads."""


Template: TypeAlias = "JsonValue | Written | dict[str, Template] | list[Template]"
"""A template as it is drafted: JSON with texts that have expressions."""


def expression(code: str, why: str = "", uses: frozenset[str] = frozenset()) -> Written:
    """Return an expression that stands alone."""
    return Written(f"${{{code}}}", why, uses)


def escaped(text: str) -> str:
    """Return a text that kro reads as exactly this text: it has no escape, but a CEL string may hold `${`."""
    if "${" not in text:
        return text
    marked = _CLOSED.sub(lambda found: f"${{{go_quoted(found[0])}}}", text)
    # What is left of `${` opens something that is no simple name, such as `${X:-{}}`.
    parts = re.split(r"(\$\{\"\$\{[^{}\"\\\n]*\}\"\})", marked)
    return "".join(each if number % 2 else each.replace("${", '${"$"}{') for number, each in enumerate(parts))


def member(code: str, path: tuple[str | int, ...]) -> str:
    """Return the CEL that reads a path below some CEL."""
    for part in path:
        if isinstance(part, int):
            code += f"[{part}]"
        elif _IDENTIFIER.fullmatch(part) and part not in TOKENS:
            code += f".{part}"
        else:
            code += f"[{go_quoted(part)}]"
    return code


def default_text(value: JsonValue) -> str:
    """Return the value of `default=`: kro puts the text of a string between quotes as it is."""
    if isinstance(value, str):
        return quoted_text(_json_text(value)[1:-1])
    return _json_text(value)


def quoted_text(text: str) -> str:
    """Return a text between double quotes."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _json_text(value: JsonValue) -> str:
    """Return a value as JSON in which nothing looks like an expression."""
    return json.dumps(value, ensure_ascii=False).replace("${", "\\u0024{")
