"""Writes the program: imports, the classes of the spec, and the function that makes the resources."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.authoring.python_fields import python_name
from kro_ls.authoring.to_python.cel_in_python import python_text
from kro_ls.authoring.to_python.resource_statements import CannotBePythonError, Imports, ResourceWriter, Statement
from kro_ls.authoring.to_python.spec_class import ABSENT
from kro_ls.authoring.to_python.written_texts import (
    Expressions,
    SourceLine,
    bracketed,
    indented,
    keyword_lines,
    value_lines,
    with_prefix,
)
from kro_ls.openapi.json_values import as_list, as_object, as_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kro_ls.authoring.to_python.spec_class import SpecClass
    from kro_ls.authoring.to_python.written_texts import Path
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.json_values import JsonObject, JsonValue

_OF_DEFINITION: Final = frozenset({"apiVersion", "kind", "metadata", "spec", "status"})
_OF_SCHEMA: Final = ("apiVersion", "kind", "group", "spec", "status")


class Untyped(Struct, frozen=True):
    """What stays without types: the paths of expressions that are CEL as text, and resources without a class."""

    texts: frozenset[Path]
    resources: frozenset[int]


class Source(Struct, frozen=True):
    """A program, with the paths of the expressions in its lines, and how many of them hold CEL as text."""

    lines: tuple[SourceLine, ...]
    statements: tuple[tuple[int, int], ...]
    """The first and the last line of each statement, from 1."""
    expressions: int
    texts: int

    @property
    def text(self) -> str:
        """The program."""
        return "".join(f"{each.text}\n" for each in self.lines)

    def resource_at(self, number: int, order: Sequence[int]) -> int | None:
        """Return the number of the resource whose constructor is called in a line, None in any other line."""
        starts = [
            next((line for line in range(first, last + 1) if self.lines[line - 1].text.endswith("(")), first)
            for first, last in self.statements
        ]
        return (
            order[starts.index(number)] if number in starts[: len(order)] and not self.lines[number - 1].paths else None
        )

    def paths_at(self, number: int) -> set[Path]:
        """Return the paths of the expressions in a line; where it has none, those in its statement."""
        own = self.lines[number - 1].paths
        if own:
            return set(own)
        found = next((each for each in self.statements if each[0] <= number <= each[1]), None)
        inside = self.lines[found[0] - 1 : found[1]] if found else ()
        return {path for each in inside for path in each.paths}


def source_of(
    value: JsonObject, kinds: SchemaIndex, order: Sequence[int], untyped: Untyped, made: SpecClass | None
) -> Source:
    """Return the program for a definition.

    `order` has the numbers of its resources as they are made, `made` the classes of the spec; without them the spec
    stays SimpleSchema. Raises CannotBePythonError.
    """
    spec = as_object(value.get("spec"))
    schema = as_object(spec.get("schema"))
    if value.keys() - _OF_DEFINITION or spec.keys() - {"schema", "resources"}:
        raise CannotBePythonError("it has fields that no composition has")
    imports = Imports(kinds, {made.name} if made else set())
    expressions = Expressions(untyped.texts)
    writer = ResourceWriter(expressions, imports)
    entries = as_list(spec.get("resources"))
    body = [
        writer.statement(as_object(entries[number]), number, has_class=number not in untyped.resources)
        for number in order
    ]
    if "status" in schema:
        body.append(_status(schema, expressions))
    used = expressions.used
    head = [*_decorator(value, schema, has_class=made is not None)]
    head.append(SourceLine(_head(value, imports, made, has_status="status" in schema)))
    blocks = [[*indented(each.lines(is_read=each.name in used))] for each in body]
    blocks = blocks or [[SourceLine("    pass")]]
    text = "\n".join(line.text for block in (head, *blocks) for line in block)
    lines = [SourceLine(each) for each in (*_imports(imports, made, text), *(made.lines if made else ()))]
    lines += _split(head)
    places = []
    for block in blocks:
        split = _split(block)
        places.append((len(lines) + 1, len(lines) + len(split)))
        lines += split
    return Source(tuple(lines), tuple(places), expressions.count, expressions.texts)


def _split(lines: Sequence[SourceLine]) -> tuple[SourceLine, ...]:
    return tuple(SourceLine(text, each.paths) for each in lines for text in each.text.split("\n"))


def _status(schema: JsonObject, expressions: Expressions) -> Statement:
    made = value_lines(schema["status"], ("spec", "schema", "status"), expressions.write)
    return Statement("", "", expressions.assigned(), with_prefix("return ", made))


def _decorator(value: JsonObject, schema: JsonObject, *, has_class: bool) -> Iterator[SourceLine]:
    """Yield `@composition(...)`, which has all but the spec, the resources and the status."""
    metadata = as_object(value.get("metadata"))
    given: dict[str, JsonValue] = {"kind": schema.get("kind"), "version": schema.get("apiVersion")}
    if "group" in schema:
        given["group"] = schema["group"]
    given["name"] = metadata.get("name")
    others = {name: each for name, each in metadata.items() if name != "name"}
    rest = {name: each for name, each in schema.items() if name not in _OF_SCHEMA}
    if has_class:
        rest.pop("types", None)
    elif schema.get("spec"):
        rest["spec"] = schema["spec"]
    given |= {name: each for name, each in (("metadata", others), ("schema", rest)) if each}
    arguments = [keyword_lines(name, _plain(each)) for name, each in given.items() if each is not None]
    yield from bracketed("@composition(", arguments, ")")


def _plain(value: JsonValue) -> list[SourceLine]:
    """Return a value in which nothing is an expression of Python."""
    lines = value_lines(value, (), lambda text, _: python_text(text))
    return [SourceLine(each.text) for each in lines]


def _head(value: JsonObject, imports: Imports, made: SpecClass | None, *, has_status: bool) -> str:
    name = re.sub(r"\W+", "_", as_text(as_object(value.get("metadata")).get("name"))).strip("_").lower() or "definition"
    name = python_name(name if name[0].isalpha() else f"definition_{name}")
    imports.authoring.add("ObjectMeta")
    returned = "dict[str, Any]" if has_status else "None"
    return f"def {name}(spec: {made.name if made else 'Any'}, metadata: ObjectMeta) -> {returned}:"


def _imports(imports: Imports, made: SpecClass | None, body: str) -> Iterator[str]:
    if made:
        yield f"from dataclasses import dataclass{', field' if made.has_factories else ''}"
    typing = {*(made.from_typing if made else ()), *(("Any",) if "Any" in body else ())}
    if typing:
        yield f"from typing import {', '.join(sorted(typing))}"
    yield ""
    if made and made.has_meta:
        yield from ("from msgspec import Meta", "")
    names = sorted(
        {*imports.authoring, *(name for name in ("cel", "when") if f"{name}." in body or f"{name}(" in body)}
    )
    yield f"from kro_ls.authoring import {', '.join(names)}"
    for module, classes in sorted(imports.of_kinds.items()):
        yield f"from {module} import {', '.join(sorted(classes))}"
    if made and made.has_absent:
        yield from ("", f"{ABSENT}: Any = None  # of fields that an instance may leave out")
    yield from ("", "")
