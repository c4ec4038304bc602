"""Comments that silence diagnostics: `# kro-ls: ignore[code, other-code]`.

A comment silences its own line; a comment that stands alone on its line silences the next line. Where a text over
several lines begins in a silenced line (a block scalar, a quoted text that goes on), all its lines are silenced.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kro_ls.rules.diagnostics import Fix
from kro_ls.yaml_positions.documents.stream import chunk_comments
from kro_ls.yaml_positions.nodes import Scalar
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.writing import Replacement

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kro_ls.rules.diagnostics import Diagnostic
    from kro_ls.yaml_positions.documents.document import YamlDocument
    from kro_ls.yaml_positions.documents.stream import YamlStream
    from kro_ls.yaml_positions.text import Text

_IGNORE = r"#\s*kro-ls:\s*ignore\[([^\]]*)\]"

_COMMENT_OR_BLANK = r"[ \t]*(?:[#\r\n]|\Z)"


def ignored_codes(stream: YamlStream) -> dict[int, frozenset[str]]:
    """Return the silenced codes by 0-based line; a text without such comments only costs a search."""
    text = stream.text
    if not text.contains("kro-ls:"):
        return {}
    lines: dict[int, frozenset[str]] = {}
    read: dict[str, frozenset[str]] = {}  # a text may have a comment on each line, mostly the same one
    for span in stream.comments():
        match = re.compile(_IGNORE).match(text.content, span.start, span.end)
        if match is None:
            continue
        line = text.position(span.start).line
        codes = read.get(match[1])
        if codes is None:
            codes = read[match[1]] = frozenset(code.strip() for code in match[1].split(","))
        first = line + 1 if _is_alone(text, span) else line
        document = stream.document_at(text.line_start(first))
        for target in range(first, _last_line(text, document, first) + 1):
            lines[target] = lines[target] | codes if target in lines else codes
    return lines


def separate(stream: YamlStream, found: Sequence[Diagnostic]) -> tuple[tuple[Diagnostic, ...], tuple[Diagnostic, ...]]:
    """Return the diagnostics to show and those that comments silence."""
    ignored = ignored_codes(stream)
    if not ignored:
        return tuple(found), ()
    shown: list[Diagnostic] = []
    silenced: list[Diagnostic] = []
    for diagnostic in found:
        codes = ignored.get(stream.text.position(diagnostic.span.start).line, ())
        (silenced if diagnostic.code in codes else shown).append(diagnostic)
    return tuple(shown), tuple(silenced)


def silence(text: Text, document: YamlDocument, diagnostic: Diagnostic) -> Fix:
    """Return the fix that silences a diagnostic with a comment, at the end of its line or else above it."""
    line = text.position(diagnostic.span.start).line
    inside = _text_over_lines(text, document, diagnostic.span.start)
    first = text.position(inside.start).line if inside else line
    comment = None if inside else _comment_in(text, document, line)
    if comment is None and first == line and _last_line(text, document, line) == line:
        end = text.line_span(line).end
        replacement = Replacement(Span(end, end), f"  # kro-ls: ignore[{diagnostic.code}]")
    else:
        replacement = _added(text, comment, diagnostic.code) or _above(text, document, first, diagnostic.code)
    return Fix(f"Silence {diagnostic.code} here with a comment", (replacement,))


def _above(text: Text, document: YamlDocument, line: int, code: str) -> Replacement:
    """Return the edit that adds a comment above a line, or the code to the comment that is there."""
    before = _comment_in(text, document, line - 1) if line else None
    added = _added(text, before, code) if before and _is_alone(text, before) else None
    if added:
        return added
    content = text.line_span(line)
    written = text.content[content.start : content.end]
    indent = written[: len(written) - len(written.lstrip(" "))]
    return Replacement(Span(content.start, content.start), f"{indent}# kro-ls: ignore[{code}]\n")


def _added(text: Text, comment: Span | None, code: str) -> Replacement | None:
    """Return the edit that adds a code to a comment that silences others; None for any other comment."""
    match = re.compile(_IGNORE).match(text.content, comment.start, comment.end) if comment else None
    return Replacement(Span(match.end(1), match.end(1)), f", {code}") if match else None


def _comment_in(text: Text, document: YamlDocument, line: int) -> Span | None:
    """Return the comment in a line."""
    span = text.line_span(line)
    if "#" not in text.content[span.start : span.end]:
        return None
    placed = document.chunk_at(span.start)
    found = (placed.document_span(comment) for comment in chunk_comments(placed.chunk))
    return next((comment for comment in found if span.start <= comment.start < span.end), None)


def _is_alone(text: Text, comment: Span) -> bool:
    line = text.position(comment.start).line
    return not text.content[text.line_start(line) : comment.start].strip()


def _last_line(text: Text, document: YamlDocument, line: int) -> int:
    """Return the last line of the scalar that begins in a line and goes on below it, else the line itself."""
    if re.compile(_COMMENT_OR_BLANK).match(text.content, text.line_start(line)):
        return line  # no scalar begins here, and there may be thousands of such lines
    over_lines = _text_over_lines(text, document, text.line_span(line).end)
    if over_lines is None or over_lines.start < text.line_start(line):
        return line
    last = text.position(over_lines.end)
    return last.line - 1 if last.column == 0 else last.line


def _text_over_lines(text: Text, document: YamlDocument, offset: int) -> Span | None:
    """Return the scalar of more than one line that an offset is in."""
    at = document.path_at(offset)
    if at is None or at[2] or not isinstance(at[1].node, Scalar):
        return None
    span = at[1].span
    is_inside = span.start <= offset < span.end
    return span if is_inside and text.position(span.start).line < text.position(span.end).line else None
