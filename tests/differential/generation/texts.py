"""Random texts with expressions in them: several, the same ones again, values that are no text, comments."""

from __future__ import annotations

from random import Random

from tests.differential.generation.expressions import Scope, expression

_BETWEEN = ("", "-", " ", "a", ".", "/", "$", "a b", "}", "{", "//", '"', "\\", "'", "é")
_WANTED = ("string",) * 12 + ("int", "bool", "any", "optional(string)", "double")


def text(random: Random, scope: Scope) -> str:
    """Return a text with one to three expressions."""
    wanted = ["string"] * 3 if random.random() < 0.9 else random.choices(_WANTED, k=3)
    parts = [_part(random, each, scope) for each in wanted[: random.choice([1, 1, 2, 2, 3])]]
    if random.random() < 0.1:
        parts.append(random.choice(parts))
    between = [
        random.choice(_BETWEEN) if random.random() < 0.5 else random.choice("-. a") for _ in range(len(parts) + 1)
    ]
    return between[0] + "".join(part + after for part, after in zip(parts, between[1:], strict=True))


def _part(random: Random, wanted: str, scope: Scope) -> str:
    return f"${{{commented(random, expression(random, wanted, scope))}}}"


def commented(random: Random, expression_text: str) -> str:
    """Return an expression, now and then with a comment or with other white space than usual."""
    if random.random() > 0.05:
        return expression_text
    forms = ("{} // c\n", "{} // c", "// c\n{}", "{}\n", " {} ", "{} // }}\n", '{} // "\n', "{} // it's\n", "\n{}")
    return random.choice(forms).replace("{}", expression_text).replace("}}", "}")
