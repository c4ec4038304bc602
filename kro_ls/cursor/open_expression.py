"""Finds the expression that is being typed at an offset, also where it is not closed yet or its YAML is broken."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kro_ls.analysis.model.extraction import extract
from kro_ls.analysis.names.inspection import inspect
from kro_ls.cel.syntax import ast
from kro_ls.cel.syntax.lexer import tokenize
from kro_ls.cursor.locate import PlacedPart, part_at, rgd_at
from kro_ls.kro.places import RESOURCE_PLACES, Place
from kro_ls.yaml_positions.nodes import Scalar, ScalarStyle
from kro_ls.yaml_positions.source_map import source_map

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import Analysis
    from kro_ls.analysis.model.paths import Path
    from kro_ls.cel.syntax.ast import Node
    from kro_ls.yaml_positions.document import Located

_OPERAND_ENDS = frozenset(
    {
        *(")", "]", "}", "true", "false", "null", "IDENTIFIER", "ESC_IDENTIFIER"),
        *("STRING", "BYTES", "NUM_INT", "NUM_UINT", "NUM_FLOAT"),
    }
)
"""The kinds of tokens that an operand can end with."""
_QUOTES = ("'", '"')


@dataclass(frozen=True, slots=True)
class OpenExpression:
    """The CEL text from `${` to the cursor, and where it stands.

    `path` leads to the scalar below the place. `standalone` tells that nothing stands before the `${`. `quote` is what
    opened the CEL string that the cursor is in, and `string` its text so far; then `text` ends before the quote.
    """

    owner: PlacedPart
    place: Place
    path: Path
    standalone: bool
    style: ScalarStyle
    text: str
    quote: str = ""
    string: str = ""


@dataclass(frozen=True, slots=True)
class TypedName:
    """The name being typed at the end of an open expression, empty where one could begin.

    `receiver` is what stands before the dot in front of it, if there is one. `variables` are those of the macros around
    it, the innermost first, by their names, with the spans of their declarations.
    """

    word: str
    receiver: Node | None
    variables: dict[str, ast.Span]


def open_expression(analysis: Analysis, offset: int) -> OpenExpression | None:
    """Return the expression that a document offset is in, up to there; None outside of `${...}` and in CEL comments."""
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
    inner = path[3:] if path[1] == "schema" else path[4:]
    style = located.node.style if isinstance(located.node, Scalar) else ScalarStyle.PLAIN
    in_scalar = _before_in_scalar(located, offset)
    for before, is_whole in ((in_scalar, True), (_before_in_line(analysis, offset), False)):
        start = None if before is None else _open_start(before)
        if before is not None and start is not None:
            lead = before[:start]
            standalone = not lead if is_whole else _is_lead_in(lead)
            return _outside_of_string(OpenExpression(found[0], place, inner, standalone, style, before[start + 2 :]))
    return None


def typed_name(expression: OpenExpression) -> TypedName | None:
    """Return the name being typed at the end of an open expression, None in a string or where only operators can go."""
    text = expression.text
    inspection = inspect(text)
    path = cursor_path(inspection.parsed.root, len(text))
    word = None if expression.quote else _word(text)
    if word is None:
        return None
    variables: dict[str, ast.Span] = {}
    for variable in sorted(inspection.variables, key=lambda each: each.span, reverse=True):
        if variable.scope[0] <= len(text) <= variable.scope[1] and variable.span[1] < len(text):
            variables.setdefault(variable.name, variable.span)
    receiver = _receiver(path, len(text))
    return TypedName(word, receiver, variables)


def _word(text: str) -> str | None:
    """Return the name at the end of a text, None behind a whole operand such as `f(x)`, `a` or `1`."""
    tokens = tokenize(text)
    last = len(tokens.kinds) - 2  # before the end of the text
    is_word = last >= 0 and tokens.ends[last] == len(text) and tokens.token_text(last).isidentifier()
    before = last - 1 if is_word else last
    if before >= 0 and tokens.kinds[before] in _OPERAND_ENDS:
        return None
    return tokens.token_text(last) if is_word else ""


def cursor_path(root: Node, offset: int) -> tuple[Node, ...]:
    """Return the nodes that touch an offset, the innermost last: in `a ? b`, at its end, `b`, not the missing rest."""
    path: list[Node] = []
    candidates: tuple[Node, ...] = (root,)
    while touching := [node for node in candidates if node.start <= offset <= node.end]:
        written = [node for node in touching if not isinstance(node, ast.Hole)]
        path.append((written or touching)[-1])
        candidates = ast.children(path[-1])
    return tuple(path)


def _place(path: Path) -> Place | None:
    if path[:2] == ("spec", "resources") and len(path) > 3:
        return RESOURCE_PLACES.get(str(path[3]))
    if path[:3] == ("spec", "schema", "status"):
        return Place.CONDITION if path[3:4] == ("conditions",) else Place.STATUS
    return None


def _before_in_scalar(located: Located, offset: int) -> str | None:
    local = located.placed.to_chunk(offset)
    if local is None or not isinstance(located.node, Scalar):
        return None
    value_offset = source_map(located.placed.chunk.text, located.node).to_value(local)
    return None if value_offset is None else located.node.text[:value_offset]


def _before_in_line(analysis: Analysis, offset: int) -> str:
    """Return what the cursor's line offers; for YAML that is so broken that the line has no scalar."""
    line = analysis.text.position(offset).line
    return analysis.text.content[analysis.text.line_start(line) : offset]


def _is_lead_in(lead: str) -> bool:
    """Whether a line's text before a `${` is YAML that begins a value, not text of the value itself."""
    bare = lead.rstrip(" \t\"'")
    return not bare or bare[-1] in ":-{[,"


def _open_start(before: str) -> int | None:
    """Return where the last `${` begins that is still open at the end of `before`."""
    extraction = extract(before)
    if extraction.nested:
        return extraction.nested.start
    closed = extraction.expressions[-1].end if extraction.expressions else 0
    return next((each for each in extraction.unterminated if each >= closed), None)


def _outside_of_string(expression: OpenExpression) -> OpenExpression | None:
    """Cut off the string that the expression ends in; None where it ends in a comment."""
    text = expression.text
    tokens = tokenize(text)
    last = tokens.errors[-1] if tokens.errors else None
    if last and last.end == len(text) and text[last.start] in _QUOTES and not text.endswith("\n"):
        quote, string = text[last.start], text[last.start + 1 :]
        return replace(expression, text=text[: last.start], quote=quote, string=string)
    behind = tokens.ends[-2] if len(tokens.ends) > 1 else 0
    return None if "//" in text[behind:].rpartition("\n")[2] else expression


def _receiver(path: tuple[Node, ...], offset: int) -> Node | None:
    for node in reversed(path):
        if isinstance(node, ast.Select) and node.field_span[0] <= offset <= max(node.field_span):
            return node.operand
    return None
