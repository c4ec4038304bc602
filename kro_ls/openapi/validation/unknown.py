"""Values that are not known yet, because an expression gives them: nothing that depends on one can be said.

Such a value stands in an object in the place of the expression, in no list of JSON types: what asks for a text, a
number or an object finds none. Where values are compared it is equal to each, so that no two values seem to differ.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.json_values import JsonValue
    from kro_ls.openapi.validation.field_errors import Path


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
