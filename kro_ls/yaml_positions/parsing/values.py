"""The values of valid documents, read without a tree: several times faster, for texts whose positions do not matter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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
from kro_ls.yaml_positions.scalars.resolution import ScalarStyle, resolve

if TYPE_CHECKING:
    from kro_ls.yaml_positions.nodes import JsonValue

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
