"""Builds the tree of one chunk from the parser's events."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field
from ruamel.yaml.events import (
    AliasEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from kro_ls.yaml_positions.errors import YamlError, YamlErrorCode
from kro_ls.yaml_positions.nodes import Alias, Entry, Mapping, Node, Scalar, Sequence, is_merge_key, resolved
from kro_ls.yaml_positions.parsing.events import events
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.resolution import ScalarStyle, is_text, resolve

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Mapping as ReadOnlyMapping

# Deeper than any real document; low enough for recursion over the tree to be safe.
DEEPEST_NESTING = 200

# Each node that an alias repeats is processed as if it were written out. People repeat tens of them.
MOST_REPEATED = 8_000

_STYLES = {
    "'": ScalarStyle.SINGLE_QUOTED,
    '"': ScalarStyle.DOUBLE_QUOTED,
    "|": ScalarStyle.LITERAL,
    ">": ScalarStyle.FOLDED,
}
_BLANKS = r"[ \t\r\n\x85\u2028\u2029]"
_PROPERTIES = rf"(?:[!&][^ \t\r\n\x85\u2028\u2029]*(?:{_BLANKS}|\Z)(?:{_BLANKS}|#[^\r\n\x85\u2028\u2029]*)*)+"
_PLAIN = ScalarStyle.PLAIN
_MISSING = ScalarStyle.MISSING


class OpenCollection(Struct):
    """A collection whose end has not been read. Of a mapping, `children` are keys and values in turn."""

    start: int
    is_mapping: bool
    flow: bool
    anchor: str | None
    children: list[Node] = field(default_factory=list)


class TreeBuilder:
    """Reads a text's events into `root`.

    When the parser fails, `open` and `last` show the repair what was read so far. `locate` maps an offset of the parsed
    text to the author's text; they differ where a repair has changed the text.
    `damage` names, by offset, the scalars that a repair had to touch, and the text to give them where it is not the
    parsed one. Aliases that together stand for more than `most_repeated` nodes have no target; `cut` is the first one.
    """

    def __init__(
        self,
        text: str,
        locate: Callable[[int], int] | None = None,
        damage: ReadOnlyMapping[int, str | None] | None = None,
        most_repeated: float = MOST_REPEATED,
    ) -> None:
        self.text = text
        self.errors: list[YamlError] = []
        self.open: list[OpenCollection] = []
        self.last: Scalar | None = None
        self.has_alias = False
        self.cut: Span | None = None
        self._repeated_left = most_repeated
        self._sizes: dict[int, int] = {}
        self.anchors: dict[str, Scalar | Mapping | Sequence | None] = {}
        self._locate = locate
        self._damage = damage
        self._roots: list[Node] = []
        self._siblings = self._roots  # what the next node is added to

    @property
    def root(self) -> Node | None:
        """The tree, None where nothing is written."""
        return self._roots[-1] if self._roots else None

    def build(self) -> None:
        """Read all events. Raise `ParseFailure` where the text is not YAML; too deep a nesting ends the tree there."""
        try:
            self._read_events()
        except _TooDeepError:
            while self.open:
                self._close_unfinished()

    def again(self, most_repeated: float) -> TreeBuilder:
        """Return the builder of the same text, which was read to its end, with another limit."""
        builder = TreeBuilder(self.text, self._locate, self._damage, most_repeated)
        builder.build()
        return builder

    def _read_events(self) -> None:
        for event in events(self.text):
            kind = type(event)
            if kind is ScalarEvent:
                self._scalar(event)
            elif kind is MappingStartEvent or kind is SequenceStartEvent:
                self._start_collection(event)
            elif kind is MappingEndEvent or kind is SequenceEndEvent:
                self._end_collection(event)
            elif kind is AliasEvent:
                self._alias(event)

    def _place(self, offset: int) -> int:
        return offset if self._locate is None else self._locate(offset)

    def _scalar(self, event: Any) -> None:
        start, end, text = event.start_mark.index, event.end_mark.index, event.value
        style = _STYLES.get(event.style, _PLAIN)
        if event.ctag is None and event.anchor is None and self._locate is None and text and is_text(text, style):
            self.last = node = Scalar(start, end, text, text, style)  # as most are: nothing below changes them
            self._siblings.append(node)
            return
        tag = event.tag
        if tag is not None or event.anchor is not None:
            start = self._after_properties(start, end)
        if not text and style is _PLAIN:
            style = _MISSING
            start = end = self._place_for_value(end)
        start, end = self._place(start), self._place(end)
        if self._damage and start in self._damage:
            replacement = self._damage[start]
            if replacement is not None:
                text, style, tag = replacement, _PLAIN, None
            damaged = True
        else:
            damaged = False
        meaning = resolve(text, style, tag)
        if meaning.problem is not None and not (self._is_at_key() and meaning.key is not None):
            self.errors.append(YamlError(start, end, meaning.problem, YamlErrorCode.INVALID_VALUE))
        node = Scalar(start, end, text, meaning.value, style, tag, damaged)
        self.last = node
        self._add(node, event.anchor)

    def _is_at_key(self) -> bool:
        """Return whether the next node is the key of an entry, where a number that JSON lacks is a string."""
        return bool(self.open) and self.open[-1].is_mapping and len(self._siblings) % 2 == 0

    def _place_for_value(self, offset: int) -> int:
        """Return where a missing value would be typed: one blank after the colon or the dash."""
        return offset + 1 if self.text[offset : offset + 1] == " " else offset

    def _after_properties(self, start: int, end: int) -> int:
        match = re.match(_PROPERTIES, self.text[start:end])
        return start if match is None else start + match.end()

    def _alias(self, event: Any) -> None:
        self.has_alias = True
        start, end, name = self._place(event.start_mark.index), self._place(event.end_mark.index), event.anchor
        target = self.anchors.get(name)
        if name not in self.anchors:
            message = f"unknown anchor '{name}'; define it before with '&{name}', or quote the value"
            printed = f"unknown anchor '{name}' referenced"
            self.errors.append(YamlError(start, end, message, YamlErrorCode.UNKNOWN_ANCHOR, printed=printed))
        elif target is None:
            message = f"the value of the anchor '{name}' contains itself; refer to another anchor"
            printed = f"anchor '{name}' value contains itself"
            self.errors.append(YamlError(start, end, message, YamlErrorCode.UNKNOWN_ANCHOR, printed=printed))
        else:
            self._repeated_left -= self._size(target)
            if self._repeated_left < 0:
                target, self.cut = None, self.cut or Span(start, end)
        self._add(Alias(start, end, name, target), None)

    def _size(self, node: Node) -> int:
        """Return the number of nodes in a node, including those that aliases repeat."""
        size = self._sizes.get(id(node))
        if size is None:
            size = 1
            if isinstance(node, Alias):
                size += self._size(node.target) if node.target else 0  # cached: it was computed before
            elif isinstance(node, Mapping):
                for entry in node.entries:
                    size += self._size(entry.key) + self._size(entry.value)
            elif isinstance(node, Sequence):
                for item in node.items:
                    size += self._size(item)
            self._sizes[id(node)] = size
        return size

    def _start_collection(self, event: Any) -> None:
        start = event.start_mark.index
        if len(self.open) >= DEEPEST_NESTING:
            place = self._place(start)
            message = f"nested more than {DEEPEST_NESTING} levels deep; make it flatter"
            self.errors.append(YamlError(place, place + 1, message, YamlErrorCode.TOO_DEEP))
            raise _TooDeepError
        if event.anchor is not None:
            self.anchors[event.anchor] = None
        if event.anchor is not None or event.ctag is not None:
            start = self._after_properties(start, len(self.text))
        is_mapping = type(event) is MappingStartEvent
        collection = OpenCollection(self._place(start), is_mapping, bool(event.flow_style), event.anchor)
        self.open.append(collection)
        self._siblings = collection.children

    def _close_unfinished(self) -> None:
        collection = self.open[-1]
        if collection.is_mapping and len(collection.children) % 2:
            end = collection.children[-1].end
            collection.children.append(Scalar(end, end, "", None, _MISSING, damaged=True))
        self._end_collection(None)

    def _end_collection(self, event: Any) -> None:
        collection = self.open.pop()
        self._siblings = self.open[-1].children if self.open else self._roots
        children = collection.children
        if collection.flow and event is not None:
            end = self._place(event.end_mark.index)
        else:
            end = collection.start
            for child in children[-2:]:
                if child.end > end:
                    end = child.end
        node = (
            self._mapping(collection, end)
            if collection.is_mapping
            else Sequence(collection.start, end, tuple(children), collection.flow)
        )
        self._add(node, collection.anchor)

    def _mapping(self, collection: OpenCollection, end: int) -> Mapping:
        children = collection.children
        keys = children[::2]
        names = list(map(_key_name, keys))
        entries = tuple(map(Entry, keys, children[1::2], names))
        index: dict[str, Entry] = dict(zip(names, entries, strict=True))  # type: ignore[arg-type]  # see below
        if None in index or "<<" in index or len(index) < len(entries):
            index = self._checked_index(entries)
        return Mapping(collection.start, end, entries, collection.flow, index)

    def _checked_index(self, entries: tuple[Entry, ...]) -> dict[str, Entry]:
        """Return the entries by their names, and report invalid and repeated keys."""
        index: dict[str, Entry] = {}
        for entry in entries:
            name = entry.name
            if name is None:
                self._refuse_key(entry.key)
                continue
            if is_merge_key(entry.key):
                self._check_merge(entry.value)
            if name in index:
                self._refuse_duplicate(name, entry.key, index[name].key)
            index[name] = entry
        return index

    def _refuse_key(self, key: Node) -> None:
        message = "a key must be a string, a number or a boolean; quote the key"
        if isinstance(key, Mapping) and key.flow:
            message = "'{' starts a mapping here; quote the value if it is meant as text"
        self.errors.append(YamlError(key.start, key.end, message, YamlErrorCode.INVALID_KEY, printed="invalid map key"))

    def _check_merge(self, value: Node) -> None:
        sources = value.items if isinstance(value, Sequence) else (value,)
        for source in sources:
            target = resolved(source)
            if target is not None and not isinstance(target, Mapping):
                message = "'<<' takes a mapping or a list of mappings; merge an alias of a mapping"
                printed = "map merge requires map or sequence of maps as the value"
                self.errors.append(
                    YamlError(source.start, source.end, message, YamlErrorCode.INVALID_VALUE, printed=printed)
                )

    def _refuse_duplicate(self, name: str, key: Node, first: Node) -> None:
        if is_merge_key(key) or not _is_same_key(key, first):
            return
        message = f"'{name}' is given twice, and only the last value counts; remove or rename one of the two"
        related, printed = Span(first.start, first.end), f'key "{name}" already set in map'
        self.errors.append(YamlError(key.start, key.end, message, YamlErrorCode.DUPLICATE_KEY, related, printed))

    def _add(self, node: Node, anchor: str | None) -> None:
        if anchor is not None and not isinstance(node, Alias):
            self.anchors[anchor] = node
        self._siblings.append(node)


class _TooDeepError(Exception):
    """The text nests too deeply; the error is in the builder's list."""


def _key_name(node: Node) -> str | None:
    if type(node) is Scalar and node.tag is None and type(node.value) is str:
        return node.value
    key = resolved(node)
    if not isinstance(key, Scalar):
        return None
    if key.tag is None and isinstance(key.value, str):
        return key.value
    return resolve(key.text, key.style, key.tag).key


def _is_same_key(key: Node, other: Node) -> bool:
    """Return whether two keys with one name are the same key to the YAML library, for which `1` and `"1"` differ."""
    one, two = resolved(key), resolved(other)
    return isinstance(one, Scalar) and isinstance(two, Scalar) and type(one.value) is type(two.value)
