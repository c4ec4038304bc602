"""What is wrong with a CustomResourceDefinition, and where."""

from __future__ import annotations

from msgspec import Struct

Path = tuple[str | int, ...]


class StructuralProblem(Struct, frozen=True):
    """What is wrong, and where: a path from the definition or a schema down to the keyword or value.

    `message` is for people. `printed` is what the API server answers, with the place from the schema down, as far as it
    has words of its own. The key at the path is at fault, or its value where `at_value` says so; `meant` is what should
    stand there, if that can be told. `absent` is the name of a keyword that is missing beside or below it.
    """

    path: Path
    message: str
    printed: str = ""
    meant: str = ""
    absent: str = ""
    at_value: bool = False


def answer(path: Path, text: str) -> str:
    """Return a text of the API server about the place of a schema: `properties[size].type: Required value`."""
    place, in_fields = "", False
    for segment in path:
        name = f"[{segment}]" if in_fields or isinstance(segment, int) else f".{segment}"
        in_fields = segment == "properties" and not in_fields
        place += name
    place = place.removeprefix(".")
    return f"{place}: {text}"
