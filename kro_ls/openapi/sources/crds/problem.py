"""What is wrong with a CustomResourceDefinition, and where."""

from __future__ import annotations

from msgspec import Struct

Path = tuple[str | int, ...]


class StructuralProblem(Struct, frozen=True):
    """A problem at a path from the definition or a schema down to the keyword or value.

    `message` is for people. `printed` is the API server's answer, with the place from the schema down, empty where it
    has none. The key at the path is at fault, or its value with `at_value`; `meant` is what was probably meant there.
    `absent` is the name of a keyword that is missing beside or below it.
    """

    path: Path
    message: str
    printed: str = ""
    meant: str = ""
    absent: str = ""
    at_value: bool = False


def answer(path: Path, text: str) -> str:
    """Return a text of the API server with the place in a schema: `properties[size].type: Required value`."""
    place, in_fields = "", False
    for segment in path:
        name = f"[{segment}]" if in_fields or isinstance(segment, int) else f".{segment}"
        in_fields = segment == "properties" and not in_fields
        place += name
    place = place.removeprefix(".")
    return f"{place}: {text}"
