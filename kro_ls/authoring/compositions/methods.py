"""What to write in place of the methods that Python's own values have and CEL's have not, or call otherwise."""

from typing import Final

_TEXTS: Final = {
    "lower": "lowerAscii(x)",
    "upper": "upperAscii(x)",
    "startswith": "startsWith(x, ...)",
    "endswith": "endsWith(x, ...)",
    "strip": "trim(x)",
    "find": "indexOf(x, ...)",
    "index": "indexOf(x, ...)",
    "rfind": "lastIndexOf(x, ...)",
    "replace": "replace(x, ..., ...)",
    "split": "split(x, ...)",
    "join": "join(list, x)",
    "format": "format(text, [...])",
    "removeprefix": "replace(x, ..., '')",
    "encode": "bytes(x)",
    "total_seconds": "getSeconds(x)",
    "count": "size(...) of a comprehension with if",
    "sort": "sort(x)",
    "is_integer": "int(x)",
}
_FIELDS: Final = "a field of each item is read in a comprehension: [item.{0} for item in each(x)]"


def instead_of(name: str) -> str:
    """Return what to write where somebody selects a name of a text, a number or a list."""
    function = _TEXTS.get(name)
    return f"write cel.{function}" if function else _FIELDS.format(name)
