"""Names in expressions: the words that cannot stand alone, and the names that properties of objects have.

Sources: the CEL specification (`doc/langdef.md`, syntax), apiserver `pkg/cel/escaping.go`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

KEYWORDS: Final = frozenset({"in", "true", "false", "null"})
"""Reserved words that are tokens of their own: nowhere can they stand for a name."""

RESERVED_WORDS: Final = KEYWORDS | frozenset(
    "as break const continue else for function if import let loop package namespace return var void while".split()
)
"""Words that cannot be the name of a variable or a function; those that are not keywords can follow a dot."""

_ESCAPES: Final = {"__": "__underscores__", ".": "__dot__", "-": "__dash__", "/": "__slash__"}
_UNESCAPES: Final = {escaped.strip("_"): plain for plain, escaped in _ESCAPES.items()}
_ESCAPABLE: Final = r"[A-Za-z_./-][A-Za-z0-9_./-]*"


@lru_cache(maxsize=4096)  # an edit of a large schema escapes the names of all its fields
def escape(name: str) -> str | None:
    """Return the name that a property has in CEL, None when it has none (`$ref`, `2nd`, a space, ...)."""
    if name in RESERVED_WORDS:
        return f"__{name}__"
    if name.isascii() and name.isidentifier() and "__" not in name:
        return name
    if not re.fullmatch(_ESCAPABLE, name):
        return None
    return re.sub(r"__|[./-]", lambda found: _ESCAPES[found[0]], name)


def unescape(name: str) -> str | None:
    """Return the property that a name in CEL stands for, None when it is not an escaped name."""
    if "__" not in name:
        return name
    if name.startswith("__") and name.endswith("__") and name[2:-2] in RESERVED_WORDS:
        return name[2:-2]
    parts = re.split(r"__(underscores|dot|dash|slash)__", name)
    if any("__" in part for part in parts[::2]):
        return None
    return "".join(_UNESCAPES[part] if place % 2 else part for place, part in enumerate(parts))


def field_name(selected: str) -> str:
    """Return the name of the field that is selected as `x.selected`: a reserved word stands for its escaped form."""
    return f"__{selected}__" if selected in RESERVED_WORDS else selected


def selectable_name(field: str) -> str:
    """Return how a field is best written after a dot: an escaped reserved word as itself, if it is not a keyword."""
    plain = field.removeprefix("__").removesuffix("__")
    return plain if field == f"__{plain}__" and plain in RESERVED_WORDS - KEYWORDS else field
