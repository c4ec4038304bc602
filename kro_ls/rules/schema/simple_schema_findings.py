"""The findings about SimpleSchema, from the errors and warnings of its reading (`analysis/simpleschema`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.sections import WrittenField, written_field
from kro_ls.analysis.types.variables import simple_schema
from kro_ls.kro.versions.version import ALL
from kro_ls.rules.diagnostics import Finding, Fix, Related
from kro_ls.rules.fixes import change_to
from kro_ls.rules.rule import SharedCheck
from kro_ls.rules.schema.dropped_words import removal, with_former_meaning
from kro_ls.yaml_positions.nodes import Scalar, ScalarStyle, Sequence
from kro_ls.yaml_positions.writing import Replacement, quoted, replace_in_scalar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.model.model import SchemaSection
    from kro_ls.analysis.scope import Scope
    from kro_ls.analysis.simpleschema.results import FieldPath, SchemaError
    from kro_ls.rules.rule import CodedFinding, Rule
    from kro_ls.yaml_positions.positions import Span


def check_of(rules: tuple[Rule, ...]) -> SharedCheck:
    """Return the check for some of what one reading of `spec` and `types` finds, which other checks ask for as well."""
    codes = {rule.code for rule in rules}

    def check(section: SchemaSection, _scope: Scope) -> Iterator[CodedFinding]:
        result = simple_schema(section)
        return (found for found in findings(section, (*result.errors, *result.warnings)) if found[0] in codes)

    return SharedCheck(rules, check_schema=check)


def findings(section: SchemaSection, errors: tuple[SchemaError, ...]) -> Iterator[CodedFinding]:
    """Yield what is wrong with the fields of a section where they are written."""
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
    """Whether an error is about a value whose text no version of kro can read to its end, which is reported already."""
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
    """Return the value of a field that has a wrong one on a single line, else the key."""
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
    """Yield what a value that is not text may have been meant to be: a list's type, or a name without quotes."""
    value = field.entry.value
    if isinstance(value, Sequence) and value.flow and len(value.items) == 1:
        item = value.items[0]
        if isinstance(item, Scalar) and isinstance(item.value, str):
            meant = f"[]{item.text}"
            yield Fix(f"Change to '{meant}'", (Replacement(value.span, quoted(meant)),))
    elif isinstance(value, Scalar) and value.style is ScalarStyle.PLAIN and isinstance(value.value, bool | int | float):
        yield change_to(value.span, _type_of(value.value))


def _type_of(value: bool | int | float) -> str:
    """Return the type and default by which a field gets a value that was written in the type's place."""
    if isinstance(value, bool):
        return f"boolean | default={str(value).lower()}"
    return f"{'integer' if isinstance(value, int) else 'float'} | default={value}"
