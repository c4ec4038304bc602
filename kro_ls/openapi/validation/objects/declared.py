"""Whether a value is of the type that a schema declares, as server-side apply sees it.

Source: sigs.k8s.io/structured-merge-diff, typed/validate.go; values print as Go prints them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.openapi.json_values import JsonObject, JsonValue, as_text

if TYPE_CHECKING:
    from collections.abc import Mapping


class WrongType(Struct, frozen=True):
    """What the API server says of a value of a wrong type, and what is wrong for people."""

    text: str
    plain: str


_TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "string": (str,),
    "boolean": (bool,),
    "integer": (int, float),
    "number": (int, float),
    "object": (dict,),
    "array": (list,),
}
_WORDS: Final = {"string": "a text", "boolean": "true or false", "object": "an object", "array": "a list"}
_KINDS: Final[tuple[tuple[type, str], ...]] = ((bool, "boolean"), (str, "string"), (dict, "map"), (list, "list"))


def type_problem(value: JsonValue, schema: JsonObject) -> WrongType | None:
    """Return what is wrong with the type of a value. Nothing is wrong with null, and with what is not known."""
    declared = as_text(schema.get("type"))
    expected = _TYPES.get(declared)
    if expected is None or value.__class__ in expected or not isinstance(value, bool | int | float | str | dict | list):
        return None
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if isinstance(value, expected) and (declared not in ("integer", "number") or is_number):
        return None
    plain = f"must be {_WORDS.get(declared, 'a number')}"
    if declared in ("integer", "number"):
        found = next(name for kind, name in _KINDS if isinstance(value, kind))
        return WrongType(f"expected numeric (int or float), got {found}", plain)
    shown = _go_text(value)
    if declared == "string":
        return WrongType(f"expected string, got &value.valueUnstructured{{Value:{shown}}}", plain)
    name = {"object": "map", "array": "list"}.get(declared, declared)
    return WrongType(f"expected {name}, got &{{{shown}}}", plain)


def _go_text(value: JsonValue) -> str:
    """Return a value as Go's `%v` prints it."""
    if isinstance(value, dict):
        return f"map[{' '.join(f'{name}:{_go_text(value[name])}' for name in sorted(value))}]"
    if isinstance(value, list):
        return f"[{' '.join(map(_go_text, value))}]"
    if isinstance(value, bool):
        return str(value).lower()
    return "<nil>" if value is None else str(value)


def is_without_others(schema: JsonObject) -> bool:
    """Return whether an object of a schema may have no fields but those that it declares."""
    return (
        "additionalProperties" not in schema
        and not schema.get("x-kubernetes-preserve-unknown-fields")
        and not schema.get("x-kubernetes-embedded-resource")
    )
