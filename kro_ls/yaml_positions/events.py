"""YAML events from libyaml where it is installed, else from ruamel.yaml's pure Python parser."""

from __future__ import annotations

import importlib
from itertools import islice
from typing import TYPE_CHECKING, Any

from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import ScalarEvent

from kro_ls.yaml_positions.go_yaml import Disguise, escaped_slash, escaped_slashes
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
    """Yield the events of a YAML text as go-yaml reads it; raise `ParseFailure` at the first error.

    The text must hold only characters that YAML allows.
    """
    readable = without_surrogates(text)
    read = _as_go_yaml(readable)
    if escaped_slashes(text):
        read = _without_escaped_slashes(read, text)
    return read if readable is text else _with_json_values(read, text)


def _as_go_yaml(text: str) -> Iterator[Any]:
    """Yield the events. What libyaml alone refuses is disguised, and read again from the start."""
    disguise = Disguise(text)
    known = 0
    while True:
        is_plain = disguise.is_plain
        try:
            for event in islice(_parsed(disguise.readable), known, None):
                if not is_plain and type(event) is ScalarEvent:
                    disguise.reveal(event)
                yield event
                known += 1
        except YAMLError as error:
            problem, context, offset, context_offset = _problem(error)
            if not disguise.permit(problem, offset, context_offset):
                # Never in a local variable: its traceback holds this frame, and the circle would keep the text and its
                # tree until the next look for garbage, which is rare.
                raise ParseFailure(problem, context, offset, context_offset) from None
        else:
            return


def _without_escaped_slashes(read: Iterator[Any], text: str) -> Iterator[Any]:
    for event in read:
        if type(event) is ScalarEvent and event.style == '"':
            start = event.start_mark.index
            slash = escaped_slash(text[start : event.end_mark.index])
            if slash >= 0:
                problem, context = "found unknown escape character", "while parsing a quoted scalar"
                raise ParseFailure(problem, context, start + slash, start)
        yield event


def _with_json_values(read: Iterator[Event], text: str) -> Iterator[Any]:
    """Yield the events, with the values that texts have in JSON."""
    event: Any
    for event in read:
        if type(event) is ScalarEvent and event.style == '"':
            event.value = json_value(text[event.start_mark.index : event.end_mark.index])
        yield event


def _parsed(text: str) -> Iterator[Event]:
    """Return the events of a parser, which raises `YAMLError`."""
    if _LIBYAML is None:
        return _python_events(text)
    return iter(_LIBYAML.CParser(text if len(text) < _LONG else _Pieces(text)).get_event, None)


def _problem(error: YAMLError) -> tuple[str, str, int, int]:
    """Return the arguments of the `ParseFailure` that tells of an error."""
    if not isinstance(error, MarkedYAMLError):
        return str(error), "", 0, -1
    return error.problem or "", error.context or "", _index(error.problem_mark), _index(error.context_mark)


def _index(mark: Any) -> int:
    return -1 if mark is None else int(mark.index)


def _python_events(text: str) -> Iterator[Event]:
    from ruamel.yaml import YAML

    return iter(YAML(typ="safe", pure=True).parse(text))
