"""Texts with expressions in them: a mark stands for each while Python formats the text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from kro_ls.authoring.compositions.composing import composing_now
from kro_ls.authoring.compositions.problems import NotInCelError
from kro_ls.authoring.from_manifests.template_text import escaped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.authoring.compositions.built_cel import Built

_BEGIN, _END = "\ue000", "\ue001"
_MARK: Final = re.compile(f"{_BEGIN}Kr(\\d+)O{_END}")
"""It has letters of both cases: a mark in a text that was changed, by `.upper()` for example, is not recognised."""


def mark(expression: Built) -> str:
    """Return the mark of an expression."""
    marked = composing_now().marked
    marked.append(expression)
    return f"{_BEGIN}Kr{len(marked) - 1}O{_END}"


def is_marked(text: str) -> bool:
    """Whether there is an expression in a text."""
    return _BEGIN in text or _END in text


def parts(text: str) -> Iterator[str | Built]:
    """Yield the literal parts of a text and the expressions between them. Raises NotInCelError for damaged marks."""
    marked = composing_now().marked
    for number, part in enumerate(_MARK.split(text)):
        if number % 2 and int(part) < len(marked):
            yield marked[int(part)]
        elif number % 2 or is_marked(part):
            raise NotInCelError(
                f"Python cannot change a text that has references in it ({readable(text)!r}); "
                "use functions of CEL on the references, such as cel.upperAscii(...)"
            )
        elif part:
            yield part


def template_text(text: str) -> str:
    """Return a text as a template holds it, with `${...}` for each expression."""
    if not is_marked(text):
        return escaped(text)
    return "".join(escaped(each) if isinstance(each, str) else f"${{{each.cel.text}}}" for each in parts(text))


def literal_words(text: str) -> str:
    """Return what is literal in a text."""
    return _MARK.sub("-", text)


def readable(text: str) -> str:
    """Return a text for people."""
    return re.sub(f"{_BEGIN}.*?{_END}", "${...}", text)
