"""Parses an edited text by reusing the previous stream: only the chunks that the edit touched are parsed.

An edit inside a regular run (see `cutting.CutRun`) that leaves it regular changes no cut outside of the chunks that it
touched, so these are cut and parsed again and all others are reused. After any other edit the whole document is parsed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.yaml_positions.documents.chunks import parse_chunk
from kro_ls.yaml_positions.documents.cutting import (
    has_content,
    has_rare_line_break,
    is_regular,
    item_starts,
    plain_first_item,
)
from kro_ls.yaml_positions.documents.entries import parse_edited
from kro_ls.yaml_positions.documents.stream import YamlStream, must_be_whole, parse_stream
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from kro_ls.yaml_positions.documents.cutting import Cuts
    from kro_ls.yaml_positions.documents.document import YamlDocument
    from kro_ls.yaml_positions.documents.runs import Run
    from kro_ls.yaml_positions.text import Text


class Change(Struct, frozen=True):
    """An edit of a text: `[start, end)` became `length` characters, and the rest stayed the same."""

    start: int
    end: int
    length: int

    @property
    def grown(self) -> int:
        """By how many characters the text is longer."""
        return self.length - (self.end - self.start)

    def moved(self, offset: int) -> int:
        """Return the new offset for one of the previous text; an offset in the replaced part becomes its start."""
        if offset <= self.start:
            return offset
        return offset + self.grown if offset >= self.end else self.start

    def then(self, start: int, end: int, length: int) -> Change:
        """Return this change followed by another one, as one: `[start, end)` counts in the text that this one left."""
        changed_end = self.start + self.length
        return Change(
            min(self.start, start),
            self.end + max(0, end - changed_end),
            max(changed_end, end) - min(self.start, start) + length - (end - start),
        )


def reparse(before: YamlStream, text: Text, change: Change, cuts: Cuts, most: int | None = None) -> YamlStream:
    """Return what `parse_stream` returns for `text`, into which `change` turned the previous text."""
    for number, document in enumerate(before.documents if before.unread is None else ()):
        if document.start <= change.start and change.end <= document.end:
            edited = _edit(document, text.content, change)
            if edited is None:
                break
            later = [_moved(each, change.grown) for each in before.documents[number + 1 :]]
            return YamlStream(text, (*before.documents[:number], edited, *later))
    return parse_stream(text, cuts, most)


def _edit(document: YamlDocument, content: str, change: Change) -> YamlDocument | None:
    """Return the edited document; None if more than the chunks of a regular run may have changed."""
    if document.is_key_repeated or document.frame.chunk.errors or not all(run.is_regular for run in document.runs):
        return None
    runs: list[Run] = []
    edited = None
    for run in document.runs:
        if edited is None and run.start <= change.start and change.end <= run.end:
            edited = _edit_run(run, content, change)
            if edited is None or (change.end == run.end and not _ends_as_before(run, document, content, change)):
                return None
            runs.append(edited)
        else:
            runs.append(run if run.end <= change.start else replace(run, start=run.start + change.grown))
    if edited is None:
        return None
    pieces = tuple(_moved_span(piece, change) for piece in document.frame.pieces)
    moved = replace(
        document,
        end=document.end + change.grown,
        frame=document.frame._replace(pieces=pieces),
        runs=tuple(runs),
        is_entangled=document.is_entangled or any(chunk.is_entangled for chunk in edited.flawed_chunks),
    )
    if moved.is_entangled:
        is_entangled = any(chunk.is_entangled for run in runs for chunk in (*run.flawed_chunks, document.frame.chunk))
        moved = replace(moved, is_entangled=is_entangled)
        return None if must_be_whole(content, moved) else moved
    return moved


def _ends_as_before(run: Run, document: YamlDocument, content: str, change: Change) -> bool:
    """Return whether the text after a run that was edited at its end is still on lines of its own."""
    end = run.end + change.grown
    return run.end == document.end == len(content) - change.grown or content.endswith("\n", run.start, end)


def _edit_run(run: Run, content: str, change: Change) -> Run | None:
    first = run.number_at(change.start)
    if first > 0 and change.start == run.start_of(first):
        first -= 1  # text typed before an item may continue the previous one
    last = run.number_at(change.end)
    start, end = run.start_of(first), run.start_of(last + 1) + change.grown
    looked_at = (start, end) if run.is_sequence else _touched_lines(content, start, end, change)
    if has_rare_line_break(content, *looked_at) or not is_regular(
        content, *looked_at, run.indent, is_sequence=run.is_sequence
    ):
        return None
    starts = [start]
    if run.is_sequence:
        starts = item_starts(content, start, end, run.indent)
        if not starts or has_content(content, start, starts[0]):
            return None  # it begins with text of the previous item, or with a damaged item
        if first == 0 and not _begins_plainly(content, start, starts, end):
            return None
        starts[0] = start
    elif not has_content(content, start, end):
        return None
    ends = [*starts[1:], end]
    if run.inner:
        edit = Span(change.start - start, change.end - start)
        return run.edited(0, 0, [parse_edited(run.chunks[0], content[start:end], run.inner, edit, change.grown)])
    chunks = [parse_chunk(content[each:stop]) for each, stop in zip(starts, ends, strict=True)]
    return run.edited(first, last, chunks)


def _touched_lines(content: str, start: int, end: int, change: Change) -> tuple[int, int]:
    """Return the start and end of the lines of a part that an edit changed."""
    line_end = content.find("\n", change.start + change.length, end)
    return content.rfind("\n", start, change.start) + 1 or start, end if line_end < 0 else line_end + 1


def _begins_plainly(content: str, start: int, starts: list[int], end: int) -> bool:
    return plain_first_item(content[start : starts[1] if len(starts) > 1 else end]) is not None


def _moved(document: YamlDocument, distance: int) -> YamlDocument:
    frame = document.frame
    return replace(
        document,
        start=document.start + distance,
        end=document.end + distance,
        frame=frame._replace(
            start=frame.start + distance, pieces=tuple(piece.shift(distance) for piece in frame.pieces)
        ),
        runs=tuple(replace(run, start=run.start + distance) for run in document.runs),
    )


def _moved_span(piece: Span, change: Change) -> Span:
    return piece if piece.end <= change.start else piece.shift(change.grown)
