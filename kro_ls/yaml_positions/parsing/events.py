r"""Yields the events of a YAML text as go-yaml, the library of Kubernetes, would read it.

The parser is libyaml, or where it is not installed ruamel.yaml's in Python. It differs from go-yaml in a few places:

| text | go-yaml | libyaml |
|---|---|---|
| `\/` in double quotes | refused, unless the document is JSON | a slash |
| `\'` in double quotes | an apostrophe | refused |
| `a:b` in a flow collection | text | refused |
| U+FEFF at the start of a line | text | skipped |

Where libyaml refuses or skips too much, it gets a stand-in of the same length, and the events get the original text
back. Source: go.yaml.in/yaml/v2 2.4, `scannerc.go`.

JSON has an escape that YAML lacks: `\ud83d\ude00`, a pair of surrogates for one character. kubectl reads a file that
begins with `{` as JSON first. A lone surrogate becomes U+FFFD, as in Go.
"""

from __future__ import annotations

import importlib
import json
import re
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Final

from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import ScalarEvent

from kro_ls.yaml_positions.errors import ParseFailure, YamlError, YamlErrorCode
from kro_ls.yaml_positions.text import STRETCH, stretches

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

    from ruamel.yaml.events import Event

try:
    _LIBYAML: ModuleType | None = importlib.import_module("_ruamel_yaml")
except ImportError:
    _LIBYAML = None
_LONG: Final = 100_000
"""Longer texts, in characters, are given to libyaml in pieces."""
_MOST_CHARACTER_ERRORS: Final = 20
# It lists what YAML's `c-printable` leaves out: `re` takes long to compile a set with as many characters as that has.
_INVALID_CHARACTER = "[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x84\\x86-\\x9f\\ud800-\\udfff\\ufffe\\uffff]"
_INVALID_IN_ASCII = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_SURROGATE: Final = r"(?<!\\)((?:\\\\)*)\\u[dD][89a-fA-F][0-9a-fA-F]{2}"
_LONE_SURROGATE: Final = "[\ud800-\udfff]"
_BYTE_ORDER_MARK: Final = "\ufeff"
_PRIVATE_USE: Final = range(0xE000, 0xF900)
_COLON_IN_TEXT: Final = r"(!<[^>\s]*)|(?<=[\w./-]):(?=[^\s,\[\]{}])"
"""The group is a tag, which keeps its colons."""
_DOUBLE_QUOTED: Final = r'"(?:[^"\\]|\\.)*"'
_ESCAPE: Final = re.compile(r"\\.", re.DOTALL)


def events(text: str) -> Iterator[Event]:
    """Yield the events of a text; raise `ParseFailure` at the first error.

    The text must have no invalid characters; see `replace_invalid_characters`.
    """
    readable = _without_surrogates(text)
    read = _disguised_events(readable)
    if "\\/" in text and not _is_json(text):
        read = _without_escaped_slashes(read, text)
    return read if readable is text else _with_json_values(read, text)


def json_value(source: str) -> str:
    """Return the value of a JSON string, given with its double quotes."""
    return re.sub(_LONE_SURROGATE, "\ufffd", json.loads(source))


def replace_invalid_characters(text: str) -> tuple[str, list[YamlError]]:
    """Replace every character that YAML does not allow: control characters and lone surrogates.

    Return a text of the same length, and errors at the first `_MOST_CHARACTER_ERRORS` of them.
    """
    invalid = _INVALID_IN_ASCII if text.isascii() else re.compile(_INVALID_CHARACTER)
    if len(text) <= STRETCH and invalid.search(text) is None:
        return text, []
    errors = []
    for match in chain.from_iterable(invalid.finditer(text, *stretch) for stretch in stretches(text)):
        message = f"control character U+{ord(match[0]):04X}; remove it, or write an escape in double quotes"
        printed = "control characters are not allowed"
        errors.append(YamlError(match.start(), match.end(), message, YamlErrorCode.INVALID_CHARACTER, printed=printed))
        if len(errors) == _MOST_CHARACTER_ERRORS:
            break
    return (invalid.sub("\ufffd", text) if errors else text), errors


def _disguised_events(text: str) -> Iterator[Any]:
    """Yield the events. What libyaml alone refuses is disguised, and the text is read again from the start."""
    disguise = _Disguise(text)
    yielded = 0
    while True:
        is_plain = disguise.is_plain
        try:
            for event in islice(_parsed(disguise.readable), yielded, None):
                if not is_plain and type(event) is ScalarEvent:
                    disguise.reveal(event)
                yield event
                yielded += 1
        except YAMLError as error:
            problem, context, offset, context_offset = _problem(error)
            if not disguise.permit(problem, offset, context_offset):
                # Not assigned to a variable: its traceback holds this frame, and that reference cycle would keep the
                # text and its tree alive until the next garbage collection, which is rare.
                raise ParseFailure(problem, context, offset, context_offset) from None
        else:
            return


class _Disguise:
    """A text with stand-ins for what libyaml would refuse or skip: `readable` has the same length."""

    def __init__(self, text: str) -> None:
        self.readable = text
        self._shown: dict[str, str] = {}
        self._unused = (each for each in map(chr, _PRIVATE_USE) if each not in text)
        if _BYTE_ORDER_MARK in text:
            self.readable = text.replace(_BYTE_ORDER_MARK, self._stand_in(_BYTE_ORDER_MARK))

    def permit(self, problem: str, offset: int, context_offset: int) -> bool:
        """Disguise what libyaml refuses at an offset; return False if go-yaml refuses it as well."""
        before = self.readable
        if "unexpected ':'" in problem and before.startswith(":", offset):
            colon = self._stand_in(":")
            rest = f"{before[:offset]}{colon}{before[offset + 1 :]}"
            self.readable = re.sub(_COLON_IN_TEXT, lambda found: found[1] or colon, rest)
        elif "unknown escape" in problem and before.startswith("\\'", offset):
            quoted = re.compile(_DOUBLE_QUOTED, re.DOTALL).match(before, max(context_offset, 0))
            end = quoted.end() if quoted else offset + 2
            nothing = self._stand_in("")
            shown = _ESCAPE.sub(lambda found: f"{nothing}'" if found[0] == "\\'" else found[0], before[offset:end])
            self.readable = before[:offset] + shown + before[end:]
        return self.readable != before

    def reveal(self, event: Any) -> None:
        """Put the original text back into an event."""
        for stand_in, shown in self._shown.items():
            if stand_in in event.value:
                event.value = event.value.replace(stand_in, shown)

    @property
    def is_plain(self) -> bool:
        """Whether nothing is disguised."""
        return not self._shown

    def _stand_in(self, shown: str) -> str:
        """Return an unused character, the same one for the same text."""
        for stand_in, each in self._shown.items():
            if each == shown:
                return stand_in
        stand_in = next(self._unused, "\ufffd")
        self._shown[stand_in] = shown
        return stand_in


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _without_surrogates(text: str) -> str:
    """Return a text of the same length that YAML can read; the text itself if it is not JSON with such escapes."""
    if ("\\ud" not in text and "\\uD" not in text) or not _is_json(text):
        return text
    return re.sub(_SURROGATE, r"\1\\ufffd", text)


def _without_escaped_slashes(read: Iterator[Any], text: str) -> Iterator[Any]:
    """Yield the events, up to an escaped slash."""
    for event in read:
        if type(event) is ScalarEvent and event.style == '"':
            start = event.start_mark.index
            escapes = _ESCAPE.finditer(text, start, event.end_mark.index)
            slash = next((escape.start() for escape in escapes if escape[0] == "\\/"), None)
            if slash is not None:
                problem, context = "found unknown escape character", "while parsing a quoted scalar"
                raise ParseFailure(problem, context, slash, start)
        yield event


def _with_json_values(read: Iterator[Event], text: str) -> Iterator[Any]:
    """Yield the events; quoted scalars have the values that they have in JSON."""
    event: Any
    for event in read:
        if type(event) is ScalarEvent and event.style == '"':
            event.value = json_value(text[event.start_mark.index : event.end_mark.index])
        yield event


def _parsed(text: str) -> Iterator[Event]:
    """Return the events of a parser, which raises `YAMLError`."""
    if _LIBYAML is None:
        from ruamel.yaml import YAML

        return iter(YAML(typ="safe", pure=True).parse(text))
    return iter(_LIBYAML.CParser(text if len(text) < _LONG else _Pieces(text)).get_event, None)


class _Pieces:
    """A text as a file. libyaml returns at the end of a value only, but other threads run at each piece it reads."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._position = 0

    def read(self, size: int) -> str:
        """Return the next piece, empty at the end."""
        start = self._position
        self._position += size
        return self._text[start : start + size]


def _problem(error: YAMLError) -> tuple[str, str, int, int]:
    """Return the arguments of the `ParseFailure` for an error."""
    if not isinstance(error, MarkedYAMLError):
        return str(error), "", 0, -1
    return error.problem or "", error.context or "", _index(error.problem_mark), _index(error.context_mark)


def _index(mark: Any) -> int:
    return -1 if mark is None else int(mark.index)
