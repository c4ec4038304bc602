"""The fixes that may mend a diagnostic, by its code; `proof.py` says which of them do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kro_ls.repairs.cycles import inlined_reference
from kro_ls.repairs.ids import added_id, renamed_id
from kro_ls.repairs.lines import glued_keys, lines_of_empty_field, mended_lines, moved_lines
from kro_ls.repairs.literals import closed_text, standalone, version_form, wrong_default, wrong_value
from kro_ls.repairs.names import undeclared_name, undefined_field, unknown_call
from kro_ls.repairs.objects import added_template, completed_object, known_kind
from kro_ls.repairs.optional_fields import declared_field
from kro_ls.repairs.removals import removed_field, removed_repetition
from kro_ls.repairs.syntax import closed_expression, mended_syntax
from kro_ls.repairs.types import condition, mismatch, no_overload, type_error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kro_ls.repairs.place import Place
    from kro_ls.rules.diagnostics import Fix

_BY_CODE: Final[dict[str, tuple[Callable[[Place], Iterator[Fix]], ...]]] = {
    "cel-syntax": (mended_syntax,),
    "condition-type": (condition,),
    "dependency-cycle": (inlined_reference,),
    "duplicate-key": (removed_repetition,),
    "duplicate-resource-id": (renamed_id,),
    "for-each-type": (condition,),
    "implicitly-required-field": (declared_field,),
    "incomplete-object": (lines_of_empty_field, glued_keys, wrong_value, completed_object),
    "invalid-default": (wrong_default,),
    "invalid-resource-id": (renamed_id,),
    "invalid-schema-field": (wrong_value,),
    "invalid-version": (version_form,),
    "marker-syntax": (closed_text,),
    "missing-field": (lines_of_empty_field, added_id, glued_keys),
    "no-matching-overload": (no_overload,),
    "not-standalone-expression": (closed_expression, standalone),
    "pending-optional-field": (declared_field,),
    "reserved-resource-id": (renamed_id,),
    "resource-form": (glued_keys, mended_lines, added_template),
    "status-without-expression": (closed_expression, wrong_value),
    "template-value-type": (closed_expression, wrong_value, glued_keys),
    "type-error": (type_error,),
    "type-mismatch": (mismatch,),
    "undefined-field": (undefined_field,),
    "unknown-field": (mended_lines, removed_field),
    "unknown-function": (unknown_call,),
    "unknown-kind": (known_kind,),
    "unknown-kubernetes-kind": (known_kind,),
    "unknown-method": (unknown_call,),
    "unknown-template-field": (moved_lines, removed_field),
    "unresolved-reference": (undeclared_name,),
    "unterminated-expression": (closed_expression,),
    "unused-schema-field": (removed_field,),
    "wrong-type": (wrong_value, glued_keys, mended_lines),
    "yaml-syntax": (mended_lines, glued_keys),
}


BEST: Final = frozenset({"invalid-resource-id", "missing-field", "reserved-resource-id"})
"""The codes of which these fixes know more than that of the rule, such as the name that expressions use."""


def candidates(place: Place) -> Iterator[Fix]:
    """Yield the fixes that may mend a diagnostic, the likeliest first; each is made when it is asked for."""
    for make in _BY_CODE.get(place.diagnostic.code, ()):
        yield from make(place)
