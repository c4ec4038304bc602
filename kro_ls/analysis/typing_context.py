"""Finds the expression that is being typed at an offset, also where it is not closed yet or its YAML is broken."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kro_ls.analysis.expressions import Place
from kro_ls.analysis.extraction import extract
from kro_ls.analysis.inspection import inspect
from kro_ls.analysis.locate import PlacedPart, part_at, rgd_at
from kro_ls.cel import ast
from kro_ls.yaml_positions.nodes import Scalar
from kro_ls.yaml_positions.source_map import source_map

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import Analysis
    from kro_ls.analysis.paths import Path
    from kro_ls.cel.ast import Node
    from kro_ls.cel.parser import ParseResult
    from kro_ls.yaml_positions.document import Located

_IDENTIFIER_TAIL = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z", re.ASCII)

_PLACES = {
    "template": Place.TEMPLATE,
    "externalRef": Place.EXTERNAL_REFERENCE,
    "forEach": Place.FOR_EACH,
    "includeWhen": Place.INCLUDE_WHEN,
    "readyWhen": Place.READY_WHEN,
}


@dataclass(frozen=True, slots=True)
class TypedExpression:
    """The CEL text before the cursor, and where its expression stands.

    `word` is the name being typed at its end, `receiver` what stands before the dot in front of it, if there is one.
    """

    placed_part: PlacedPart
    place: Place
    prefix: str
    word: str
    receiver: Node | None
    variables: tuple[str, ...]


def typed_expression(analysis: Analysis, offset: int) -> TypedExpression | None:
    """Return the expression being typed at a document offset, or None outside of `${...}` and inside its strings."""
    rgd = rgd_at(analysis, offset)
    if rgd is None:
        return None
    at = rgd.rgd.document.path_at(offset)
    found = part_at(rgd, offset)
    if at is None or found is None:
        return None
    path, located, in_key = at
    place = _place(path)
    if place is None or in_key:
        return None
    prefix = _prefix_in_scalar(located, offset)
    if prefix is None:
        prefix = _prefix_in_line(analysis, offset)
    return None if prefix is None else _typed(found[0], place, prefix)


def _place(path: Path) -> Place | None:
    if path[:2] == ("spec", "resources") and len(path) > 3:
        return _PLACES.get(str(path[3]))
    if path[:3] == ("spec", "schema", "status"):
        return Place.CONDITION if path[3:4] == ("conditions",) else Place.STATUS
    return None


def _prefix_in_scalar(located: Located, offset: int) -> str | None:
    local = located.placed.to_chunk(offset)
    if local is None or not isinstance(located.node, Scalar):
        return None
    value_offset = source_map(located.placed.chunk.text, located.node).to_value(local)
    return None if value_offset is None else _open_expression(located.node.text[:value_offset])


def _prefix_in_line(analysis: Analysis, offset: int) -> str | None:
    """Return what the cursor's line offers; for YAML that is so broken that the line has no scalar."""
    line = analysis.text.position(offset).line
    return _open_expression(analysis.text.content[analysis.text.line_start(line) : offset])


def _open_expression(before: str) -> str | None:
    """Return the text after the last `${` that is still open at the end of `before`."""
    extraction = extract(before)
    start = extraction.nested.start if extraction.nested else None
    closed = extraction.expressions[-1].end if extraction.expressions else 0
    if start is None:
        start = next((each for each in extraction.unterminated if each >= closed), None)
    return None if start is None else before[start + 2 :]


def _typed(placed_part: PlacedPart, place: Place, prefix: str) -> TypedExpression | None:
    inspection = inspect(prefix)
    innermost = ast.node_at(inspection.parsed.root, len(prefix))
    if (isinstance(innermost, ast.Literal) and innermost.end >= len(prefix)) or _in_string(inspection.parsed, prefix):
        return None
    tail = _IDENTIFIER_TAIL.search(prefix)
    word = tail.group() if tail else ""
    receiver = _receiver(inspection.parsed.root, len(prefix))
    variables = tuple(
        variable.name
        for variable in inspection.variables
        if variable.scope[0] <= len(prefix) <= variable.scope[1] and variable.span[1] < len(prefix)
    )
    return TypedExpression(placed_part, place, prefix, word, receiver, tuple(dict.fromkeys(variables)))


def _in_string(parsed: ParseResult, prefix: str) -> bool:
    return any(
        error.end >= len(prefix) and prefix[error.start : error.start + 1] in ("'", '"') for error in parsed.errors
    )


def _receiver(root: Node, offset: int) -> Node | None:
    for node in reversed(ast.path_at(root, offset)):
        if isinstance(node, ast.Select) and node.field_span[0] <= offset <= max(node.field_span):
            return node.operand
    return None
