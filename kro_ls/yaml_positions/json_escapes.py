r"""Escapes that JSON has and YAML has not: `\ud83d\ude00`, a pair of surrogates for one character.

kubectl reads a file that begins with `{` as JSON first. A surrogate without the other one becomes U+FFFD, as in Go.
"""

from __future__ import annotations

import json
import re
from typing import Final

_SURROGATE: Final = re.compile(r"(?<!\\)((?:\\\\)*)\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
_REPLACEMENT: Final = "\ufffd"
_LONE: Final = re.compile("[\ud800-\udfff]")


def without_surrogates(text: str) -> str:
    """Return a text of the same length that YAML can read: the text itself where it is not JSON with such escapes."""
    if "\\ud" not in text and "\\uD" not in text:
        return text
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return text
    return _SURROGATE.sub(r"\1\\ufffd", text)


def json_value(source: str) -> str:
    """Return the value of a text in double quotes."""
    return _LONE.sub(_REPLACEMENT, json.loads(source))
