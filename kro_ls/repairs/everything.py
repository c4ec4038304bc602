"""All certain fixes of a document at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.repairs.proof import errors, mends
from kro_ls.repairs.upgrade import Step, applied
from kro_ls.rules.safe_fixes import safe_fixes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.rules.diagnostics import Diagnostic, Fix
    from kro_ls.workspace.documents import Document

# A fix can uncover what another one mends.
_MOST_ROUNDS: Final = 50


class Mended(Struct, frozen=True):
    """A document after all certain fixes, with the fixes."""

    document: Document
    steps: tuple[Step, ...]


def fix_everything(document: Document) -> Mended:
    """Return a document after its certain fixes.

    A fix is certain if it keeps the meaning for the version of kro and is the likeliest one, or if it is the only fix
    that a rule has for an error and applying it proves that it removes the error.
    """
    steps: list[Step] = []
    for _ in range(_MOST_ROUNDS):
        safe = [(each, fix) for each, fix in safe_fixes(document.diagnosis) if fix == each.fixes[0]]
        chosen = safe or list(_first_certain(document))
        if not chosen:
            break
        steps += [Step(diagnostic.message, fix.title) for diagnostic, fix in chosen]
        document = applied(document, chosen)
    return Mended(document, tuple(steps))


def _first_certain(document: Document) -> Iterator[tuple[Diagnostic, Fix]]:
    """Yield the first certain fix; applying it may change the others."""
    for diagnostic in errors(document):
        if len(diagnostic.fixes) == 1 and mends(document, diagnostic, diagnostic.fixes[0]):
            yield diagnostic, diagnostic.fixes[0]
            return
