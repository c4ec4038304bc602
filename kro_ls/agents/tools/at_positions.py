"""The tools `complete` and `hover`: what can be written at a position, and what stands there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from kro_ls.agents.agent_workspace import AgentWorkspace
from kro_ls.agents.answers import CompleteAnswer, CompletionChoice, HoverAnswer, Range, range_of
from kro_ls.agents.arguments import (
    MOST_CHARACTERS,
    ColumnArgument,
    KroVersionArgument,
    LineArgument,
    PathArgument,
    TextArgument,
    UnusableArgumentsError,
    first,
)
from kro_ls.cursor.cursor import Cursor
from kro_ls.shortening import shortened
from kro_ls.workspace.check import file_document
from kro_ls.workspace.snapshot import AllDocuments
from kro_ls.yaml_positions.positions import Position, PositionEncoding
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from kro_ls.workspace.documents import Document


def complete(
    workspace: AgentWorkspace,
    line: LineArgument,
    column: ColumnArgument,
    path: PathArgument = "",
    text: TextArgument = "",
    kro_version: KroVersionArgument = "",
) -> CompleteAnswer:
    """List what can be written at a position, the likeliest first: ids, fields, CEL functions, kinds, values.

    The text may be unfinished, such as one that ends with `${deployment.status.`.
    """
    from kro_ls.features.completion.completion_list import completion

    cursor = _cursor(workspace, line, column, path, text, kro_version)
    found = completion(cursor, snippets=False)
    shown, left_out = first(found.items)
    choices = [
        CompletionChoice(each.label, each.detail or "", each.text_edit.new_text if each.text_edit else each.label)
        for each in shown
    ]
    replaced = next((each.text_edit.range for each in shown if each.text_edit), None)
    if replaced is None:
        return CompleteAnswer(None, choices, left_out)
    start, end = replaced.start, replaced.end
    whole = Range(start.line + 1, start.character + 1, end.line + 1, end.character + 1)
    return CompleteAnswer(whole, choices, left_out)


def hover(
    workspace: AgentWorkspace,
    line: LineArgument,
    column: ColumnArgument,
    path: PathArgument = "",
    text: TextArgument = "",
    kro_version: KroVersionArgument = "",
) -> HoverAnswer:
    """Describe what is at a position: the type of an expression, a field's documentation, a function's signatures."""
    from kro_ls.features.hover.hover import described_at

    cursor = _cursor(workspace, line, column, path, text, kro_version)
    found = described_at(cursor)
    if found is None:
        return HoverAnswer("", None)
    markdown, span = found
    return HoverAnswer(shortened(markdown, MOST_CHARACTERS), range_of(cursor.document.text, span))


def _cursor(workspace: AgentWorkspace, line: int, column: int, path: str, text: str, kro_version: str) -> Cursor:
    given = workspace.given(path, text)
    if line > given.text.line_count:
        raise UnusableArgumentsError(f"{given.shown} has {given.text.line_count} lines; there is no line {line}")
    document = replace(workspace.document(given, kro_version), encoding=PositionEncoding.UTF32)
    kinds = workspace.kinds(given)

    def on_disk(name: str, content: str) -> Document:
        return file_document(name, Text(content), document.settings, kinds)

    others = AllDocuments({str(given.path): document}, kinds, on_disk, (workspace.root,))
    return Cursor(document, given.text.offset(Position(line - 1, column - 1)), others)
