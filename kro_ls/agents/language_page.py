"""The page that teaches the language to an assistant: prose of ours, with tables made of the rules and functions.

The prose is in `language.md`. In it stand alone on a line: `{markers}`, `{types}`, `{functions of kro}`, `{macros}`,
`{functions of CEL}`; `{mistakes: CODE ...}`, a table of rules; and `{example: CODE ...}`, the wrong and the right
example of each.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kro_ls.kro.environment import FUNCTIONS, LIBRARIES, MACROS
from kro_ls.kro.library import LIBRARY as OF_KRO
from kro_ls.kro.simple_schema_words import MARKERS, TYPES
from kro_ls.rules.registry import find_rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kro_ls.cel.types.declarations import FunctionDeclaration

_PROSE: Final = Path(__file__).parent / "language.md"
_PLACE: Final = re.compile(r"^\{([a-zA-Z ]+)(?:: ([a-z -]+))?\}$", re.MULTILINE)
_RUNTIME_TYPE: Final = "kro.run.Runtime."
_SENTENCE: Final = re.compile(r".*?[.](?=\s|$)")


def language_page() -> str:
    """Return the page as Markdown. Raises LookupError where the prose names a rule that does not exist."""
    return _PLACE.sub(_filled, _PROSE.read_text(encoding="utf-8"))


def _filled(place: re.Match[str]) -> str:
    what, codes = place[1], (place[2] or "").split()
    match what:
        case "markers":
            rows = ((each.name, f"`{each.example}`", each.documentation) for each in MARKERS.values())
            return _table("marker | example | meaning", rows)
        case "types":
            return _table("type | meaning", TYPES.items())
        case "functions of kro":
            return _table("function | meaning", ((_signature(each), _first(each)) for each in _functions(is_kro=True)))
        case "functions of CEL":
            return " ".join(f"`{each.name}`" for each in _functions(is_kro=False))
        case "macros":
            return " ".join(f"`{form}`" for each in MACROS.values() for form in each.signatures()[:1])
        case "mistakes":
            rules = map(find_rule, codes)
            return _table(
                "code | severity | what is wrong", ((f"`{each.code}`", each.severity, each.summary) for each in rules)
            )
        case "example":
            return "\n\n".join(map(_example, codes))
    raise LookupError(f"language.md has an unknown place {what!r}")


def _functions(*, is_kro: bool) -> Iterator[FunctionDeclaration]:
    """Yield the functions that people can call, those of kro or those of CEL, sorted by their names."""
    for name in sorted(FUNCTIONS):
        declared = FUNCTIONS[name]
        is_of_kro = LIBRARIES.owner_of(declared.overloads[0]) is OF_KRO
        if not declared.is_internal and is_of_kro is is_kro:
            yield declared


def _signature(declared: FunctionDeclaration) -> str:
    """Return how a function is called, without the result."""
    written = declared.overloads[0].signature(declared.name).partition(" -> ")[0]
    return f"`{written.replace(_RUNTIME_TYPE, 'runtime.')}`"


def _first(declared: FunctionDeclaration) -> str:
    """Return the first sentence of a function's documentation."""
    text = " ".join(declared.overloads[0].documentation.text.split())
    found = _SENTENCE.match(text)
    return found[0] if found else text


def _example(code: str) -> str:
    rule = find_rule(code)
    wrong, right = (f"```yaml\n{text.rstrip()}\n```" for text in (rule.wrong, rule.right))
    return f"{rule.summary} Wrong (`{code}`):\n\n{wrong}\n\nRight:\n\n{right}"


def _table(head: str, rows: Iterable[tuple[str, ...]]) -> str:
    width = head.count("|") + 1
    lines = [f"| {head} |", f"|{'---|' * width}"]
    lines += (f"| {' | '.join(each.replace('|', chr(92) + '|') for each in row)} |" for row in rows)
    return "\n".join(lines)
