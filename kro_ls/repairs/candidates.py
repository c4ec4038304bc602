"""Candidate fixes of a diagnostic, as its rule names them; `proof.py` decides which of them work."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kro_ls.repairs.cycles import inlined_reference
from kro_ls.repairs.ids import added_id, renamed_id
from kro_ls.repairs.intended_names import undeclared_name, undefined_field, unknown_call
from kro_ls.repairs.lines import glued_keys, lines_of_empty_field, mended_lines, moved_lines
from kro_ls.repairs.literals import closed_text, standalone, version_form, wrong_default, wrong_value
from kro_ls.repairs.objects import added_template, completed_object, known_kind
from kro_ls.repairs.optional_fields import declared_field
from kro_ls.repairs.removals import removed_field, removed_repetition
from kro_ls.repairs.syntax import closed_expression, mended_syntax
from kro_ls.repairs.types import condition, mismatch, no_overload, type_error
from kro_ls.rules.registry import RULE_OF
from kro_ls.rules.rule import Repair

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kro_ls.repairs.place import Place
    from kro_ls.rules.diagnostics import Fix

_MAKERS: Final[dict[Repair, Callable[[Place], Iterator[Fix]]]] = {
    Repair.ADDED_ID: added_id,
    Repair.ADDED_TEMPLATE: added_template,
    Repair.CLOSED_EXPRESSION: closed_expression,
    Repair.CLOSED_TEXT: closed_text,
    Repair.COMPLETED_OBJECT: completed_object,
    Repair.CONDITION: condition,
    Repair.DECLARED_FIELD: declared_field,
    Repair.GLUED_KEYS: glued_keys,
    Repair.INLINED_REFERENCE: inlined_reference,
    Repair.KNOWN_KIND: known_kind,
    Repair.LINES_OF_EMPTY_FIELD: lines_of_empty_field,
    Repair.MENDED_LINES: mended_lines,
    Repair.MENDED_SYNTAX: mended_syntax,
    Repair.MISMATCH: mismatch,
    Repair.MOVED_LINES: moved_lines,
    Repair.NO_OVERLOAD: no_overload,
    Repair.REMOVED_FIELD: removed_field,
    Repair.REMOVED_REPETITION: removed_repetition,
    Repair.RENAMED_ID: renamed_id,
    Repair.STANDALONE: standalone,
    Repair.TYPE_ERROR: type_error,
    Repair.UNDECLARED_NAME: undeclared_name,
    Repair.UNDEFINED_FIELD: undefined_field,
    Repair.UNKNOWN_CALL: unknown_call,
    Repair.VERSION_FORM: version_form,
    Repair.WRONG_DEFAULT: wrong_default,
    Repair.WRONG_VALUE: wrong_value,
}


def candidates(place: Place) -> Iterator[Fix]:
    """Yield the fixes that may mend a diagnostic, the likeliest first; each is computed on demand."""
    for repair in RULE_OF[place.diagnostic.code].repairs:
        yield from _MAKERS[repair](place)
