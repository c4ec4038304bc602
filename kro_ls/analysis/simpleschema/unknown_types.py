"""What to say of a type name that nobody declared."""

from collections.abc import Iterable

from kro_ls.analysis.simpleschema.literals import WHITE_SPACE, shortened
from kro_ls.analysis.simpleschema.markers import MARKERS, TYPES
from kro_ls.analysis.simpleschema.suggestions import similar_types


def unknown_type_message(name: str, custom_types: Iterable[str]) -> tuple[str, tuple[str, ...]]:
    """Return a message about the undeclared type `name`, and texts that may have been meant in its place."""
    first, rest = _split(name)
    if rest and "=" in rest and rest.split("=", 1)[0].strip() in MARKERS:
        return f"markers are separated from the type by `|`: `{shortened(f'{first} | {rest}')}`", (f"{first} | {rest}",)
    names = [*(type_name for type_name in TYPES if type_name.isalpha()), *custom_types]
    suggestions = similar_types(name, names)
    hint = "did you mean " + " or ".join(f"`{suggestion}`" for suggestion in suggestions) + "?" if suggestions else ""
    return f"unknown type `{shortened(name)}`; {hint or 'declare it in `types`, or use a built-in type'}", suggestions


def _split(name: str) -> tuple[str, str]:
    for position, character in enumerate(name):
        if character in WHITE_SPACE:
            return name[:position], name[position:].strip()
    return name, ""
