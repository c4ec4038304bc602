"""The words at the end of a field that kro before 0.9.0 dropped: what a fix may make of them.

Source: kro `pkg/simpleschema/markers.go` at its tags.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from kro_ls.analysis.simpleschema.parser import parse_field
from kro_ls.kro.versions.version import ALL, VERSIONS
from kro_ls.rules.diagnostics import Fix
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.writing import replace_in_scalar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kro_ls.analysis.model.sections import WrittenField
    from kro_ls.analysis.simpleschema.results import SchemaError
    from kro_ls.kro.versions.version import Versions
    from kro_ls.yaml_positions.nodes import Scalar

_NO_CRD = frozenset({"invalid-default", "refused-default", "unusable-marker-value"})
"""What kept Kubernetes from taking the CRD before kro looked at it."""

_BLANKS = "| \t\n"


def with_former_meaning(
    field: WrittenField, text: Scalar, error: SchemaError, others: Sequence[SchemaError], fixes: tuple[Fix, ...]
) -> tuple[tuple[Fix, ...], str]:
    """Return the fixes of an error with the one that leaves dropped words out, the likeliest first, and a further note.

    `others` are the other errors of the field. The fix keeps the meaning where some version took the field, unless the
    note says why the rest may mean something else today.
    """
    if not _had_meaning(error, others):
        return tuple(replace(each, keeps_meaning=False) for each in fixes), ""
    if error.dropped is None or error.span is None:
        return fixes, ""
    belongs = error.span.start < error.dropped.start  # to the marker before them
    doubt = _doubt(text.text, belongs=belongs)
    left_out = _left_out(field, text, error.dropped, error.versions, keeps_meaning=not doubt)
    if left_out is None:
        return fixes, doubt
    if belongs:
        return (*fixes, left_out), doubt
    is_blank = not text.text[error.dropped.start :].strip(_BLANKS)
    return (left_out,) if is_blank else (left_out, *fixes), doubt


def _had_meaning(error: SchemaError, others: Sequence[SchemaError]) -> bool:
    """Whether some version takes a field but for an error, or in spite of it, so that a fix has a meaning to keep."""
    refusals = [each for each in others if each.kro_message or each.code in _NO_CRD]
    refusing = [ALL if each.code in _NO_CRD else each.versions for each in refusals]
    taking = [version for version in VERSIONS if version not in error.versions]
    return any(all(version not in each for each in refusing) for version in taking) if taking else not refusals


def _doubt(text: str, *, belongs: bool) -> str:
    """Return why the field may mean something else without the words than in the versions that dropped them."""
    markers = parse_field(text).markers
    rules = [marker.name for marker in markers if marker.name in ("validation", "immutable")]
    if "validation" in rules[1:]:
        return "; kro before 0.9.2 took the last 'validation' alone, newer ones take all"
    if belongs and markers[-1].name == "validation":
        return ", and took the beginning of the rule for all of it"
    return ""


def _left_out(
    field: WrittenField, text: Scalar, dropped: Span, refused: Versions, *, keeps_meaning: bool
) -> Fix | None:
    """Return the fix that removes the words with the blanks around them; the markers before them stay as they are."""
    end = len(text.text.rstrip("\n")) if text.text[dropped.start :].strip() else dropped.end
    removed = text.text[dropped.start : end].strip()
    words = removed.strip(_BLANKS)
    title = f"Leave out '{words}', as kro before {refused.since} did" if words else removal(removed)
    span = Span(len(text.text[: dropped.start].rstrip()), end)
    edit = replace_in_scalar(field.section.chunk_text, text, span, "", in_flow=field.in_flow)
    return Fix(title, (edit,), keeps_meaning) if edit else None


def removal(removed: str) -> str:
    """Return the title of a fix that removes something."""
    return f"Remove '{removed}'" if removed else "Remove the blanks"
