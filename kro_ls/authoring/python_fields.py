"""Fields of objects as names of Python, and back."""

from __future__ import annotations

import keyword


def python_field(name: str) -> str | None:
    """Return what a field is called as an attribute and a keyword: `from_` for `from`. None where it cannot be."""
    if keyword.iskeyword(name):
        return f"{name}_"
    return name if name.isidentifier() and not name.startswith("__") else None


def schema_field(name: str) -> str:
    """Return the field that a name of Python stands for: `from_` is `from`, a word that Python has for itself."""
    return name[:-1] if name.endswith("_") and keyword.iskeyword(name[:-1]) else name
