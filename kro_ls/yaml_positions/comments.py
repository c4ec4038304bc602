"""Finds the comments of a chunk."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from itertools import chain
from typing import TYPE_CHECKING

from kro_ls.yaml_positions.nodes import Scalar, walk
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.resolution import ScalarStyle

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.yaml_positions.chunks import Chunk

_CANDIDATE = re.compile("(?:(?<=[ \t\r\n])|(?<![^\\ufeff]))#[^\r\n]*")


def chunk_comments(chunk: Chunk) -> Iterator[Span]:
    """Yield the spans of a chunk's comments, from `#` to the end of the line, in the chunk's text."""
    if "#" not in chunk.text:
        return
    found: array[int] | None = chunk.cells.get(chunk_comments)  # starts and ends in turns: there may be many
    if found is None:
        bounds = chain.from_iterable(_comments(chunk))
        found = chunk.cells[chunk_comments] = array("I", bounds)
    each = iter(found)
    yield from map(Span, each, each)


def _comments(chunk: Chunk) -> Iterator[tuple[int, int]]:
    scalars = [] if chunk.root is None else [node for node in walk(chunk.root) if isinstance(node, Scalar)]
    scalars = [scalar for scalar in scalars if scalar.style is not ScalarStyle.MISSING]
    starts = [scalar.start for scalar in scalars]
    position = 0
    while (candidate := _CANDIDATE.search(chunk.text, position)) is not None:
        number = bisect_right(starts, candidate.start()) - 1
        scalar = scalars[number] if number >= 0 else None
        if scalar is None or candidate.start() >= scalar.end or _is_in_header(chunk.text, scalar, candidate.start()):
            yield candidate.span()
            position = candidate.end()
        else:
            position = scalar.end


def _is_in_header(text: str, scalar: Scalar, offset: int) -> bool:
    """Return whether an offset is in the header line of a block scalar."""
    if scalar.style not in (ScalarStyle.LITERAL, ScalarStyle.FOLDED):
        return False
    return not re.search(r"[\r\n]", text[scalar.start : offset])
