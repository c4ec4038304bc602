"""Helm templates of definitions: `{{...}}` is masked, so that the rest can be read.

Only `helm template` knows what an action gives. Source: the documentation of Go's text/template, and of Helm.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from kro_ls.yaml_positions.documents.stream import YamlStream

_OPENING = r"(?<!\$)\{\{"  # `${{'a': 1}}` is an expression
_ACTION = r"(?s)(?<!\$)\{\{-?\s*(?:/\*.*?\*/\s*|(?!/\*).*?)-?\}\}"
_ONLY_DECIDES = r"\{\{-?\s*(?:/\*|(?:if|else|end|with|define|break|continue)\b|\$\w*\s*:?=)"
_LONGEST_ACTION = 2_000


class Actions(Struct, frozen=True):
    """The actions of a template, by their spans. `add_text`: some may add keys or items that the template hides."""

    spans: tuple[Span, ...]
    add_text: bool


NO_ACTIONS = Actions((), add_text=False)


def is_broken_by_actions(stream: YamlStream) -> bool:
    """Whether YAML cannot read a line because of an action in it; most definitions with `{{` are valid YAML."""
    content = stream.text.content
    return any(
        re.compile(_OPENING).search(content, content.rfind("\n", 0, error.start) + 1, _line_end(content, error.end))
        for error in stream.errors
    )


def masked(content: str) -> tuple[str, Actions]:
    """Return a text of the same length and lines without the actions, and where they are.

    In a line of their own they become blanks, elsewhere a word.
    """
    spans: list[Span] = []
    parts: list[str] = []
    add_text = False
    copied = 0
    for action in re.finditer(_ACTION, content):
        start, end = action.span()
        if end - start > _LONGEST_ACTION:
            continue
        before, after = _around(content, start, end)
        is_alone = not before.strip() and not after.strip()
        add_text |= (is_alone or after.startswith(":")) and not re.match(_ONLY_DECIDES, action[0])
        parts += content[copied:start], _filled(action[0], " ") if is_alone else "X" + _filled(action[0][1:], "x")
        spans.append(Span(start, end))
        copied = end
    return "".join((*parts, content[copied:])), Actions(tuple(spans), add_text)


def _around(content: str, start: int, end: int) -> tuple[str, str]:
    """Return what stands before and after an action in its lines, without other actions."""
    before = content[content.rfind("\n", 0, start) + 1 : start]
    after = content[end : _line_end(content, end)]
    return re.sub(_ACTION, "", before), re.sub(_ACTION, "", after)


def _line_end(content: str, offset: int) -> int:
    end = content.find("\n", offset)
    return len(content) if end < 0 else end


def _filled(action: str, character: str) -> str:
    return re.sub(r"[^\r\n]", character, action)
