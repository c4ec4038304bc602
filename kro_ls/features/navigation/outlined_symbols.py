"""The symbols of a text, read from its lines without parsing: for a search through a thousand files.

They are those of the outline (`kro_ls/features/navigation/symbols.py`). Where a line could mean something else than it
looks like, there is no answer, and the caller has to parse the text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

from lsprotocol.types import SymbolKind
from msgspec import Struct, field

from kro_ls.analysis.analysis import may_hold_rgd
from kro_ls.kro.forms import GROUP, KIND
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class NamedPlace(Struct, frozen=True):
    """A symbol: its name, what it is, the names of what it stands in, and the place of its name in the text."""

    name: str
    kind: SymbolKind
    container: str | None
    span: Span


class UncertainError(Exception):
    """The text may mean something else than its lines look like."""


_Wanted: TypeAlias = "Mapping[str, _Wanted | None]"
"""The keys to read, each with those below it; None for a key whose value in the line is enough. `*` is any key."""

_FIELDS: dict[str, _Wanted | None] = {}
_FIELDS["*"] = _FIELDS
_ROOT: _Wanted = {
    "apiVersion": None,
    "kind": None,
    "metadata": {"name": None},
    "spec": {
        "schema": {"kind": None, "spec": _FIELDS, "types": _FIELDS, "status": _FIELDS},
        "resources": {"id": None, "forEach": {"*": None}, "template": None, "externalRef": None},
    },
}


class _Entry(Struct):
    """A key of a mapping, the value in its line, and what stands below it; `items` are those of a list."""

    name: str
    key: Span
    value: str
    value_span: Span
    items: list[list[_Entry]] = field(default_factory=list)

    def text(self) -> str:
        """Return the value as text. Raises UncertainError where that takes a parser."""
        quote, inner = self.value[:1], self.value[1:-1]
        if quote in ("'", '"'):
            if len(self.value) < 2 or not self.value.endswith(quote) or quote in inner or "\\" in inner:
                raise UncertainError
            return inner
        if not _PLAIN.fullmatch(self.value):
            raise UncertainError
        return self.value


_PLAIN = re.compile(r"(?!(?i:null|true|false|yes|no|on|off|y|n)\Z)[A-Za-z][\w./-]*")
_SCALAR = re.compile(r"[^\"'{\[&*!|>%@`].*|\"(?:[^\"\\]|\\.)*\"|'(?:[^']|'')*'|[|>][-+]?")
_KEY = re.compile(r"(?:\"([^\"\\]*)\"|'([^']*)'|([A-Za-z0-9_$][\w./$-]*)) *:(?: +(.*))?$")
_COMMENT = re.compile(r"(?:^|\s+)#.*$|\s+$")
_DOUBTFUL = ("\t", "{{", "<<", ": &", ": *", "- &", "- *", ", *", "\n...", "\n%", "\n?")
"""What may change the meaning of other lines: aliases, the actions of templates, tabs, directives."""
_DOCUMENT = re.compile(r"\n---(?=[ \t\r\n]|\Z)")  # much faster than to try `^`
_DEEPEST = 20


def outlined_symbols(content: str) -> tuple[NamedPlace, ...]:
    """Return the symbols of all RGDs in a text. Raises UncertainError where the text must be parsed."""
    if not may_hold_rgd(content):
        return ()
    if any(each in content for each in _DOUBTFUL) or content.count("\r") != content.count("\r\n"):
        raise UncertainError
    markers = [match.start() for match in _DOCUMENT.finditer(f"\n{content}")]
    starts, ends = [0, *(marker + 3 for marker in markers)], [*markers, len(content)]
    found: list[NamedPlace] = []
    for start, end in zip(starts, ends, strict=True):
        if may_hold_rgd(content[start:end]):
            found += _symbols(_Lines(content, start, end).mapping(0, _ROOT))
    return tuple(found)


def _symbols(root: list[_Entry]) -> Iterator[NamedPlace]:
    kind, version, name = (_find(root, *path) for path in (("kind",), ("apiVersion",), ("metadata", "name")))
    if not kind or not version or not name or kind.text() != KIND or version.text().partition("/")[0] != GROUP:
        raise UncertainError
    if any(entry.name in ("status", "$patch") for entry in root):
        raise UncertainError
    above = name.text()
    yield NamedPlace(above, SymbolKind.Module, None, name.value_span)
    schema = _find(root, "spec", "schema")
    if schema:
        declared = _find(root, "spec", "schema", "kind")
        if declared:
            yield NamedPlace(declared.text(), SymbolKind.Class, above, name.value_span)
        for section in ("spec", "types", "status"):
            for entry in _below(_find(root, "spec", "schema", section)):
                yield from _fields(entry, f"{above}.schema.{section}", 0)
    resources = _find(root, "spec", "resources")
    for item in resources.items if resources else ():
        yield from _resource(item, above)


def _fields(entry: _Entry, container: str, depth: int) -> Iterator[NamedPlace]:
    is_object = bool(entry.items) or entry.value == "{}"
    yield NamedPlace(entry.name, SymbolKind.Struct if is_object else SymbolKind.Field, container, entry.key)
    for child in _below(entry) if depth < _DEEPEST else ():
        yield from _fields(child, f"{container}.{entry.name}", depth + 1)


def _resource(item: list[_Entry], above: str) -> Iterator[NamedPlace]:
    name, each, template, reference = (_find(item, key) for key in ("id", "forEach", "template", "externalRef"))
    if not name or (template and reference) or (each and each.value):
        raise UncertainError
    kind = SymbolKind.Variable if reference else SymbolKind.Array if each and each.items else SymbolKind.Object
    yield NamedPlace(name.text(), kind, above, name.value_span)
    for entries in each.items if each else ():
        for entry in entries:
            yield NamedPlace(entry.name, SymbolKind.Variable, f"{above}.{name.text()}", entry.key)


def _find(entries: list[_Entry], *path: str) -> _Entry | None:
    found = None
    for name in path:
        found = next((entry for entry in entries if entry.name == name), None)
        entries = _below(found)
    return found


def _below(entry: _Entry | None) -> list[_Entry]:
    return entry.items[0] if entry and len(entry.items) == 1 else []


class _Lines:
    """Reads the lines of one document that hold more than blanks and comments, from the first to the last."""

    def __init__(self, content: str, start: int, end: int) -> None:
        self._lines: list[tuple[int, str, int]] = []
        """Each with its column, its text, and its place in the document."""
        for line in content[start:end].split("\n"):
            text = line.lstrip(" ")
            if text and text[0] not in "#\r":
                self._lines.append((len(line) - len(text), text, start + len(line) - len(text)))
            start += len(line) + 1
        self._next = 0

    def _column(self) -> int:
        return self._lines[self._next][0] if self._next < len(self._lines) else -1

    def mapping(self, column: int, wanted: _Wanted) -> list[_Entry]:
        """Read the entries of a mapping whose keys stand in a column."""
        entries: list[_Entry] = []
        while self._column() == column and not self._is_item():
            _, text, start = self._lines[self._next]
            match = _KEY.match(text)
            if match is None:
                raise UncertainError
            self._next += 1
            entries.append(self._entry(column, match, start, wanted))
        if self._column() > column or len({entry.name for entry in entries}) < len(entries):
            raise UncertainError
        return entries

    def _is_item(self) -> bool:
        return self._lines[self._next][1].startswith(("- ", "-\r")) or self._lines[self._next][1] == "-"

    def _entry(self, column: int, match: re.Match[str], start: int, wanted: _Wanted) -> _Entry:
        name = match[1] or match[2] or match[3] or ""
        quotes = 0 if match[3] else 1
        key = Span(start, start + match.end(3 if match[3] else 2 if match[2] else 1) + quotes)
        raw = match[4] or ""
        value = _COMMENT.sub("", raw)
        place = start + (match.start(4) if value else match.end())
        entry = _Entry(name, key, value, Span(place, place + len(value)))
        below = wanted.get(name, wanted.get("*"))
        if below is None or (value and _SCALAR.fullmatch(value) and below is _FIELDS):
            self._skip(column)
        elif value and value not in ("{}", "[]"):
            raise UncertainError
        elif self._column() >= column and self._is_item():
            self._items(entry, self._column(), below)
        elif self._column() > column:
            entry.items.append(self.mapping(self._column(), below))
        return entry

    def _items(self, entry: _Entry, column: int, wanted: _Wanted) -> None:
        if wanted is _FIELDS:
            self._skip(column - 1)
            return
        while self._column() == column and self._is_item():
            _, text, start = self._lines[self._next]
            inner = text[1:].lstrip(" ")
            if not _KEY.match(inner):
                raise UncertainError
            indent = len(text) - len(inner)
            self._lines[self._next] = (column + indent, inner, start + indent)
            entry.items.append(self.mapping(column + indent, wanted))

    def _skip(self, column: int) -> None:
        """Go past the lines that belong to an entry in a column."""
        while self._column() > column or (self._column() == column and self._is_item()):
            self._next += 1
