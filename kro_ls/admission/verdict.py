"""What an API server is to be told of an object, within what it and kubectl pass on to people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.printable import printable
from kro_ls.shortening import shortened

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_MOST_BYTES_OF_WARNING: Final = 256
_MOST_BYTES_OF_WARNINGS: Final = 4096
"""What an API server passes on of each warning, and of all (k8s.io/apiserver, pkg/endpoints/filters/warning.go)."""
_MOST_ERRORS: Final = 50
_LONGEST_ERROR: Final = 1_000


class Message(Struct, frozen=True):
    """Something to tell: the field it is about, empty for the object as a whole, the text, and the code of the rule.

    `place` tells more about the field: the resource of a definition, the line of a text.
    """

    field: str
    text: str
    code: str = ""
    place: str = ""

    def __str__(self) -> str:
        about = " ".join(filter(None, [self.field, self.place and f"({self.place})"]))
        about = f"{about}: " if about else ""
        return f"{about}{self.text}{f' [{self.code}]' if self.code else ''}"


class Verdict(Struct, frozen=True):
    """An answer: why the request is denied, empty where it is allowed, and warnings that fit.

    `causes` are what the denial rests on. `outcome` is the word for the metrics.
    """

    outcome: str
    denied: str = ""
    causes: tuple[Message, ...] = ()
    warnings: tuple[str, ...] = ()


def allowed(outcome: str, *warnings: str) -> Verdict:
    """Return the answer that lets a request through."""
    return Verdict(outcome, warnings=tuple(_fitting([_cut(each) for each in warnings])))


def judged(heading: str, errors: Sequence[Message], warnings: Sequence[Message]) -> Verdict:
    """Return the answer for what was found; errors deny, under a heading that says who refuses."""
    told = tuple(_fitting([_cut(str(each)) for each in warnings]))
    if not errors:
        return Verdict("warned" if told else "allowed", warnings=told)
    shown = [f"- {shortened(printable(str(each)), _LONGEST_ERROR)}" for each in errors[:_MOST_ERRORS]]
    if len(errors) > _MOST_ERRORS:
        shown.append(f"- and {len(errors) - _MOST_ERRORS} more; 'kro-ls check' shows all of them")
    return Verdict("denied", "\n".join([heading, *shown]), tuple(errors[:_MOST_ERRORS]), told)


def _fitting(warnings: Sequence[str]) -> Iterator[str]:
    """Yield the warnings for which there is room, and how many there are besides."""
    left = _MOST_BYTES_OF_WARNINGS
    for number, each in enumerate(warnings):
        rest = len(warnings) - number
        more = f"and {rest} more warnings; 'kro-ls check' shows all of them"
        needed = len(each.encode())
        if needed > left or (rest > 1 and needed + len(more) > left and _size(warnings[number:]) > left):
            yield more
            return
        left -= needed
        yield each


def _size(texts: Iterable[str]) -> int:
    return sum(len(each.encode()) for each in texts)


def _cut(text: str) -> str:
    """Return a text as a header may carry it: printable, on one line, and not too long."""
    line = printable(text)
    while len(line.encode()) > _MOST_BYTES_OF_WARNING:
        line = shortened(line, min(len(line) - 1, _MOST_BYTES_OF_WARNING))
    return line
