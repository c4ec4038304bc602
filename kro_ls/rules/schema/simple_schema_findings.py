"""Makes findings of the errors and warnings from reading SimpleSchema (`analysis/simpleschema`).

kro before 0.9.0 dropped the words at the end of a field that it did not understand (kro `pkg/simpleschema/markers.go`
at its tags); a fix that leaves them out keeps the meaning.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from kro_ls.analysis.model.sections import WrittenField, written_field
from kro_ls.analysis.simpleschema.parser import parse_field
from kro_ls.analysis.types.variables import simple_schema
from kro_ls.kro.versions.version import ALL, VERSIONS
from kro_ls.rules.diagnostics import Finding, Fix, Related
from kro_ls.rules.fixes import change_to
from kro_ls.rules.rule import CodedFindings, SharedCheck
from kro_ls.yaml_positions.nodes import Scalar, Sequence
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.resolution import ScalarStyle
from kro_ls.yaml_positions.scalars.writing import Replacement, quoted, replace_in_scalar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.model.model import SchemaSection
    from kro_ls.analysis.scope import Scope
    from kro_ls.analysis.simpleschema.results import FieldPath, SchemaError
    from kro_ls.kro.versions.version import Versions
    from kro_ls.rules.rule import Rule


def check_of(rules: tuple[Rule, ...]) -> SharedCheck:
    """Return the check that reports those errors of SimpleSchema which have the codes of some rules."""
    codes = {rule.code for rule in rules}

    def check(section: SchemaSection, _scope: Scope) -> CodedFindings:
        result = simple_schema(section)
        return (found for found in findings(section, (*result.errors, *result.warnings)) if found[0] in codes)

    return SharedCheck(rules, check_schema=check)


def findings(section: SchemaSection, errors: tuple[SchemaError, ...]) -> CodedFindings:
    """Yield the findings about the fields of a section, at the places where they are written."""
    seen: set[tuple[str, Span, str]] = set()
    of_field: dict[tuple[str, FieldPath], list[SchemaError]] = {}
    for error in errors:
        of_field.setdefault((error.root, error.path), []).append(error)
    for error in errors:
        # A root that is not a mapping is reported as a field of the RGD that has a wrong type.
        field = written_field(section, error.root, error.path) if error.path else None
        if field is None or _is_broken_yaml(field):
            continue
        others = [each for each in of_field[error.root, error.path] if each is not error]
        if _follows_from_syntax(error, others):
            continue
        finding = _finding(section, error, field, others)
        key = (error.code, finding.span, finding.message)
        if key not in seen:  # what an alias stands for is read once for each use
            seen.add(key)
            yield error.code, finding


def _follows_from_syntax(error: SchemaError, others: list[SchemaError]) -> bool:
    """Whether the text of the faulty value cannot be read by any version of kro, which is reported already."""
    if error.code == "marker-syntax" or error.span is None:
        return False
    unread = [each.span for each in others if each.code == "marker-syntax" and each.versions == ALL and each.span]
    return any(error.span.start <= each.start < error.span.end for each in unread)


def _is_broken_yaml(field: WrittenField) -> bool:
    """Whether YAML itself cannot read the value as it stands, which is reported already."""
    value = field.value
    if value is None or isinstance(value, Scalar):
        return value is None or value.damaged
    # `[]string` without quotes: YAML ends the list at the bracket and trips over what follows.
    after = field.section.chunk_text[value.end : value.end + 1]
    return isinstance(value, Sequence) and value.flow and after not in ("", " ", "\n", "\r", ",", "}", "]")


def _finding(section: SchemaSection, error: SchemaError, field: WrittenField, others: list[SchemaError]) -> Finding:
    if error.span is None or field.text is None:
        span = _token(field, error)
        return _made(error, span, error.message, (), tuple(_whole_fixes(field)))
    related = tuple(
        Related(other.span_in_text(each.span), f"'{each.name}' is used here")
        for each in error.related
        if (other := written_field(section, each.root, each.path))
    )
    fixes = tuple(filter(None, (_fix(field, field.text, error.span, each) for each in error.suggestions)))
    fixes, note = with_former_meaning(field, field.text, error, others, fixes)
    span = field.span_in_text(error.span)
    if fixes and section.chunk_text[span.start : span.end].isspace():
        # A line break cannot be seen; what it comes from, the header of the block scalar, can.
        span = fixes[0].replacements[0].span
    return _made(error, span, error.message + note, related, fixes)


def _made(
    error: SchemaError, span: Span, message: str, related: tuple[Related, ...], fixes: tuple[Fix, ...]
) -> Finding:
    return Finding(span, message, related, fixes, error.versions, kro_message=error.kro_message or None)


def _token(field: WrittenField, error: SchemaError) -> Span:
    """Return the span of a wrong value on a single line, else that of the key."""
    value = field.entry.value
    of_value = error.code == "invalid-schema-field" and isinstance(value, Scalar | Sequence)
    is_short = "\n" not in field.section.chunk_text[value.start : value.end] and value.start < value.end
    return value.span if of_value and is_short else field.entry.key.span


def _fix(field: WrittenField, scalar: Scalar, span: Span, suggestion: str) -> Fix | None:
    edit = replace_in_scalar(field.section.chunk_text, scalar, span, suggestion, in_flow=field.in_flow)
    removed = scalar.text[span.start : span.end].strip()
    title = f"Change to '{suggestion}'" if suggestion else removal(removed)
    is_former = removed.endswith("[]") and suggestion == f"[]{removed[:-2]}"  # no version took `string[]`
    return Fix(title, (edit,), is_former) if edit else None


def _whole_fixes(field: WrittenField) -> Iterator[Fix]:
    """Yield fixes for a value that is not text: for `[string]` the type of a list, for `5` a type with a default."""
    value = field.entry.value
    if isinstance(value, Sequence) and value.flow and len(value.items) == 1:
        item = value.items[0]
        if isinstance(item, Scalar) and isinstance(item.value, str):
            meant = f"[]{item.text}"
            yield Fix(f"Change to '{meant}'", (Replacement(value.span, quoted(meant)),))
    elif isinstance(value, Scalar) and value.style is ScalarStyle.PLAIN and isinstance(value.value, bool | int | float):
        yield change_to(value.span, _type_of(value.value))


def _type_of(value: bool | int | float) -> str:
    """Return the type and default for a value that was written in place of the type."""
    if isinstance(value, bool):
        return f"boolean | default={str(value).lower()}"
    return f"{'integer' if isinstance(value, int) else 'float'} | default={value}"


_NO_CRD = frozenset({"invalid-default", "refused-default", "unusable-marker-value"})
"""The faults because of which Kubernetes refused the CRD before kro checked for them."""

_BLANKS = "| \t\n"


def with_former_meaning(
    field: WrittenField, text: Scalar, error: SchemaError, others: list[SchemaError], fixes: tuple[Fix, ...]
) -> tuple[tuple[Fix, ...], str]:
    """Return the fixes of an error with the one that leaves dropped words out, the likeliest first, and a note.

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


def _had_meaning(error: SchemaError, others: list[SchemaError]) -> bool:
    """Whether some version accepts the field, at least without the error, so that a fix can keep its meaning."""
    refusals = [each for each in others if each.kro_message or each.code in _NO_CRD]
    refusing = [ALL if each.code in _NO_CRD else each.versions for each in refusals]
    taking = [version for version in VERSIONS if version not in error.versions]
    return any(all(version not in each for each in refusing) for version in taking) if taking else not refusals


def _doubt(text: str, *, belongs: bool) -> str:
    """Return why the field without the words may not mean what it meant in versions that dropped them."""
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
