"""Rewrites a definition for a version of kro: the fixes that keep its meaning, until none is left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.rules.diagnostics import Severity
from kro_ls.yaml_positions.text import Text
from kro_ls.yaml_positions.writing import edited

if TYPE_CHECKING:
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.rules.diagnosis import Diagnosis
    from kro_ls.rules.diagnostics import Diagnostic, Fix
    from kro_ls.rules.settings import Settings
    from kro_ls.yaml_positions.writing import Replacement

# A fix can uncover what another one mends, such as the field above a removed one; each round mends all it sees.
_MOST_ROUNDS: Final = 20


class Step(Struct, frozen=True):
    """A fix that was applied, and the message that asked for it."""

    message: str
    title: str


class Upgrade(Struct, frozen=True):
    """The rewritten text, what was done to it, and the diagnosis of what it is now."""

    text: Text
    steps: tuple[Step, ...]
    diagnosis: Diagnosis

    @property
    def left(self) -> tuple[Diagnostic, ...]:
        """The errors that somebody has to decide about."""
        return tuple(each for each in self.diagnosis.diagnostics if each.severity is Severity.ERROR)


def upgrade(text: Text, settings: Settings, schemas: SchemaIndex | None = None) -> Upgrade:
    """Return a text as the version of the settings wants it; comments and all that is right stay as they are."""
    steps: list[Step] = []
    diagnosis = diagnose_text(text, settings, schemas)
    for _ in range(_MOST_ROUNDS):
        chosen = safe_fixes(diagnosis)
        if not chosen:
            break
        steps += [Step(diagnostic.message, fix.title) for diagnostic, fix in chosen]
        text = Text(edited(text.content, (edit for _, fix in chosen for edit in fix.replacements)))
        diagnosis = diagnose_text(text, settings, schemas)
    return Upgrade(text, tuple(steps), diagnosis)


def safe_fixes(diagnosis: Diagnosis) -> list[tuple[Diagnostic, Fix]]:
    """Return the fixes that keep the meaning, of those that touch the same text only the first.

    Where a field has another name, what stands in it is not understood yet, so such fixes come alone.
    """
    fixable = [each for each in diagnosis.diagnostics if any(fix.keeps_meaning for fix in each.fixes)]
    of_fields = [each for each in fixable if each.code in ("unknown-field", "invalid-value")]
    chosen: list[tuple[Diagnostic, Fix]] = []
    taken: set[Replacement] = set()
    for diagnostic in of_fields or fixable:
        fix = next(fix for fix in diagnostic.fixes if fix.keeps_meaning)
        if not any(_touch(edit, other) for edit in fix.replacements for other in taken):
            chosen.append((diagnostic, fix))
            taken.update(fix.replacements)
    return chosen


def _touch(edit: Replacement, other: Replacement) -> bool:
    return edit.span.start <= other.span.end and other.span.start <= edit.span.end
