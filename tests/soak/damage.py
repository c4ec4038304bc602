"""Random damage to texts and values."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from random import Random

PIECES = (
    *("", "x", " ", "  ", "\n", "\t", "\r", "\r\n", "\n\n", ":", ": ", "- ", "-", "#", "# c\n", '"', "'", "`", "\\"),
    *("{", "}", "[", "]", "(", ")", "|", ">", "|2-\n", "&a ", "*a", "<<: *a\n", "!!str ", "? ", "---\n", "...\n", "%"),
    *("${", "$${", "}", "schema.spec.", "a.b.", ".", "?.", "[?", "1", "0x", "1e999", "-9223372036854775809", "true"),
    *("é", "\u2028", "\ufeff", "\x00", "\ud800", "\U0001f600", "\x85", "~", "null", "kro-ls: ignore[", "]"),
    *("    - id: added\n", "      more: string | required=true\n", "      includeWhen:\n        - ${schema.spec.x}\n"),
    *(
        "  schema:\n",
        "  resources:\n",
        "      forEach:\n        - i: ${lists.range(3)}\n",
        "\t- id: a\n",
        "      k: v\n",
    ),
    *('" | enum="a,b"', "string", "[]string", "map[string]", "integer | default=1", ".map(x, x)", ".all(x, ", "? 1 : "),
)


def an_edit(random: Random, text: str) -> tuple[int, int, str]:
    """Return the start and end of the replaced span, and the replacement."""
    start = random.randint(0, len(text))
    if random.random() < 0.35:
        start = text.rfind("\n", 0, start) + 1
    end = min(len(text), start + random.choice((0, 0, 0, 0, 1, 2, 8, 40)))
    chance = random.random()
    if chance < 0.1:
        end = text.find("\n", start) + 1 or len(text)
    new = random.choice(PIECES)
    if chance > 0.9 and len(text) > 20:
        copied = random.randint(0, len(text) - 10)
        new = text[copied : copied + random.randint(1, 200)]
    elif chance > 0.8:
        new = f"{new}{random.randint(0, 99)}"
    return start, end, new


def damaged(random: Random, text: str, most: int = 6) -> str:
    """Return a text after some edits."""
    for _ in range(random.randint(1, most)):
        start, end, new = an_edit(random, text)
        text = text[:start] + new + text[end:]
    return text


_VALUES: tuple[Any, ...] = ("", "x", 5, -1, 1.5, None, True, [], {}, ["x"], [1], {"$ref": "#/definitions/x"}, {"a": 1})


def damage_value(random: Random, value: Any) -> None:
    """Replace something inside a mapping or list."""
    while value:
        place = random.choice(list(value) if isinstance(value, dict) else list(range(len(value))))
        if isinstance(value[place], dict | list) and value[place] and random.random() < 0.8:
            value = value[place]
            continue
        value[place] = deepcopy(random.choice(_VALUES))
        return
