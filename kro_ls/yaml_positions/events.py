"""YAML events from libyaml where it is installed, else from ruamel.yaml's pure Python parser."""

from __future__ import annotations

import importlib
import re
from itertools import islice
from typing import TYPE_CHECKING, Any

from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import ScalarEvent

from kro_ls.yaml_positions.json_escapes import json_value, without_surrogates

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

    from ruamel.yaml.events import Event


class ParseFailure(Exception):  # noqa: N818 - it is a result, caught inside this package
    """Where and why a YAML parser gave up. Offsets are code points of the parsed text, -1 where there is none."""

    def __init__(self, problem: str, context: str, problem_offset: int, context_offset: int) -> None:
        super().__init__(problem)
        self.problem = problem
        self.context = context
        self.problem_offset = problem_offset
        self.context_offset = context_offset


def _libyaml() -> ModuleType | None:
    try:
        return importlib.import_module("_ruamel_yaml")
    except ImportError:
        return None


_LIBYAML = _libyaml()

_COLON_IN_FLOW = "found unexpected ':'"
_INNER_COLONS = re.compile(r"(?<=[^\s\"'\[\]{},:]):+(?=\S)")
_STAND_IN = "\ue000"
"""A character that is like a letter for libyaml, in place of a colon."""

_LONG = 100_000
"""Characters of a text that libyaml scans in pieces."""


class _Pieces:
    """A text as a file. libyaml reads a value to its end before it comes back: other threads get their turn at each
    piece that it asks for.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._position = 0

    def read(self, size: int) -> str:
        """Return the next piece, empty at the end."""
        start = self._position
        self._position += size
        return self._text[start : start + size]


def events(text: str) -> Iterator[Event]:
    """Yield the events of a YAML text; raise `ParseFailure` at the first error.

    The text must hold only characters that YAML allows.
    """
    readable = without_surrogates(text)
    if readable is text:
        return _events(text)
    return _with_json_values(_events(readable), text)


def _with_json_values(read: Iterator[Event], text: str) -> Iterator[Any]:
    """Yield the events, with the values that texts have in JSON."""
    event: Any
    for event in read:
        if type(event) is ScalarEvent and event.style == '"':
            event.value = json_value(text[event.start_mark.index : event.end_mark.index])
        yield event


def _events(text: str) -> Iterator[Event]:
    try:
        if _LIBYAML is None:
            yield from _python_events(text)
            return
        yield from _libyaml_events(_LIBYAML, text)
    except MarkedYAMLError as error:
        raise ParseFailure(
            error.problem or "", error.context or "", _index(error.problem_mark), _index(error.context_mark)
        ) from None
    except YAMLError as error:
        raise ParseFailure(str(error), "", 0, -1) from None


def _libyaml_events(libyaml: ModuleType, text: str) -> Iterator[Event]:
    """Yield the events of libyaml, which refuses `[nginx:1.27]`: YAML since 1.2 and the library of kubectl take it."""
    count = 0
    try:
        for event in _scan(libyaml, text):
            count += 1
            yield event
    except MarkedYAMLError as error:
        if error.problem != _COLON_IN_FLOW or _STAND_IN in text:
            raise
        replaced = _INNER_COLONS.sub(lambda found: _STAND_IN * len(found[0]), text)
        yield from islice(_with_colons(_scan(libyaml, replaced)), count, None)


def _scan(libyaml: ModuleType, text: str) -> Iterator[Event]:
    return iter(libyaml.CParser(text if len(text) < _LONG else _Pieces(text)).get_event, None)


def _with_colons(read: Iterator[Event]) -> Iterator[Any]:
    event: Any
    for event in read:
        if type(event) is ScalarEvent:
            event.value = event.value.replace(_STAND_IN, ":")
        yield event


def _index(mark: Any) -> int:
    return -1 if mark is None else int(mark.index)


def _python_events(text: str) -> Iterator[Event]:
    from ruamel.yaml import YAML

    return iter(YAML(typ="safe", pure=True).parse(text))
