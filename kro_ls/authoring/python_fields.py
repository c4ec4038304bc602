"""Fields of objects as Python names, and back."""

from __future__ import annotations

import keyword


def python_name(name: str) -> str:
    """Return a name that Python can have: `from_` for the keyword `from`."""
    return f"{name}_" if keyword.iskeyword(name) else name


def python_field(name: str) -> str | None:
    """Return the name of a field as an attribute and a keyword, None where it cannot be one."""
    return python_name(name) if name.isidentifier() and not name.startswith("__") else None


def schema_field(name: str) -> str:
    """Return the field that a Python name stands for: `from` for `from_`."""
    return name[:-1] if name.endswith("_") and keyword.iskeyword(name[:-1]) else name
