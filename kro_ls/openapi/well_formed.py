"""Repairs a schema that is being typed: each keyword has a value of the right shape or is absent.

Where the structure of a schema is damaged, it allows everything, so that nothing is reported that follows from the
damage; a damaged constraint is left out. The damage is reported where the file is checked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from kro_ls.openapi.json_values import JsonObject, JsonValue

_OPEN: Final = "x-kubernetes-preserve-unknown-fields"

DAMAGED: Final[JsonObject] = {_OPEN: True, "format": "int-or-string"}
"""Replaces a schema that cannot be read: any value fits, and it is dyn for expressions."""


def _is_text(value: JsonValue) -> bool:
    return isinstance(value, str)


def _is_flag(value: JsonValue) -> bool:
    return isinstance(value, bool)


def _is_integer(value: JsonValue) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: JsonValue) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_list(value: JsonValue) -> bool:
    return isinstance(value, list)


def _is_texts(value: JsonValue) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _is_mapping(value: JsonValue) -> bool:
    return isinstance(value, dict)


def _is_mappings(value: JsonValue) -> bool:
    return isinstance(value, list) and all(isinstance(each, dict) for each in value)


_Test = tuple["Callable[[JsonValue], bool]", str]
_TEXT: Final[_Test] = (_is_text, "a string")
_FLAG: Final[_Test] = (_is_flag, "true or false")
_INTEGER: Final[_Test] = (_is_integer, "an integer")
_NUMBER: Final[_Test] = (_is_number, "a number")
_TEXTS: Final[_Test] = (_is_texts, "a list of strings")
_MAPPING: Final[_Test] = (_is_mapping, "a mapping")
_MAPPINGS: Final[_Test] = (_is_mappings, "a list of schemas")

_CONSTRAINTS: Final[Mapping[str, _Test]] = {
    **dict.fromkeys(("description", "format", "title", "pattern", "x-kubernetes-list-type"), _TEXT),
    **dict.fromkeys(("x-kubernetes-map-type",), _TEXT),
    **dict.fromkeys(("nullable", "uniqueItems", "exclusiveMinimum", "exclusiveMaximum"), _FLAG),
    **dict.fromkeys((_OPEN, "x-kubernetes-int-or-string", "x-kubernetes-embedded-resource"), _FLAG),
    **dict.fromkeys(("maxLength", "minLength", "maxItems", "minItems", "maxProperties", "minProperties"), _INTEGER),
    **dict.fromkeys(("minimum", "maximum", "multipleOf"), _NUMBER),
    **dict.fromkeys(("required", "x-kubernetes-list-map-keys"), _TEXTS),
    "enum": (_is_list, "a list"),
    "x-kubernetes-validations": (_is_mappings, "a list of rules"),
}
_STRUCTURE: Final[Mapping[str, _Test]] = {
    "type": (lambda value: _is_text(value) or (_is_texts(value) and bool(value)), "a string"),
    "properties": _MAPPING,
    "items": _MAPPING,
    "additionalProperties": (lambda value: isinstance(value, dict | bool), "a schema"),
    "not": _MAPPING,
    **dict.fromkeys(("allOf", "anyOf", "oneOf"), _MAPPINGS),
}


def damaged_constraints(schema: JsonObject) -> Iterator[tuple[str, str]]:
    """Yield the constraints of a schema whose values have a wrong shape, each with the right shape."""
    for keyword in schema.keys() & _CONSTRAINTS.keys():
        fits, expected = _CONSTRAINTS[keyword]
        if schema[keyword] is not None and not fits(schema[keyword]):
            yield keyword, expected


def well_formed(schema: JsonValue) -> JsonObject:
    """Return the schema without damage: the same object where there is none. A null keyword counts as absent."""
    if not isinstance(schema, dict) or any(
        schema.get(keyword) is not None and not fits(schema[keyword]) for keyword, (fits, _) in _STRUCTURE.items()
    ):
        return DAMAGED
    changed: dict[str, JsonValue] = {}
    properties = schema.get("properties")
    if isinstance(properties, dict):
        children: JsonObject = {str(name): well_formed(child) for name, child in properties.items()}
        if any(child is not properties.get(name) for name, child in children.items()):
            changed["properties"] = children
    for keyword in ("items", "additionalProperties", "not"):
        child = schema.get(keyword)
        if isinstance(child, dict) and (mended := well_formed(child)) is not child:
            changed[keyword] = mended
    for keyword in ("allOf", "anyOf", "oneOf"):
        branches = schema.get(keyword)
        if isinstance(branches, list):
            mended_branches: list[JsonValue] = [well_formed(branch) for branch in branches]
            if any(mended is not branch for mended, branch in zip(mended_branches, branches, strict=True)):
                changed[keyword] = mended_branches
    absent = {keyword for keyword, _ in damaged_constraints(schema)}
    absent |= {keyword for keyword, value in schema.items() if value is None and keyword != "default"}
    if not changed and not absent:
        return schema
    return {keyword: value for keyword, value in {**schema, **changed}.items() if keyword not in absent}
