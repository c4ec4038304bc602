"""Values of Python as a definition holds them: JSON in which `${...}` stands for references."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct

from kro_ls.authoring.compositions.built_cel import Built, built_of, mapping_of
from kro_ls.authoring.compositions.marked_text import is_marked, parts, template_text
from kro_ls.authoring.compositions.problems import CompositionError, NotInCelError
from kro_ls.cel.types.types import BOOL

if TYPE_CHECKING:
    from kro_ls.authoring.compositions.python_lines import PythonLine
    from kro_ls.openapi.json_values import JsonValue

Path: TypeAlias = "tuple[str | int, ...]"


class Placed(Struct):
    """An object, and the lines of Python that its expressions are from, by their paths."""

    object: dict[str, JsonValue]
    lines: dict[Path, PythonLine]


def template_value(value: Any, path: Path, lines: dict[Path, PythonLine]) -> JsonValue:
    """Return a value as JSON, and note the lines of its expressions. Raises NotInCelError for what JSON lacks."""
    if isinstance(value, Enum):
        value = value.value
    if isinstance(value, str):
        _note(value, path, lines)
        return template_text(value)
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, list | tuple):
        return [template_value(each, (*path, number), lines) for number, each in enumerate(value)]
    built = getattr(value, "_kro_built", None)
    if isinstance(built, Built):
        if built.line:
            lines[path] = built.line
        return f"${{{built.cel.text}}}"
    found: dict[str, JsonValue] = {}
    for key, each in mapping_of(value).items():
        if not isinstance(key, str) or is_marked(key):
            raise CompositionError(f"{key!r} is a key: kro replaces no expressions in keys; give the whole map as CEL")
        found[key] = template_value(each, (*path, key), lines)
    return found


def _note(text: str, path: Path, lines: dict[Path, PythonLine]) -> None:
    if is_marked(text):
        first = next((each.line for each in parts(text) if isinstance(each, Built) and each.line), None)
        if first:
            lines[path] = first


def condition(value: Any) -> str:
    """Return a condition as its own expression. Raises CompositionError for what is no condition."""
    if isinstance(value, str):
        raise CompositionError(f"{value!r} is a text; a condition is a reference, or cel.expression({value!r})")
    built = built_of(value)
    if not (built.type == BOOL or built.type.is_dynamic):
        raise NotInCelError(f"'{built.cel.text}' is no condition: it is of type {built.type}, not bool")
    return f"${{{built.cel.text}}}"
