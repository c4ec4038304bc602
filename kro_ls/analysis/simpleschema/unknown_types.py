"""What to say of a type name that nobody declared."""

import re
from collections.abc import Iterable

from kro_ls.analysis.simpleschema.suggestions import similar_types
from kro_ls.golang.numbers import WHITE_SPACE
from kro_ls.kro.simple_schema_words import MARKERS, TYPES
from kro_ls.shortening import shortened
from kro_ls.spelling import listed

_FOREIGN = re.compile(
    r"(?P<list>\w{1,64})\[\]|(?i:array|list)[<\[](?P<array>\w{1,64})[>\]]"
    r"|(?i:map|dict)[<\[]string, ?(?P<map>\w{1,64})[>\]]"
)


def unknown_type_message(name: str, custom_types: Iterable[str]) -> tuple[str, tuple[str, ...]]:
    """Return a message about the undeclared type `name`, and texts that may have been meant in its place."""
    first, rest = _split(name)
    if rest and "=" in rest and rest.split("=", 1)[0].strip() in MARKERS:
        return f"'|' is missing between type and markers; write '{shortened(f'{first} | {rest}')}'", (
            f"{first} | {rest}",
        )
    if "${" in name:
        return "a field cannot hold an expression; expected a type such as 'string'", ()
    names = [*(type_name for type_name in TYPES if type_name.isalpha()), *custom_types]
    suggestions = _foreign_form(name, names) or similar_types(name, names)
    hint = f"did you mean {listed(suggestions)}?" if suggestions else "declare it in 'types', or use a built-in type"
    return f"unknown type '{shortened(name)}'; {hint}", suggestions


def _foreign_form(name: str, known: list[str]) -> tuple[str, ...]:
    """Return SimpleSchema's form of a list or map that is written as elsewhere: `string[]`, `map<string, int>`."""
    found = _FOREIGN.fullmatch(name)
    if found is None:
        return ()
    element = found["list"] or found["array"] or found["map"]
    meant = element if element in known else next(iter(similar_types(element, known)), element)
    return (f"map[string]{meant}" if found["map"] else f"[]{meant}",)


def _split(name: str) -> tuple[str, str]:
    for position, character in enumerate(name):
        if character in WHITE_SPACE:
            return name[:position], name[position:].strip()
    return name, ""
