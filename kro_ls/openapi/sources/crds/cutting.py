"""Cuts large texts with CustomResourceDefinitions into documents and the items of lists, to be parsed one by one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator

_DOCUMENT_START = re.compile(rb"^---(?=[ \t\r\n]|\Z)", re.MULTILINE)
_ITEMS = re.compile(rb"^items:[ ]*\r?\n( *)(?=- )", re.MULTILINE)
_NEXT_KEY = re.compile(rb"^(?=[^\s#-])", re.MULTILINE)
_NOT_CUT = 100_000


def is_json(content: bytes) -> bool:
    """Whether a text is JSON, or YAML in flow style."""
    return content[:64].lstrip()[:1] in (b"{", b"[")


class _JsonList(msgspec.Struct):
    """A list of objects, whose texts are only looked at when somebody asks for one."""

    items: list[msgspec.Raw]


def pieces(content: bytes) -> Iterator[bytes]:
    """Yield the documents of a text and the items of its lists, each as a text of its own."""
    if is_json(content):
        try:
            listed = msgspec.json.decode(content, type=_JsonList)
        except msgspec.DecodeError:
            yield content
        else:
            yield from map(bytes, listed.items)
    else:
        yield from (as_document(content[start:stop]) for start, stop in cuts(content))


def cuts(content: bytes) -> Iterator[tuple[int, int]]:
    """Yield where the documents of a text in YAML start and end, and in their place the items of long lists.

    An item is a list of one definition, with the indentation that it has.
    """
    starts = [0, *(found.start() for found in _DOCUMENT_START.finditer(content))]
    for start, stop in zip(starts, [*starts[1:], len(content)], strict=True):
        items = _ITEMS.search(content, start, stop) if stop - start > _NOT_CUT and not is_json(content) else None
        if items is None:
            yield start, stop
        else:
            yield from _items(content, items, stop)


def _items(content: bytes, items: re.Match[bytes], stop: int) -> Iterator[tuple[int, int]]:
    after = _NEXT_KEY.search(content, items.end(), stop)
    stop = after.start() if after else stop
    start_of_item = re.compile(rb"^" + items[1] + rb"- ", re.MULTILINE)
    starts = [found.start() for found in start_of_item.finditer(content, items.start(1), stop)]
    yield from zip(starts, [*starts[1:], stop], strict=True)


def as_document(piece: bytes) -> bytes:
    """Return a piece of `cuts` as a document of its own: of an item what stands in it."""
    item = re.match(rb" *- (?=\S)", piece)
    if item is None:
        return piece
    margin = len(item[0])
    return re.sub(rb"^ {%d}" % margin, b"", b" " * margin + piece[margin:], flags=re.MULTILINE)
