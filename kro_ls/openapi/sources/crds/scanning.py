"""Finds the kinds of CustomResourceDefinitions in a text by its outline, without parsing it.

Large texts are cut into documents and the items of lists, to be parsed one by one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

import msgspec
from msgspec import Struct

from kro_ls.openapi.kind_schema import GroupVersionKind
from kro_ls.openapi.sources.crds.served_kinds import API_VERSION, KIND
from kro_ls.yaml_positions.outline import outline, split_documents
from kro_ls.yaml_positions.outline_values import OPAQUE, Item, OutlineValue

if TYPE_CHECKING:
    from collections.abc import Iterator


_SCHEMA = b"openAPIV3Schema:"
_DEEPEST = 1000

_Mapping: TypeAlias = "dict[str, OutlineValue]"


class ScannedKind(Struct, frozen=True):
    """A served version of a kind, and its place: an item in the list of versions, perhaps in a list of definitions."""

    name: GroupVersionKind
    place: tuple[tuple[list[Item], Item], ...]

    def alone(self, document: bytes) -> bytes:
        """Return the document without the lines of other versions and definitions."""
        parts = []
        end = 0
        others = (other for items, own in self.place for other in items if other is not own)
        for other in sorted(others, key=lambda item: item.start):
            parts.append(document[end : other.start])
            end = other.end
        return b"".join((*parts, document[end:]))


class _UncertainError(Exception):
    """The outline does not have what is needed."""


def scan_documents(content: bytes) -> list[tuple[bytes, tuple[ScannedKind, ...] | None]]:
    """Return the documents of a text in UTF-8 with the kinds that each serves; None where it must be parsed."""
    whole = _scan(content)
    if whole is not None:
        return [(content, whole)]
    return [(document, _scan(document)) for document in split_documents(content) or (content,)]


def _scan(document: bytes) -> tuple[ScannedKind, ...] | None:
    if KIND.encode() not in document and b"\\" not in document:
        return ()
    schema = document.find(_SCHEMA)
    # All that is needed starts left of the schemas.
    deepest = schema - document.rfind(b"\n", 0, schema) - 2 if schema >= 0 else _DEEPEST
    root = outline(document, deepest)
    if root is None:
        return None
    try:
        return tuple(_kinds(root))
    except _UncertainError:
        return None


def _kinds(root: _Mapping) -> Iterator[ScannedKind]:
    if not _text(root, "kind").endswith("List"):
        yield from _definition(root, ())
        return
    items = _items(root, "items")
    for item in items:
        yield from _definition(_mapping(item.value), ((items, item),))


def _definition(definition: _Mapping, place: tuple[tuple[list[Item], Item], ...]) -> Iterator[ScannedKind]:
    if _text(definition, "kind") != KIND or _text(definition, "apiVersion") != API_VERSION:
        return
    spec = _mapping(definition.get("spec"))
    names = _mapping(spec.get("names"))
    group, kind, plural = _text(spec, "group"), _text(names, "kind"), _text(names, "plural")
    versions = _items(spec, "versions")
    if not (group and kind and plural):
        return
    for item in versions:
        version = _mapping(item.value)
        name = _text(version, "name")
        if _certain(version.get("served")) is True and name:
            yield ScannedKind(GroupVersionKind(group, name, kind), (*place, (versions, item)))


def _certain(value: OutlineValue) -> OutlineValue:
    if value is OPAQUE:
        raise _UncertainError
    return value


def _text(mapping: _Mapping, name: str) -> str:
    value = _certain(mapping.get(name))
    return value if isinstance(value, str) else ""


def _mapping(value: OutlineValue) -> _Mapping:
    value = _certain(value)
    return value if isinstance(value, dict) else {}


def _items(mapping: _Mapping, name: str) -> list[Item]:
    value = _certain(mapping.get(name))
    return value if isinstance(value, list) else []


_DOCUMENT_START = rb"^---(?=[ \t\r\n]|\Z)"
_ITEMS = rb"^items:[ ]*\r?\n( *)(?=- )"
_NEXT_KEY = rb"^(?=[^\s#-])"
_NOT_CUT = 100_000


def is_json(content: bytes) -> bool:
    """Whether a text is JSON, or YAML in flow style."""
    return content[:64].lstrip()[:1] in (b"{", b"[")


class _JsonList(msgspec.Struct):
    """A list of objects, left as texts."""

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
    """Yield start and end of the documents of a text in YAML, or of the items in a document that is a long list.

    An item is a list of one definition, with its indentation.
    """
    starts = [0, *(found.start() for found in re.finditer(_DOCUMENT_START, content, re.MULTILINE))]
    for start, stop in zip(starts, [*starts[1:], len(content)], strict=True):
        is_cut = stop - start > _NOT_CUT and not is_json(content)
        items = re.compile(_ITEMS, re.MULTILINE).search(content, start, stop) if is_cut else None
        if items is None:
            yield start, stop
        else:
            yield from _list_items(content, items, stop)


def _list_items(content: bytes, items: re.Match[bytes], stop: int) -> Iterator[tuple[int, int]]:
    after = re.compile(_NEXT_KEY, re.MULTILINE).search(content, items.end(), stop)
    stop = after.start() if after else stop
    start_of_item = re.compile(rb"^" + items[1] + rb"- ", re.MULTILINE)
    starts = [found.start() for found in start_of_item.finditer(content, items.start(1), stop)]
    yield from zip(starts, [*starts[1:], stop], strict=True)


def as_document(piece: bytes) -> bytes:
    """Return a piece of `cuts` as a document of its own: of an item, its content."""
    item = re.match(rb" *- (?=\S)", piece)
    if item is None:
        return piece
    margin = len(item[0])
    return re.sub(rb"^ {%d}" % margin, b"", b" " * margin + piece[margin:], flags=re.MULTILINE)
