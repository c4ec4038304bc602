"""The definition that a composition builds, as YAML with the lines of Python that its lines are from, and its kind."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from kro_ls.analysis.analysis import analyze
from kro_ls.authoring.compositions.problems import CompositionError
from kro_ls.authoring.known_kinds import kinds_beside
from kro_ls.cel.types.types import DYN
from kro_ls.kro.forms import API_VERSION, DEFAULT_GROUP, KIND
from kro_ls.render.yaml_text import indented, placed_lines, to_yaml
from kro_ls.workspace.program_lines import LineMap
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from kro_ls.analysis.types.variables import Binding
    from kro_ls.authoring.compositions.composing import Composing, Declared
    from kro_ls.authoring.compositions.python_lines import PythonLine
    from kro_ls.authoring.compositions.spec_fields import SpecFields
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.openapi.kind_schema import KindSchema
    from kro_ls.yaml_positions.positions import Path


_OPTIONS: Final = {"id": "id", "include_when": "includeWhen", "ready_when": "readyWhen", "for_each": "forEach"}
"""Where the arguments of every resource stand."""
_SEPARATOR: Final = ("---", None)


class Declaration(Struct, frozen=True):
    """The arguments of `@composition`: the declared kind, and the rest of `metadata` and `spec.schema`."""

    kind: str
    version: str
    group: str
    name: str
    metadata: Mapping[str, Any]
    schema: Mapping[str, Any]

    @property
    def api_version(self) -> str:
        """What the `apiVersion` of an instance is."""
        return f"{self.group}/{self.version}"


class DefinitionText(Struct, frozen=True):
    """A definition: its YAML line by line, each with the line of Python that it is from, and what it uses."""

    lines: tuple[tuple[str, PythonLine | None], ...]
    uses: tuple[Any, ...]

    def text(self, relative_to: str | None = None) -> str:
        """Return the YAML, with a last line that is the map; its paths are relative to a folder."""
        return joined_text([self], relative_to)


def joined_text(definitions: Sequence[DefinitionText], relative_to: str | None = None) -> str:
    """Return several definitions as one text, each a document of YAML, with one map as its last line."""
    lines = [each for definition in definitions for each in (_SEPARATOR, *definition.lines)][1:]
    folder = relative_to or os.getcwd()
    places = [(os.path.relpath(line.path, folder), line.line) if line else None for _, line in lines]
    yaml = "".join(f"{text}\n" for text, _ in lines)
    return f"{yaml}{LineMap.made(places).comment}\n"


def schema_value(declaration: Declaration, fields: SpecFields) -> dict[str, JsonValue]:
    """Return `spec.schema` without a status."""
    extra = dict(declaration.schema)
    schema: dict[str, JsonValue] = {"apiVersion": declaration.version, "kind": declaration.kind}
    if declaration.group != DEFAULT_GROUP:
        schema["group"] = declaration.group
    spec, types = extra.pop("spec", None) or fields.spec, {**fields.types, **extra.pop("types", {})}
    schema |= extra
    if types:
        schema["types"] = types
    return {**schema, "spec": spec} if spec else schema


def definition_text(
    declaration: Declaration,
    schema: JsonObject,
    composing: Composing,
    lines: Mapping[Path, PythonLine],
    line: PythonLine,
) -> DefinitionText:
    """Return the definition of what a function has built."""
    head = {"apiVersion": API_VERSION, "kind": KIND, "metadata": {"name": declaration.name, **declaration.metadata}}
    own = [(text, line) for text, _ in placed_lines(head)]
    found: list[tuple[str, PythonLine | None]] = [*own, ("spec:", line), ("  schema:", line)]
    found += _indented(placed_lines(schema, ("spec", "schema")), lines, line, 4)
    if composing.resources:
        found.append(("  resources:", line))
    for number, resource in enumerate(composing.resources):
        if number:
            found.append(("", None))
        placed = {_path(resource.form, path): each for path, each in resource.lines.items()}
        found += _indented(placed_lines([resource_entry(resource)]), placed, resource.line, 2)
    return DefinitionText(tuple(found), tuple(composing.uses))


def _path(form: str, path: Path) -> Path:
    """Return where an argument of a resource stands in its entry."""
    option = _OPTIONS.get(str(path[0]))
    return (0, option) if option else (0, form, *path)


def _indented(
    placed: Iterator[tuple[str, Path]], lines: Mapping[Path, PythonLine], line: PythonLine | None, by: int
) -> Iterator[tuple[str, PythonLine | None]]:
    for text, path in placed:
        inner = next((lines[path[:length]] for length in range(len(path), 0, -1) if path[:length] in lines), line)
        yield indented(text, by), inner


def resource_entry(resource: Declared) -> JsonObject:
    """Return a resource as an entry of `spec.resources`."""
    entry: JsonObject = {"id": resource.id}
    if resource.for_each:
        entry["forEach"] = [{name: f"${{{source}}}"} for name, source in resource.for_each]
    if resource.include_when:
        entry["includeWhen"] = [*resource.include_when]
    entry[resource.form] = resource.object
    if resource.ready_when:
        entry["readyWhen"] = [*resource.ready_when]
    return entry


def instance_of(schema: JsonObject, kinds: SchemaIndex) -> Binding:
    """Return what `schema` is in the expressions of a definition with such a `spec.schema`."""
    value = {"apiVersion": API_VERSION, "kind": KIND, "metadata": {"name": "x"}, "spec": {"schema": schema}}
    rgd = analyze(Text(to_yaml(value)), kinds).rgds[0]
    return rgd.instance or DYN


def kind_schema_of(api_version: str, kind: str, texts: Mapping[str, str]) -> KindSchema:
    """Return the kind that kro makes of one of some definitions."""
    found = kinds_beside(texts).find_api_version(api_version, kind)
    if found is None:
        raise CompositionError(f"kro would make no kind {kind} of this; see what check() finds")
    return found
