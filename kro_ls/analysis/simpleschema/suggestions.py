"""Names that a mistyped type or marker probably meant."""

from collections.abc import Iterable

from kro_ls.spelling import similar

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
