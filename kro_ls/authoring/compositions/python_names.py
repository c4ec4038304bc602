"""Fields of objects as names of Python."""

from __future__ import annotations

import keyword


def schema_field(name: str) -> str:
    """Return the field that a name of Python stands for: `from_` is `from`, a word that Python has for itself."""
    return name[:-1] if name.endswith("_") and keyword.iskeyword(name[:-1]) else name
