"""Names that a mistyped type or marker probably meant."""

from collections.abc import Iterable

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

_LONGEST_COMPARED = 64


def similar_types(name: str, known: Iterable[str]) -> tuple[str, ...]:
    """Return at most three type names that `name` may have meant, best first; `known` holds the valid names."""
    return _similar(name, known, _TYPE_ALIASES)


def similar_markers(name: str, known: Iterable[str]) -> tuple[str, ...]:
    """Return at most three marker names that `name` may have meant, best first; `known` holds the valid names."""
    return _similar(name, known, _MARKER_ALIASES)


def _similar(name: str, known: Iterable[str], aliases: dict[str, str]) -> tuple[str, ...]:
    if not name or len(name) > _LONGEST_COMPARED:
        return ()
    from difflib import get_close_matches  # costs some milliseconds, and is only needed once there is an error

    lower = name.lower()
    by_lower: dict[str, str] = {}
    for candidate in known:
        by_lower.setdefault(candidate.lower(), candidate)
    found = [aliases[lower]] if lower in aliases else []
    found += [by_lower[match] for match in get_close_matches(lower, by_lower, n=3, cutoff=0.7)]
    return tuple(dict.fromkeys(found))[:3]
