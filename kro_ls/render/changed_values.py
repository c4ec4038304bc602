"""Changes one value in a YAML text: comments, order, quotes and indentation stay as they are.

A new value is written in the style of the node that it replaces.
"""

from __future__ import annotations

import json
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Final

from kro_ls.printable import printable_literals
from kro_ls.render.yaml_text import entry_lines, indented, lines, scalar_text, text_block
from kro_ls.runtime.testing.expectations import common_ends
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.errors import ExcessiveAliasingError
from kro_ls.yaml_positions.nodes import Mapping, Scalar, Sequence, to_python
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.resolution import ScalarStyle
from kro_ls.yaml_positions.scalars.writing import Replacement, double_quoted, edited
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.model.paths import Path
    from kro_ls.yaml_positions.nodes import Node


_MISSING: Final[Any] = object()


def with_value(content: str, number: int, path: Path, value: Any) -> str | None:
    """Return a text in which the value at a path is replaced, in the document with a 0-based number.

    None if that would change anything else, because of an anchor or a tag.
    """
    document = parse_stream(Text(content)).documents[number]
    located = document.child(path)
    if located is None or document.errors or not document.is_read_whole:
        return None
    changes = _Changes(located.placed.chunk.text).of_value(located.node, located.key, value)
    edits = [
        Replacement(
            Span(located.placed.to_document(each.span.start), located.placed.to_document(each.span.end)), each.text
        )
        for each in changes
    ]
    changed = edited(content, edits)
    wanted = _with(document.to_python(), path, value)
    return changed if _is_same(_value(changed, number), wanted) else None


def _value(content: str, number: int) -> Any:
    """Return the value of a document, `_MISSING` for one that cannot be read."""
    documents = parse_stream(Text(content)).documents
    if number >= len(documents) or documents[number].errors:
        return _MISSING
    try:
        return documents[number].to_python()
    except ExcessiveAliasingError:
        return _MISSING


def _with(whole: Any, path: Path, value: Any) -> Any:
    if not path:
        return value
    step, *below = path
    if isinstance(whole, dict):
        return whole | {step: _with(whole[step], tuple(below), value)}
    return [_with(each, tuple(below), value) if index == step else each for index, each in enumerate(whole)]


def _is_same(one: Any, other: Any) -> bool:
    """Return whether two values are written alike: `1` is neither `true` nor `1.0`."""
    return one is not _MISSING and json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


class _Changes:
    """The edits that change values in a text."""

    def __init__(self, text: str) -> None:
        self._text = text

    def of_value(self, node: Node, key: Node | None, new: Any) -> Iterator[Replacement]:
        """Yield the edits that replace the value of a node; an alias is replaced, not followed."""
        old = to_python(node)
        if _is_same(old, new):
            return
        if isinstance(node, Mapping | Sequence) and node.flow and isinstance(new, dict | list):
            yield Replacement(node.span, written_like(self._text, node, new))
        elif isinstance(node, Mapping) and isinstance(new, dict) and new:
            yield from self._of_mapping(node, key, new)
        elif isinstance(node, Sequence) and isinstance(new, list) and new:
            yield from self._of_sequence(node, key, new)
        elif isinstance(node, Mapping | Sequence) and not node.flow:
            yield from self._instead_of_block(node, key, new)
        else:
            yield self._instead_of_line(node, key, new)

    def _of_mapping(self, node: Mapping, key: Node | None, new: dict[str, Any]) -> Iterator[Replacement]:
        kept = [entry for name, entry in node.index.items() if name in new]
        added = {name: value for name, value in new.items() if name not in node.index}
        if not kept:
            yield self._block_in_place(node, key, new)
            return
        indent = self._column(node.start)
        if added:  # before what is added further inside, whose place may be the same
            written = [line for name, value in added.items() for line in entry_lines(name, value)]
            yield self._insertion(self._line_after(node.entries[-1].end), written, indent)
        gone = [entry for entry in node.entries if entry.name not in new]
        first = list(takewhile(lambda entry: entry in gone, node.entries))
        if first and self._lead(first[0].start).strip():  # `- name: value`: the next entry takes the place
            yield Replacement(Span(first[0].start, node.entries[len(first)].start), "")
            gone = gone[len(first) :]
        for entry in gone:
            yield self._without_lines(entry.start, entry.end)
        for entry in kept:
            yield from self.of_value(entry.value, entry.key, new[str(entry.name)])

    def _of_sequence(self, node: Sequence, key: Node | None, new: list[Any]) -> Iterator[Replacement]:
        old = [to_python(each) for each in node.items]
        first, last = common_ends(old, new, _is_same)
        changed, now = node.items[first : len(old) - last], new[first : len(new) - last]
        dashes = [self._dash(each.start) for each in node.items]
        if len(old) != len(new) and (None in dashes or self._lead(node.start).strip()):
            yield self._block_in_place(node, key, new)
            return
        added = now[len(changed) :]
        if added:
            following = first + len(changed)
            at = dashes[following] if following < len(dashes) else None
            place = self._line_after(node.items[-1].end) if at is None else self._line_start(at)
            yield self._insertion(place, list(lines(added)), self._column(node.start))
        for item in changed[len(now) :]:
            yield self._without_lines(self._dash(item.start) or item.start, item.end)
        for item, value in zip(changed, now, strict=False):
            yield from self.of_value(item, None, value)

    def _instead_of_block(self, node: Mapping | Sequence, key: Node | None, new: Any) -> Iterator[Replacement]:
        """Replace the lines of a block by another block, or by a value on the line of its key."""
        if isinstance(new, dict | list) and new:
            yield self._block_in_place(node, key, new)
        elif key is None or self._line_start(key.start) == self._line_start(node.start):
            yield Replacement(Span(node.start, self._end(node.end)), flow_text(new))
        else:
            colon = self._text.index(":", key.end) + 1
            yield Replacement(Span(colon, colon), f" {flow_text(new)}")
            yield Replacement(Span(self._line_start(node.start), self._line_after(node.end)), "")

    def _block_in_place(self, node: Node, key: Node | None, new: Any) -> Replacement:
        indent = self._column(node.start)
        deeper = ""
        if isinstance(new, dict) and key is not None and indent <= self._column(key.start):  # as only lists may stand
            deeper, indent = "  ", indent + 2
        written = lines_of_block(new, indent)
        return Replacement(Span(node.start, self._end(node.end)), deeper + written.lstrip(" "))

    def _instead_of_line(self, node: Node, key: Node | None, new: Any) -> Replacement:
        """Replace a scalar, an alias, or a value in flow style."""
        is_missing = isinstance(node, Scalar) and node.style is ScalarStyle.MISSING
        in_flow = key is not None and "{" in self._lead(key.start)
        becomes_block = isinstance(new, dict | list) and new and isinstance(node, Scalar)
        if becomes_block and key is not None and not in_flow:
            place = Span(node.start if is_missing else self._after_colon(key), self._end_of(node))
            indent = self._column(key.start) + (2 if isinstance(new, dict) else 0)
            return Replacement(place, f"\n{lines_of_block(new, indent)}")
        text = scalar_like(self._text, node, new, self._column((key or node).start), in_flow=in_flow)
        before = self._text[node.start - 1 : node.start]
        return Replacement(Span(node.start, self._end_of(node)), f" {text}" if is_missing and before == ":" else text)

    def _after_colon(self, key: Node) -> int:
        return self._text.index(":", key.end) + 1

    def _without_lines(self, start: int, end: int) -> Replacement:
        return Replacement(Span(self._line_start(start), self._line_after(end)), "")

    def _insertion(self, place: int, written: list[str], indent: int) -> Replacement:
        text = "".join(f"{' ' * indent}{line}\n" for line in written)
        is_line = not place or self._text[place - 1] == "\n"
        return Replacement(Span(place, place), text if is_line else f"\n{text.removesuffix(chr(10))}")

    def _dash(self, start: int) -> int | None:
        """Return where the dash of an item stands, None where it is not on the item's line."""
        lead = self._lead(start).rstrip()
        return self._line_start(start) + len(lead) - 1 if lead.endswith("-") and not lead[:-1].strip() else None

    def _lead(self, offset: int) -> str:
        return self._text[self._line_start(offset) : offset]

    def _column(self, offset: int) -> int:
        return offset - self._line_start(offset)

    def _line_start(self, offset: int) -> int:
        return self._text.rfind("\n", 0, offset) + 1

    def _end(self, end: int) -> int:
        """Return the end of a value without the blank and the line ends that belong to a block."""
        return len(self._text[:end].rstrip())

    def _end_of(self, node: Node) -> int:
        return max(node.start, self._end(node.end))

    def _line_after(self, end: int) -> int:
        """Return where the line after that of a value begins."""
        return self._text.find("\n", self._end(end)) + 1 or len(self._text)


_BLOCKS = {ScalarStyle.LITERAL: "|", ScalarStyle.FOLDED: ">"}


def lines_of_block(value: Any, indent: int) -> str:
    """Return a value in block style without the last line end, its lines indented by a number of blanks."""
    return "\n".join(indented(line, indent) for line in lines(value))


def flow_text(value: Any, *, in_flow: bool = True) -> str:
    """Return a value on one line: `{a: 1, b: [x]}`."""
    if isinstance(value, dict):
        return (
            "{"
            + ", ".join(f"{scalar_text(name, in_flow=True)}: {flow_text(each)}" for name, each in value.items())
            + "}"
        )
    if isinstance(value, list):
        return "[" + ", ".join(map(flow_text, value)) + "]"
    return scalar_text(value, in_flow=in_flow)


def written_like(text: str, node: Mapping | Sequence, value: Any) -> str:
    """Return a value in flow style; the unchanged entries of a collection keep their text."""
    inside = text[node.start + 1 : node.end - 1]
    before = inside[: len(inside) - len(inside.lstrip())] if inside.strip() else ""
    after = inside[len(inside.rstrip()) :] if inside.strip() else ""
    if isinstance(node, Mapping) and isinstance(value, dict):
        parts = [
            f"{text[node.index[name].start : node.index[name].value.start]}{_part(text, node.index[name].value, each)}"
            if name in node.index
            else f"{scalar_text(name, in_flow=True)}: {flow_text(each)}"
            for name, each in value.items()
        ]
    elif isinstance(node, Sequence) and isinstance(value, list):
        parts = [
            _part(text, node.items[index], each) if index < len(node.items) else flow_text(each)
            for index, each in enumerate(value)
        ]
    else:
        return flow_text(value)
    opening, closing = "{}" if isinstance(node, Mapping) else "[]"
    separator = f",{before}" if "\n" in before else ", "
    return f"{opening}{before}{separator.join(parts)}{after}{closing}" if parts else f"{opening}{closing}"


def _part(text: str, node: Node, value: Any) -> str:
    if to_python(node) == value and type(to_python(node)) is type(value):
        return text[node.start : node.end]
    if isinstance(node, Mapping | Sequence) and isinstance(value, dict | list):
        return written_like(text, node, value)
    return scalar_like(text, node, value, 0, in_flow=True)


def scalar_like(text: str, node: Node, value: Any, indent: int, *, in_flow: bool) -> str:
    """Return a value in the style of a scalar: its quotes, or its block, which is below `indent` blanks."""
    if not isinstance(node, Scalar) or not isinstance(value, str):
        return flow_text(value, in_flow=in_flow)
    if node.style is ScalarStyle.SINGLE_QUOTED and value.isprintable():
        return "'" + value.replace("'", "''") + "'"
    if node.style in (ScalarStyle.SINGLE_QUOTED, ScalarStyle.DOUBLE_QUOTED):
        return printable_literals(double_quoted(value))
    if node.style in _BLOCKS:
        block = _literal_block(text[node.start : node.end], value, indent)
        if block:
            return block
    return scalar_text(value, in_flow=in_flow)


def _literal_block(source: str, value: str, indent: int) -> str | None:
    """Return a text as a literal block with the indentation of another block; None where it cannot be one."""
    block = text_block(value)
    if block is None:
        return None
    written = [line for line in source.split("\n")[1:] if line.strip()]
    blanks = len(written[0]) - len(written[0].lstrip(" ")) if written else indent + 2
    return "\n".join([block[0], *(indented(line, blanks) for line in block[1:])])
