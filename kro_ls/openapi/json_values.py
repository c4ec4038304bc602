"""JSON data: its types, readers that turn "anything" into "what I expected, or nothing", and unknown values.

An unknown value is what an expression will give. It takes the place of the expression in an object, and has none of the
JSON types: code that asks for a text, a number or an object finds none. It equals every value, so that no two values
seem to differ.
"""

from __future__ import annotations

from typing import Any, TypeAlias

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"
JsonObject: TypeAlias = dict[str, JsonValue]


class HeldObject:
    """An object as the key of a cache: compared by identity, and alive as long as the cache has the key."""

    __slots__ = ("value",)

    def __init__(self, value: JsonObject) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HeldObject) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)


def as_object(value: JsonValue) -> JsonObject:
    """Return `value` if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: JsonValue) -> list[JsonValue]:
    """Return `value` if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def as_text(value: JsonValue) -> str:
    """Return `value` if it is a string, else an empty one."""
    return value if isinstance(value, str) else ""


def as_texts(value: JsonValue) -> tuple[str, ...]:
    """Return the strings in a list; none if it is not a list."""
    return tuple(entry for entry in as_list(value) if isinstance(entry, str))


def value_at(value: JsonValue, path: tuple[str | int, ...]) -> JsonValue:
    """Return the value at a path of names and indices, None where there is none."""
    for step in path:
        if isinstance(value, dict) and isinstance(step, str):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            return None
    return value


def copy_json(value: Any) -> Any:
    """Return a deep copy of plain data."""
    if value.__class__ is dict:
        return {name: copy_json(inner) for name, inner in value.items()}
    if value.__class__ is list:
        return [copy_json(inner) for inner in value]
    return value


class Unknown:
    """What the expressions in `text` will give."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"Unknown({self.text!r})"


def is_unknown(value: object) -> bool:
    """Whether a value as a whole is unknown."""
    return value.__class__ is Unknown


def has_unknown(value: JsonValue) -> bool:
    """Whether a value, or any value in it, is unknown."""
    if isinstance(value, dict):
        return any(map(has_unknown, value.values()))
    return any(map(has_unknown, value)) if isinstance(value, list) else is_unknown(value)


def is_unknown_at(value: JsonValue, path: tuple[str | int, ...]) -> bool:
    """Whether the value at a path, or one on the way to it, is unknown."""
    return any(is_unknown(value_at(value, path[:length])) for length in range(len(path) + 1))


def unknown_text(value: object) -> str:
    """Return the text of an unknown value, for `json.dumps(default=...)`. Raises TypeError for any other."""
    if isinstance(value, Unknown):
        return value.text
    raise TypeError(f"{type(value).__name__} is not JSON")
