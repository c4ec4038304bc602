"""The types of plain JSON data, and the few readers that turn "anything" into "what I expected, or nothing"."""

from __future__ import annotations

from typing import Any, TypeAlias

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"
JsonObject: TypeAlias = dict[str, JsonValue]


class HeldObject:
    """An object as a memo key: compared by identity, and kept alive as long as the memo knows it."""

    __slots__ = ("value",)

    def __init__(self, value: JsonObject) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HeldObject) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)


def as_object(value: JsonValue) -> JsonObject:
    """`value` if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: JsonValue) -> list[JsonValue]:
    """`value` if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def as_text(value: JsonValue) -> str:
    """`value` if it is a string, else an empty one."""
    return value if isinstance(value, str) else ""


def as_texts(value: JsonValue) -> tuple[str, ...]:
    """The strings of a list of strings; nothing if it is not a list."""
    return tuple(entry for entry in as_list(value) if isinstance(entry, str))


def value_at(value: JsonValue, path: tuple[str | int, ...]) -> JsonValue:
    """What stands at a path of names and indices, None where nothing does."""
    for step in path:
        if isinstance(value, dict) and isinstance(step, str):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            return None
    return value


def copy_json(value: Any) -> Any:
    """A deep copy of plain data."""
    if value.__class__ is dict:
        return {name: copy_json(inner) for name, inner in value.items()}
    if value.__class__ is list:
        return [copy_json(inner) for inner in value]
    return value
