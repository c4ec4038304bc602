"""The types of plain JSON data, and the few readers that turn "anything" into "what I expected, or nothing"."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.validation.field_errors import Path


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


class Unknown:
    """What the expressions in `text` give."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return hash(self.text)


def is_unknown(value: object) -> bool:
    """Whether a value as a whole is not known."""
    return value.__class__ is Unknown


def has_unknown(value: JsonValue) -> bool:
    """Whether anything in a value is not known."""
    if isinstance(value, dict):
        return any(map(has_unknown, value.values()))
    return any(map(has_unknown, value)) if isinstance(value, list) else is_unknown(value)


def is_unknown_at(value: JsonValue, path: Path) -> bool:
    """Whether what stands at a path, or on the way to it, is not known."""
    for step in path:
        if isinstance(value, dict) and isinstance(step, str):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            break
    return is_unknown(value)


def written(value: object) -> str:
    """Return how an unknown value is written: the text with the expressions. Raise TypeError for others."""
    if isinstance(value, Unknown):
        return value.text
    raise TypeError(f"{type(value).__name__} is not JSON")


def with_unknown(value: JsonValue) -> JsonValue:
    """Return a value with unknown ones in the place of the texts that have expressions in them."""
    if isinstance(value, str):
        return Unknown(value) if _EXPRESSION in value else value  # type: ignore[return-value] # stands for any value
    if isinstance(value, dict):
        return {name: with_unknown(inner) for name, inner in value.items() if _EXPRESSION not in name}
    return [with_unknown(inner) for inner in value] if isinstance(value, list) else value


def paths_of(value: JsonValue, path: Path = ()) -> Iterator[Path]:
    """Yield the paths of what is not known."""
    if is_unknown(value):
        yield path
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from paths_of(inner, (*path, name))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from paths_of(inner, (*path, number))


_EXPRESSION = "${"
