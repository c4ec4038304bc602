"""The user's YAML, and messages that show a place in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.cli.formats.source_frame import source_frame
from kro_ls.cli.formats.text import file_place, place
from kro_ls.cli.input_error import InputError
from kro_ls.cli.inputs import read_text
from kro_ls.printable import printable_lines
from kro_ls.workspace.program_lines import program_of
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.errors import ExcessiveAliasingError
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from pathlib import Path

    from kro_ls.openapi.json_values import JsonValue
    from kro_ls.runtime.cluster.scenario import InputProblem
    from kro_ls.yaml_positions.documents.document import YamlDocument
    from kro_ls.yaml_positions.text import Text


class Written(Struct, frozen=True):
    """One document of a file, and its value."""

    path: Path
    text: Text
    document: YamlDocument
    value: JsonValue

    def message(self, problem: InputProblem) -> str:
        """Return a problem and its place, as text for people."""
        placed = placed_message(self.path, self.text, self.span(problem), problem.message)
        return f"{placed}\nnote: {printable_lines(problem.kro_note)}" if problem.kro_note else placed

    def span(self, problem: InputProblem) -> Span:
        """Return where a problem is: at its path, or at the nearest parent that is written."""
        path = problem.path
        found = self.document.child(path)
        in_key = problem.in_key
        while found is None and path:
            path, in_key = path[:-1], True
            found = self.document.child(path)
        if found is None:
            return Span(self.document.start, self.document.start)
        return found.key_span if in_key and found.key_span else found.span


def read_documents(path: Path) -> list[Written]:
    """Return the documents of a YAML file, without empty ones. Raises InputError, with the place, for broken YAML."""
    return documents_of(path, read_text(path))


def documents_of(path: Path, text: Text) -> list[Written]:
    """Return the documents of the text of a file, as `read_documents`."""
    found = []
    for document in parse_stream(text).documents:
        if document.errors:
            first = document.errors[0]
            raise InputError(placed_message(path, text, Span(first.start, first.end), first.message), shown=True)
        try:
            value = document.to_python()
        except ExcessiveAliasingError as error:
            raise InputError(f"{path}: {error}") from error
        if value is not None:
            found.append(Written(path, text, document, value))
    return found


def placed_message(path: Path, text: Text, span: Span, message: str) -> str:
    """Return `file:line:column: message` and the line with the place underlined."""
    line = text.position(span.start).line
    head = f"{place(str(path), text, span)}: {printable_lines(message)}"
    program = program_of(text, str(path))
    made = program.place(span.start) if program else None
    note = [f"  note: {made.message}: {file_place(made)}"] if made else []
    return "\n".join([head, *source_frame(text, span, "^", "red", len(str(line + 1))), *note])
