"""Values and texts as the markers of SimpleSchema hold them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kro_ls.openapi.json_values import JsonValue


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
