"""Names that a mistyped type or marker probably meant, and the message about an undeclared type."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kro_ls.golang.numbers import WHITE_SPACE
from kro_ls.kro.simple_schema_words import MARKERS, TYPES
from kro_ls.shortening import shortened
from kro_ls.spelling import listed, similar

if TYPE_CHECKING:
    from collections.abc import Iterable

_FOREIGN = (
    r"(?P<list>\w{1,64})\[\]|(?i:array|list)[<\[](?P<array>\w{1,64})[>\]]"
    r"|(?i:map|dict)[<\[]string, ?(?P<map>\w{1,64})[>\]]"
)


def unknown_type_message(name: str, custom_types: Iterable[str]) -> tuple[str, tuple[str, ...]]:
    """Return a message about the undeclared type `name`, and texts that may have been meant in its place."""
    first, rest = _split(name)
    if rest and "=" in rest and rest.split("=", 1)[0].strip() in MARKERS:
        return f"'|' is missing between type and markers; write '{shortened(f'{first} | {rest}')}'", (
            f"{first} | {rest}",
        )
    if "${" in name:
        return "a field cannot hold an expression; expected a type such as 'string'", ()
    names = [*(type_name for type_name in TYPES if type_name.isalpha()), *custom_types]
    suggestions = _foreign_form(name, names) or similar_types(name, names)
    hint = f"did you mean {listed(suggestions)}?" if suggestions else "declare it in 'types', or use a built-in type"
    return f"unknown type '{shortened(name)}'; {hint}", suggestions


def _foreign_form(name: str, known: list[str]) -> tuple[str, ...]:
    """Return SimpleSchema's form of a list or map that is written as elsewhere: `string[]`, `map<string, int>`."""
    found = re.fullmatch(_FOREIGN, name)
    if found is None:
        return ()
    element = found["list"] or found["array"] or found["map"]
    meant = element if element in known else next(iter(similar_types(element, known)), element)
    return (f"map[string]{meant}" if found["map"] else f"[]{meant}",)


def _split(name: str) -> tuple[str, str]:
    for position, character in enumerate(name):
        if character in WHITE_SPACE:
            return name[:position], name[position:].strip()
    return name, ""


_TYPE_ALIASES = {
    "int": "integer",
    "int32": "integer",
    "int64": "integer",
    "long": "integer",
    "uint": "integer",
    "bool": "boolean",
    "number": "float",
    "double": "float",
    "float32": "float",
    "float64": "float",
    "str": "string",
    "text": "string",
    "array": "[]string",
    "list": "[]string",
    "map": "map[string]string",
    "dict": "map[string]string",
    "any": "object",
    "dyn": "object",
    "struct": "object",
}

_MARKER_ALIASES = {
    "min": "minimum",
    "max": "maximum",
    "unique": "uniqueItems",
    "regex": "pattern",
    "regexp": "pattern",
    "values": "enum",
    "oneof": "enum",
    "title": "description",
    "doc": "description",
    "desc": "description",
    "readonly": "immutable",
    "rule": "validation",
    "validate": "validation",
    "mandatory": "required",
}


def similar_types(name: str, known: Iterable[str]) -> tuple[str, ...]:
    """Return at most three type names that `name` may have meant, best first; `known` holds the valid names."""
    return _similar(name, known, _TYPE_ALIASES)


def similar_markers(name: str, known: Iterable[str]) -> tuple[str, ...]:
    """Return at most three marker names that `name` may have meant, best first; `known` holds the valid names."""
    return _similar(name, known, _MARKER_ALIASES)


def _similar(name: str, known: Iterable[str], aliases: dict[str, str]) -> tuple[str, ...]:
    alias = aliases.get(name.lower())
    return tuple(dict.fromkeys([*([alias] if alias else []), *similar(name, known)]))[:3]
