"""What a wrong indentation brings besides the line at which the text stops being YAML: one mistake, one diagnostic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kro_ls.queries.cells import cached
from kro_ls.rules.rule import BrokenYaml
from kro_ls.yaml_positions.errors import YamlErrorCode

if TYPE_CHECKING:
    from collections.abc import Container

    from kro_ls.yaml_positions.chunks import Chunk
    from kro_ls.yaml_positions.errors import YamlError
    from kro_ls.yaml_positions.positions import Span

_BREAKS: Final = frozenset({YamlErrorCode.SYNTAX, YamlErrorCode.INDENTATION, YamlErrorCode.TAB_INDENTATION})
_IGNORE: Final = "kro-ls: ignore"
_FOLLOWS: Final = frozenset({YamlErrorCode.INDENTATION, YamlErrorCode.DUPLICATE_KEY})


def may_follow(chunk: Chunk, shown: BrokenYaml, span: Span) -> bool:
    """Whether a finding in a chunk may be due to a reported error of its YAML; its rule says when it is `shown`."""
    if not chunk.errors or shown is BrokenYaml.SHOWN:
        return False
    start = _uncertain_from(chunk)
    return start is not None and (shown is BrokenYaml.HIDDEN or span.start >= start)


def follows(chunk: Chunk, error: YamlError, told: Container[int]) -> bool:
    """Whether an error of the YAML of a chunk may be due to one before it, or to what is `told` of the line before it.

    That line is shallower than the error's, and so not the one to be moved; `told` are where such lines begin.
    """
    first = _first(chunk)
    if first is None or error.code not in _FOLLOWS:
        return False
    return error.start > first.start or (error.code is YamlErrorCode.INDENTATION and _lines_above(chunk)[1] in told)


def line_of_misplaced(chunk: Chunk, shown: BrokenYaml, span: Span) -> int | None:
    """Return where the line of a finding begins that reports a wrong place in a chunk with errors, None for others."""
    if not chunk.errors or shown is not BrokenYaml.BEFORE or _IGNORE in chunk.text:
        return None
    return chunk.text.rfind("\n", 0, span.start) + 1


def _first(chunk: Chunk) -> YamlError | None:
    broken = (error for error in chunk.errors if error.code in _BREAKS)
    return min(broken, key=lambda error: error.start, default=None)


def _uncertain_from(chunk: Chunk) -> int | None:
    """Return where what a chunk says becomes uncertain, None where all of it is YAML.

    That is the line of its first error, or above it the first of the deeper lines that the error ends. A plain value
    that cannot go on in the line of the error began in the shallower line before.
    """
    first = _first(chunk)
    if first is None:
        return None
    start, shallower = _lines_above(chunk)
    return start if first.code is YamlErrorCode.INDENTATION or shallower is None else shallower


@cached
def _lines_above(chunk: Chunk) -> tuple[int, int | None]:
    """Return where the first of the deeper lines above the first error begins, and the shallower line before these."""
    first = _first(chunk)
    start = chunk.text.rfind("\n", 0, first.start) + 1 if first else 0
    column = _column(chunk.text, start)
    while start > 0:
        above = chunk.text.rfind("\n", 0, start - 1) + 1
        if chunk.text[above:start].strip() and _column(chunk.text, above) <= column:
            return start, above if _column(chunk.text, above) < column else None
        start = above
    return start, None


def _column(text: str, start: int) -> int:
    end = start
    while text[end : end + 1] == " ":
        end += 1
    return end - start
