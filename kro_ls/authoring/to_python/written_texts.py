"""The texts of a definition in Python, and source lines with the places in the definition that they are about.

A text is a plain one, an expression that stands alone, or a text with expressions in it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec import Struct

from kro_ls.analysis.model.expressions import extract, is_standalone
from kro_ls.authoring.cel.cel_members import NAMESPACES
from kro_ls.authoring.to_python.cel_in_python import CelInPython, NotInPythonError, python_text
from kro_ls.cel.syntax.ast import Literal
from kro_ls.kro.environment import parse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from kro_ls.openapi.json_values import JsonValue


Path: TypeAlias = "tuple[str | int, ...]"
_LONGEST: Final = 88
_STEP: Final = "    "


class SourceLine(Struct, frozen=True):
    """A line, and the paths of the texts with expressions in it."""

    text: str
    paths: tuple[Path, ...] = ()


def value_lines(value: JsonValue, path: Path, write: Callable[[str, Path], str]) -> list[SourceLine]:
    """Return a JSON value as Python; `write` gives the Python for a text at a path."""
    if isinstance(value, dict):
        entries = [
            with_prefix(f"{python_text(name)}: ", value_lines(each, (*path, name), write))
            for name, each in value.items()
        ]
        return bracketed("{", entries, "}")
    if isinstance(value, list):
        return bracketed("[", [value_lines(each, (*path, index), write) for index, each in enumerate(value)], "]")
    if isinstance(value, str):
        return [SourceLine(write(value, path), (path,) if "${" in value else ())]
    return [SourceLine(repr(value))]


def bracketed(opening: str, entries: Sequence[list[SourceLine]], closing: str) -> list[SourceLine]:
    """Return entries between brackets: on one line where they fit and hold one expression at most."""
    if all(len(each) == 1 for each in entries):
        joined = f"{opening}{', '.join(each[0].text for each in entries)}{closing}"
        paths = tuple(path for each in entries for path in each[0].paths)
        if len(joined) <= _LONGEST and len(paths) < 2 and "\n" not in joined:
            return [SourceLine(joined, paths)]
    found = [SourceLine(opening)]
    for entry in entries:
        *before, last = entry
        found += (
            SourceLine(_indented(each.text), each.paths) for each in (*before, SourceLine(f"{last.text},", last.paths))
        )
    return [*found, SourceLine(closing)]


def with_prefix(prefix: str, made: list[SourceLine]) -> list[SourceLine]:
    """Return lines with a text before the first one."""
    first, *rest = made
    return [SourceLine(prefix + first.text, first.paths), *rest]


def keyword_lines(name: str, value: list[SourceLine]) -> list[SourceLine]:
    """Return an argument with its name."""
    return with_prefix(f"{name}=", value)


def indented(made: Sequence[SourceLine]) -> Iterator[SourceLine]:
    """Yield lines one step further in."""
    return (SourceLine(_indented(each.text), each.paths) for each in made)


def _indented(text: str) -> str:
    return "\n".join(_STEP + each if each else each for each in text.split("\n"))


_SIMPLE: Final = re.compile(r"[\w.\[\]()]+")
"""What can stand in a text with `f` before it as it is."""


class Expressions:
    """Writes the texts of a definition. `texts` are the paths of expressions that stay CEL as text."""

    def __init__(self, texts: frozenset[Path]) -> None:
        self._as_text = texts
        self.count = 0
        self.texts = 0
        """How many expressions there are, and how many of them need CEL as text."""
        self.used: set[str] = set()
        """The names in CEL that expressions read."""
        self.names: dict[str, str] = {"schema": "schema"}
        """The Python names of the names so far."""
        self._assigned: list[SourceLine] = []
        self._number = 0

    def write(self, text: str, path: Path, more: Mapping[str, str] | None = None) -> str:
        """Return a text of the definition in Python; `more` are further names that it can read."""
        found = extract(text)
        if not found.expressions:
            return python_text(text)
        names = self.names if more is None else dict(more)
        if is_standalone(text, found):
            return self._code(text[2:-1], path, names)
        parts: list[str] = []
        at = 0
        for each in found.expressions:
            parts.append(_literal(text[at : each.start]))
            inner = text[each.start + 2 : each.end - 1]
            root = parse(inner).root
            if isinstance(root, Literal) and isinstance(root.value, str):
                parts.append(_literal(root.value))
                at = each.end
                continue
            code = self._code(inner, path, names)
            parts.append(f"{{{code if _SIMPLE.fullmatch(code) else self._variable(code, path)}}}")
            at = each.end
        parts.append(_literal(text[at:]))
        return f'f"{"".join(parts)}"'

    def assigned(self) -> list[SourceLine]:
        """Return the assignments that the texts written since the last time need."""
        found, self._assigned = self._assigned, []
        return found

    def _variable(self, code: str, path: Path) -> str:
        self._number += 1
        name = f"text{self._number}"
        self._assigned.append(SourceLine(f"{name} = {code}", (path,)))
        return name

    def _code(self, code: str, path: Path, names: Mapping[str, str]) -> str:
        self.count += 1
        parsed = parse(code)
        if path not in self._as_text and parsed.is_valid:
            writer = CelInPython(code, names, NAMESPACES)
            try:
                made = writer.of(parsed.root)
            except NotInPythonError:
                pass
            else:
                self.texts += bool(writer.texts)
                self.used |= writer.used
                return made
        self.texts += 1
        return f"cel.expression({python_text(code)})"


def _literal(text: str) -> str:
    """Return what stands for a text inside of `f"..."`."""
    shown = repr(f"'{text}")[2:-1]  # with a quote in it, so that double quotes surround it unless it has some
    if repr(f"'{text}")[0] == "'":  # it has both quotes: the single ones are escaped, the double ones are not
        shown = repr(f"'{text}")[3:-1].replace("\\'", "'").replace('"', '\\"')
    return shown.replace("{", "{{").replace("}", "}}")
