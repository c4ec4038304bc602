"""All that benchmarks import from kro-ls; the others use the protocol and the command line."""

from __future__ import annotations

import gc
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from kro_ls.cel.syntax.lexer import tokenize
from kro_ls.cursor.cursor import Cursor
from kro_ls.cursor.parts import parts
from kro_ls.features.completion.completion_list import completion
from kro_ls.features.completion.items import has_letters
from kro_ls.garbage import collect_rarely
from kro_ls.kro.schema_index import schema_index
from kro_ls.openapi.sources.bundled import kubernetes
from kro_ls.openapi.sources.crds.source import CrdSource
from kro_ls.openapi.sources.pack.policy import DEFAULT_POLICY
from kro_ls.openapi.sources.pack.reading import installed_pack
from kro_ls.repairs.proof import errors, fixes
from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.rules.diagnostics import Severity
from kro_ls.server.diagnostics.publishing import shown_while_typing
from kro_ls.workspace.documents import Document, Edit
from kro_ls.yaml_positions.positions import PositionEncoding
from kro_ls.yaml_positions.scalars.writing import edited
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from benchmarks.edits import Change as Typed
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.rules.diagnostics import Diagnostic
    from kro_ls.yaml_positions.text import Change


def settle() -> None:
    """Collect garbage as rarely as a warm server does."""
    collect_rarely()
    gc.freeze()


def messages(text: str) -> list[str]:
    """Analyse a text from scratch, and return the messages of its diagnostics."""
    return [diagnostic.message for diagnostic in diagnose_text(Text(text)).diagnostics]


def is_accepted(text: str) -> bool:
    """Whether kro accepts a text, by our diagnosis."""
    return all(diagnostic.severity is not Severity.ERROR for diagnostic in diagnose_text(Text(text)).diagnostics)


@dataclass(frozen=True, slots=True)
class Word:
    """A name in an expression with its offsets, and whether it begins the expression or follows a dot."""

    name: str
    start: int
    end: int
    is_asked: bool


def kinds_with(crds: Path, *, packed: bool = False) -> SchemaIndex:
    """Return the kinds of the Kubernetes in kro's recorded answers, of a folder of CRDs, and of the pack."""
    files = [(str(path), path.read_text(encoding="utf-8")) for path in sorted(crds.glob("*.y*ml"))]
    known = kubernetes("1.36")
    pack = installed_pack(known, DEFAULT_POLICY) if packed else None
    custom = CrdSource(files, schema_index(known).object_meta)
    return schema_index(known, (custom,), (pack,) if pack else ())


def opened(text: str, schemas: SchemaIndex | None) -> Document:
    """Return a text as an open document, whose characters are counted in code points like offsets."""
    return Document("file:///definition.yaml", 1, Text(text), PositionEncoding.UTF32, schemas=schemas)


def words(document: Document) -> Iterator[Word]:
    """Yield the names in expressions, except those that macros declare."""
    content = document.text.content
    for rgd in document.analysis.rgds:
        for part in parts(rgd):
            for expression in part.part.expressions:
                tokens = tokenize(expression.text)
                declared = {variable.span[0] for variable in expression.inspection.variables}
                for kind, start, end in zip(tokens.kinds, tokens.starts, tokens.ends, strict=True):
                    name = expression.text[start:end]
                    span = part.span(expression.span(start, end))
                    before = content[max(span.start - 100, 0) : span.start].rstrip()
                    is_written = kind == "IDENTIFIER" and content[span.start : span.end] == name
                    if is_written and start not in declared:
                        yield Word(name, span.start, span.end, before.endswith(("${", ".", ".?")))


def offered(document: Document, word: Word, typed: int) -> list[str]:
    """Return the labels offered after so many letters of a word, without the rest of its expression.

    Clients filter them by the typed letters.
    """
    content = document.text.content
    at = word.start + typed
    rest = content[at : _rest_end(content, word.end)]
    lines = _place(document, at), _place(document, at + len(rest))
    edited = document.edited(2, (Edit("", *lines),))
    items = completion(Cursor(edited, at), snippets=True, shared_range=True).items
    letters = word.name[:typed].lower()
    return [item.label for item in items if has_letters((item.filter_text or item.label).lower(), letters)]


def _place(document: Document, offset: int) -> tuple[int, int]:
    position = document.text.position(offset)
    return position.line, position.column


def _rest_end(content: str, start: int) -> int:
    """Return the end of the expression around an offset: its closing bracket, or the end of its line."""
    depth = 0
    for offset in range(start, len(content)):
        match content[offset]:
            case "{":
                depth += 1
            case "}" if depth == 0:
                return offset
            case "}":
                depth -= 1
            case "\n":
                return offset
    return len(content)


@dataclass(frozen=True, slots=True)
class Mark:
    """What identifies a diagnostic while a text changes; `end` may move."""

    code: str
    start: int
    is_error: bool
    end: int = field(compare=False)
    message: str = field(compare=False)


@dataclass(frozen=True, slots=True)
class Keystroke:
    """A text after a key, its errors, and those of them that are shown to a user who goes on typing."""

    text: Text
    line: int
    change: Change
    found: tuple[Mark, ...]
    shown: tuple[Mark, ...]

    def moved(self, mark: Mark) -> Mark:
        """Return a diagnostic of the previous text, at its place in this one."""
        return replace(mark, start=self.change.moved(mark.start), end=self.change.moved(mark.end))

    def off_line(self, marks: set[Mark]) -> list[Mark]:
        """Return those that do not touch the cursor's line."""
        place = self.text.position
        return [mark for mark in marks if not place(mark.start).line <= self.line <= place(mark.end).line]


def keystrokes(text: str, schemas: SchemaIndex | None, changes: Iterator[Typed]) -> Iterator[Keystroke]:
    """Type into a text, through documents like those of the server."""
    document = opened(text, schemas)
    shown = document.diagnosis.diagnostics
    for version, typed in enumerate(changes, start=2):
        document = document.edited(version, (Edit(typed.text, typed.start, typed.end),))
        change = document.change
        found = document.diagnosis.diagnostics
        cursor = change.start + change.length
        content = document.text.content
        shown = shown_while_typing(found, content, cursor, shown, change)
        line = document.text.position(cursor).line
        yield Keystroke(document.text, line, change, tuple(map(_mark, found)), tuple(map(_mark, shown)))


def _mark(diagnostic: Diagnostic) -> Mark:
    is_error = diagnostic.severity is Severity.ERROR
    return Mark(diagnostic.code, diagnostic.span.start, is_error, diagnostic.span.end, diagnostic.message)


def resource_lines(text: str) -> list[tuple[int, int]]:
    """Return the spans of the resources that have lines of their own."""
    rgds = opened(text, None).analysis.rgds
    placed = [each.placed for rgd in rgds for each in rgd.rgd.resources if each.placed.path]
    return [(each.start, each.end) for each in placed]


@dataclass(frozen=True, slots=True)
class Mending:
    """The fixes for the errors of a text: whether one is offered, and whether one mends.

    A fix mends if it removes its error and adds none; `by_first` is whether the first one does. `accepted` means that
    kro then accepts the text, `restored` that the text is as it was without the fault.
    """

    codes: tuple[str, ...]
    offered: bool = False
    mended: bool = False
    by_first: bool = False
    accepted: bool = False
    restored: bool = False
    titles: tuple[str, ...] = ()


def mending(document: Document, text: str) -> Mending | None:
    """Return the effect of the fixes offered for a text; None if it has no errors."""
    broken = document.edited(2, (Edit(text),))
    found = errors(broken)
    if not found:
        return None
    before = Counter((error.code, error.message) for error in found)
    titles: list[str] = []
    mended = by_first = accepted = restored = False
    for error in found[:5]:
        for number, fix in enumerate(fixes(broken, error)):
            titles.append(f"{error.code}: {fix.title}")
            result = edited(text, fix.replacements)
            after = errors(broken.edited(3, (Edit(result),)))
            left = Counter((each.code, each.message) for each in after)
            mends = len(after) < len(found) and not left - before
            mended, by_first = mended or mends, by_first or (mends and number == 0)
            accepted = accepted or not after
            restored = restored or result == document.text.content
    codes = tuple(error.code for error in found)
    return Mending(codes, bool(titles), mended, by_first, accepted, restored, tuple(titles))
