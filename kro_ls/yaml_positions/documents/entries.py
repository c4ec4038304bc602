"""A large chunk in which the entries of some mappings are chunks of their own, so that an edit parses one of them.

A chunk is cut like this only if it has no error and its entries are independent: no anchor, no alias, no repeated key,
each entry on lines of its own. Its tree is then that of the joined entries, and is parsed on demand.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import pairwise
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.queries.cells import Blocks, Interned, difference
from kro_ls.yaml_positions.documents.chunks import Chunk, parse_chunk
from kro_ls.yaml_positions.documents.runs import (
    CONTENT_LINE,
    ITEM,
    LinePattern,
    PlacedChunk,
    Run,
    has_rare_line_break,
    is_regular,
    line_at_most,
    pieces_between,
)
from kro_ls.yaml_positions.nodes import Mapping, Scalar
from kro_ls.yaml_positions.scalars.resolution import ScalarStyle

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kro_ls.yaml_positions.nodes import Entry, Node
    from kro_ls.yaml_positions.positions import Span

SMALLEST_CUT = 2000
"""Shorter chunks are parsed as a whole: cutting them would cost more than it saves."""

_DEEPEST_INDENT = 100  # each indentation has expressions of its own


class CutChunk(Chunk, frozen=True, eq=False, weakref=True, dict=True, kw_only=True):
    """A chunk of entries. Each run has the entries of one mapping except the first, which shows where the others start.

    The first entries are in the `frame`, with everything outside of the mappings.
    """

    frame: PlacedChunk
    runs: tuple[Run, ...]

    @property  # type: ignore[misc]  # a field there
    def root(self) -> Node | None:
        """The tree, parsed on demand."""
        return self.whole.root

    @property
    def keys(self) -> frozenset[str]:
        """The keys of the mappings that are cut."""
        return frozenset(str(run.path[0]) for run in self.runs)

    def entries(self, key: str) -> Blocks[Chunk]:
        """Return the entries of the mapping under a key except the first; none if it is not cut."""
        return next((run.chunks for run in self.runs if run.path == (key,)), Blocks())

    @property
    def whole(self) -> Chunk:
        """The chunk of the same text, parsed as a whole."""
        found: Chunk | None = self.__dict__.get("_whole")
        if found is None:
            found = self.__dict__["_whole"] = parse_chunk(self.text)
        return found


_living: Final[Interned[tuple[str, tuple[str, ...]], CutChunk]] = Interned()


def parse_entries(text: str, names: tuple[str, ...]) -> Chunk:
    """Return the chunk of a text, cut into the entries of the mappings under these keys if that is safe."""
    if len(text) < SMALLEST_CUT:
        return parse_chunk(text)
    return _living.get((text, names)) or _interned(_cut(text, names), names) or parse_chunk(text)


def parse_edited(before: Chunk, text: str, names: tuple[str, ...], edit: Span, grown: int) -> Chunk:
    """Return what `parse_entries` returns for a text in which `edit`, a span of the previous text, has `grown`."""
    living = _living.get((text, names))
    if living is not None or not isinstance(before, CutChunk) or len(text) < SMALLEST_CUT:
        return living or parse_entries(text, names)
    edited = _edited(before, text, edit, grown) or _cut(text, names, tuple(_untouched(before, edit, grown)))
    return _interned(edited, names) or parse_chunk(text)


def _interned(chunk: CutChunk | None, names: tuple[str, ...]) -> CutChunk | None:
    if chunk is not None:
        _living[chunk.text, names] = chunk
    return chunk


def entry_names(chunks: Iterable[Chunk]) -> list[str | None]:
    """Return the names of the entries that the chunks of a run hold."""
    roots: Iterable[Any] = map(attrgetter("root"), chunks)
    return [root.entries[0].name for root in roots]


def _untouched(before: CutChunk, edit: Span, grown: int) -> Iterator[Run]:
    """Yield the runs that an edit did not touch, where they are now."""
    for run in before.runs:
        if edit.end <= run.start:
            yield replace(run, start=run.start + grown)
        elif edit.start >= run.end:
            yield run


def _cut(text: str, names: tuple[str, ...], previous: tuple[Run, ...] = ()) -> CutChunk | None:
    """Return the chunk of a text in entries. A previous run at the place of a mapping's entries is unchanged."""
    first = CONTENT_LINE.find(text, 0, len(text))
    if first is None or first[1][2] is not None or has_rare_line_break(text, 0, len(text)):
        return None
    indent = len(first[1][1])
    found = [run for name in names if (run := _run(text, name, indent, previous)) is not None]
    runs = tuple(sorted(found, key=lambda run: run.start))
    frame = _frame(text, runs) if runs else None
    if frame is None or any(one.end > other.start for one, other in pairwise(runs)):
        return None
    return _chunk(text, frame, runs) if all(_is_whole(text, run, frame, indent) for run in runs) else None


def _chunk(text: str, frame: PlacedChunk, runs: tuple[Run, ...]) -> CutChunk:
    return CutChunk(text, None, (), False, False, None, frame=frame, runs=runs)


def _run(text: str, name: str, indent: int, previous: tuple[Run, ...]) -> Run | None:
    """Return the entries under a key except the first; None if there are no others, or one is not independent."""
    headers = _header(name, indent).find_all(text, 0, len(text))
    if len(headers) != 1 or indent > _DEEPEST_INDENT:
        return None
    start = text.index("\n", headers[0]) + 1
    boundary = line_at_most(indent).find(text, start, len(text))
    end = len(text) if boundary is None else boundary[0]
    first = CONTENT_LINE.find(text, start, end)
    if first is None or not indent < len(first[1][1]) <= _DEEPEST_INDENT or first[1][2] is not None:
        return None
    inner = len(first[1][1])
    starts = _entry_line(inner).find_all(text, start, end)[1:]
    if not starts or not is_regular(text, start, end, inner - 1, is_sequence=False):
        return None
    same = next((run for run in previous if (run.start, run.end, run.indent) == (starts[0], end, inner)), None)
    if same is not None and same.path == (name,):
        return same
    chunks = _entries(text, starts, end, inner)
    if chunks is None:
        return None
    lengths = Blocks.of(len(chunk.text) for chunk in chunks)
    return Run((name,), True, inner, True, starts[0], Blocks.of(chunks), lengths, ())


def _entries(text: str, starts: list[int], end: int, indent: int) -> list[Chunk] | None:
    chunks = [parse_chunk(text[one:other]) for one, other in pairwise([*starts, end])]
    return chunks if all(_stands_alone(chunk, indent) for chunk in chunks) else None


def _stands_alone(chunk: Chunk, indent: int) -> bool:
    """Return whether a chunk is one entry that means the same at any place."""
    root = chunk.root
    if chunk.is_flawed or not isinstance(root, Mapping) or root.flow or len(root.entries) != 1:
        return False
    return _has_plain_key(root.entries[0]) and root.entries[0].key.start == indent


def _has_plain_key(entry: Entry) -> bool:
    key = entry.key
    return isinstance(key, Scalar) and key.style is not ScalarStyle.MISSING and key.tag is None and key.text != "<<"


def _frame(text: str, runs: tuple[Run, ...]) -> PlacedChunk | None:
    pieces = pieces_between(runs, 0, len(text))
    chunk = parse_chunk("".join([text[piece.start : piece.end] for piece in pieces]))
    return None if chunk.is_flawed else PlacedChunk(chunk, (), 0, pieces)


def _is_whole(text: str, run: Run, frame: PlacedChunk, indent: int) -> bool:
    """Return whether the entries of a run are those of the mapping of which the frame has the first, and all different.

    A line that looks like a key may belong to a multi-line scalar; the frame decides.
    """
    first = _first(run, frame)
    header = _header(str(run.path[0]), indent).find(text, 0, run.start)
    if first is None or header is None or header[0] + indent != first.header:
        return False
    return _are_different([first.name, *entry_names(run.chunks)])


class _First(Struct, frozen=True):
    """The name of the entry that is in the frame, and where the mapping's key and the line of the entry start."""

    name: str | None
    header: int
    line: int


def _first(run: Run, frame: PlacedChunk) -> _First | None:
    """Return the one entry that the frame has of a run's mapping; None where it has none, or more, or is not clear."""
    root = frame.chunk.root
    holder = root.entry(str(run.path[0])) if isinstance(root, Mapping) and not root.flow else None
    value: Node | None = holder.value if holder else None
    if holder is None or not isinstance(value, Mapping) or value.flow or len(value.entries) != 1:
        return None
    entry = value.entries[0]
    # After a block scalar the frame continues elsewhere, so the place of an empty line there would be ambiguous.
    if not _has_plain_key(entry) or frame.to_document(entry.end) >= run.start:
        return None
    return _First(entry.name, frame.to_document(holder.key.start), frame.to_document(entry.key.start) - run.indent)


def _are_different(names: list[str | None]) -> bool:
    return None not in names and len(set(names)) == len(names)


def _edited(before: CutChunk, text: str, edit: Span, grown: int) -> CutChunk | None:
    """Return the chunk with its edited entries; None if more than single entries may have changed."""
    for number, run in enumerate(before.runs):
        first = _first(run, before.frame)
        if first and first.line < edit.start and edit.end <= run.start:
            return _edited_first(before, number, first.line, text, grown)
        if run.start <= edit.start and edit.end <= run.end:
            edited = _edited_run(run, text, edit, grown)
            if edited is None or not _keeps_names(before, run, edited):
                return None
            later = [replace(each, start=each.start + grown) for each in before.runs[number + 1 :]]
            pieces = [piece if piece.end <= run.start else piece.shift(grown) for piece in before.frame.pieces]
            frame = replace(before.frame, pieces=tuple(pieces))
            return _chunk(text, frame, (*before.runs[:number], edited, *later))
    return None


def _edited_first(before: CutChunk, number: int, start: int, text: str, grown: int) -> CutChunk | None:
    """Return the chunk in which the first entry of a run was edited, which starts at `start`, but not its name."""
    runs = (*before.runs[:number], *(replace(each, start=each.start + grown) for each in before.runs[number:]))
    if _entry_starts(text, start, runs[number].start, runs[number].indent) != [start]:
        return None
    frame = _frame(text, runs)
    for place, (run, edited) in enumerate(zip(before.runs, runs, strict=True)):
        old, new = _first(run, before.frame), _first(edited, frame) if frame else None
        moved = grown if place > number else 0
        if old is None or new is None or new != _First(old.name, old.header + moved, old.line + moved):
            return None
    return _chunk(text, frame, runs) if frame else None


def _entry_starts(text: str, start: int, end: int, indent: int) -> list[int]:
    """Return where the entries start in a part of a run; nowhere where YAML may see others."""
    starts = _entry_line(indent).find_all(text, start, end)
    ends_a_line = end == len(text) or text[end - 1] == "\n"
    is_clear = ends_a_line and not has_rare_line_break(text, start, end)
    return starts if is_clear and is_regular(text, start, end, indent - 1, is_sequence=False) else []


def _edited_run(run: Run, text: str, edit: Span, grown: int) -> Run | None:
    first, last = run.number_at(edit.start), run.number_at(edit.end)
    if edit.start == run.start_of(first):
        first -= 1  # text typed before an entry may continue the previous one
    if first < 0:
        return None
    start, end = run.start_of(first), run.start_of(last + 1) + grown
    starts = _entry_starts(text, start, end, run.indent)
    if starts[:1] != [start]:
        return None
    chunks = _entries(text, starts, end, run.indent)
    return run.edited(first, last, chunks) if chunks else None


def _keeps_names(before: CutChunk, run: Run, edited: Run) -> bool:
    """Return whether all keys are different after an edit; unchanged keys need not be compared."""
    old, new = (Counter(entry_names(changed)) for changed in _changed(run.chunks, edited.chunks))
    if new == old:
        return True
    first = _first(run, before.frame)
    return first is not None and _are_different([first.name, *entry_names(edited.chunks)])


def _changed(before: Blocks[Chunk], after: Blocks[Chunk]) -> tuple[tuple[Chunk, ...], tuple[Chunk, ...]]:
    start, before_end, end = difference(before, after)
    return before[start:before_end], after[start:end]


@lru_cache(maxsize=64)  # compiled once
def _header(name: str, indent: int) -> LinePattern:
    return LinePattern(" " * indent + name + r":(?:[ \t]+#[^\r\n]*|[ \t]*)\r?\n")


@lru_cache(maxsize=64)  # compiled once
def _entry_line(indent: int) -> LinePattern:
    """Match the line of a key; the items of a list may be as deep as the key above them."""
    return LinePattern(rf"[ ]{{{indent}}}(?!{ITEM})[^ \t\r\n#\]}}]")
