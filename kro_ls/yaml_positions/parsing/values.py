"""What can be read from the events of a text without a tree, several times faster.

`simple_values` are the values of valid documents, for texts whose positions do not matter; `is_storable` says whether
a text is small enough for the API server. Source of the limit: k8s.io/apiserver `pkg/server/config.go`,
`MaxRequestBodyBytes`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ruamel.yaml.events import (
    AliasEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from kro_ls.yaml_positions.errors import ParseFailure
from kro_ls.yaml_positions.parsing.builder import DEEPEST_NESTING
from kro_ls.yaml_positions.parsing.events import events, replace_invalid_characters
from kro_ls.yaml_positions.scalars.resolution import ScalarStyle, is_text, resolve

if TYPE_CHECKING:
    from kro_ls.yaml_positions.nodes import JsonValue

MOST_BYTES: Final = 3 * 1024**2
SURELY_STORABLE: Final = MOST_BYTES // 3
"""In characters: `a,` in braces is counted as six bytes, and nothing as more for its length."""

_STARTS, _ENDS = (MappingStartEvent, SequenceStartEvent), (MappingEndEvent, SequenceEndEvent)
_MERGE_KEY = "<<"
_LISTS = frozenset([("items", 2), ("resources", 3)])
"""The lists whose items are measured one by one, and their depth: `items` are sent one by one, and the resources of a
definition should stay readable if only all of them together are too large.
"""
_NOT_PLAIN = frozenset("'\"|>")


class NeedsTreeError(Exception):
    """The text has errors, anchors, tags or the like, so that its values can be read only from its tree."""


def simple_values(text: str) -> list[JsonValue]:
    """Return the values of the documents of a text, as `to_python` gives them for their trees.

    Raises NeedsTreeError for a text whose trees would have errors, and for one with more than plain YAML in it.
    """
    if replace_invalid_characters(text)[1]:
        raise NeedsTreeError
    reader = _Reader()
    try:
        for event in events(text):
            reader.take(event)
    except ParseFailure as failure:
        raise NeedsTreeError from failure
    return reader.documents


def is_storable(text: str) -> bool:
    """Return whether the API server might accept the objects of a text; False only if their JSON is surely too large.

    A text that the parser refuses counts as storable.
    """
    depth, size = 0, -1  # no comma follows the last value
    items_at = -1
    last = ""
    event: Any
    try:
        for event in events(text):
            kind = type(event)
            if depth == items_at:
                size = 0  # the next item begins
            if kind is ScalarEvent:
                last = event.value
                size += _least_bytes(event)
                if size > MOST_BYTES:
                    return False
            elif kind in _STARTS:
                depth += 1
                if (last, depth) in _LISTS:
                    items_at = depth
            elif kind in _ENDS:
                depth -= 1
    except ParseFailure:
        return True
    return True


class _Reader:
    """Builds values. `_open` holds the collections that have not ended, `_key` the name of the next value."""

    def __init__(self) -> None:
        self.documents: list[JsonValue] = []
        self._open: list[tuple[list[JsonValue] | dict[str, JsonValue], str | None]] = []
        self._collection: list[JsonValue] | dict[str, JsonValue] = self.documents
        self._key: str | None = None

    def take(self, event: Any) -> None:
        kind = type(event)
        if kind is ScalarEvent:
            self._scalar(event)
        elif kind is MappingStartEvent or kind is SequenceStartEvent:
            self._start(event, {} if kind is MappingStartEvent else [])
        elif kind is MappingEndEvent or kind is SequenceEndEvent:
            self._collection, self._key = self._open.pop()
        elif kind is AliasEvent:
            raise NeedsTreeError

    def _scalar(self, event: Any) -> None:
        if event.tag is not None or event.anchor is not None:
            raise NeedsTreeError
        text: str = event.value
        style = ScalarStyle.DOUBLE_QUOTED if event.style in _NOT_PLAIN else ScalarStyle.PLAIN
        resolution = resolve(text, style)
        if resolution.problem is not None:
            raise NeedsTreeError
        if isinstance(self._collection, list):
            self._collection.append(resolution.value)
        elif self._key is None:
            self._key = resolution.key
            if self._key is None or self._key in self._collection or (text == "<<" and style is ScalarStyle.PLAIN):
                raise NeedsTreeError
        else:
            self._collection[self._key] = resolution.value
            self._key = None

    def _start(self, event: Any, collection: list[JsonValue] | dict[str, JsonValue]) -> None:
        if event.tag is not None or event.anchor is not None or len(self._open) >= DEEPEST_NESTING:
            raise NeedsTreeError
        if isinstance(self._collection, list):
            self._collection.append(collection)
        elif self._key is None:  # a collection as a key
            raise NeedsTreeError
        else:
            self._collection[self._key] = collection
        self._open.append((self._collection, None))
        self._collection, self._key = collection, None


def _least_bytes(scalar: Any) -> int:
    """Return the minimum of bytes that a scalar takes in JSON, with the separator after it."""
    text: str = scalar.value
    if scalar.style:
        return len(text) + 3 if scalar.ctag is None else 2
    if scalar.ctag is not None or text == _MERGE_KEY or not is_text(text, ScalarStyle.PLAIN):
        return 2
    return len(text) + 3
