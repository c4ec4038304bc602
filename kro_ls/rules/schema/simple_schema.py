"""The findings about SimpleSchema, by the code of their rule.

One reading of the schema section gives them all (`analysis/simpleschema`); each rule takes its own.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from kro_ls.analysis.model.schema_fields import WrittenField, written_field
from kro_ls.analysis.types.variables import simple_schema
from kro_ls.rules.diagnostics import Finding, Fix, Related, Replacement
from kro_ls.rules.fixes import change_to, quoted
from kro_ls.rules.scalar_edits import replace_in_scalar
from kro_ls.yaml_positions.nodes import Scalar, ScalarStyle, Sequence

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kro_ls.analysis.model.model import SchemaSection
    from kro_ls.analysis.simpleschema.results import SchemaError
    from kro_ls.yaml_positions.positions import Span

_Findings: TypeAlias = "dict[str, tuple[Finding, ...]]"


def findings(section: SchemaSection, code: str) -> Iterator[Finding]:
    """Yield what one rule finds in `spec` and `types`."""
    yield from _by_code(section).get(code, ())


@lru_cache(maxsize=1024)
def _by_code(section: SchemaSection) -> Mapping[str, tuple[Finding, ...]]:
    result = simple_schema(section)
    found: dict[str, dict[tuple[Span, str], Finding]] = {}
    for error in (*result.errors, *result.warnings):
        # A root that is no mapping is reported as a field of the RGD that has a wrong type.
        field = written_field(section, error.root, error.path) if error.path else None
        if field is not None and not _is_broken_yaml(field):
            finding = _finding(section, error, field)
            # What an alias stands for is read once for each use, and reported once.
            found.setdefault(error.code, {}).setdefault((finding.span, finding.message), finding)
    return {code: tuple(of_code.values()) for code, of_code in found.items()}


def _is_broken_yaml(field: WrittenField) -> bool:
    """Whether YAML itself cannot read the value as it stands, which is reported already."""
    value = field.value
    if value is None or isinstance(value, Scalar):
        return value is None or value.damaged
    # `[]string` without quotes: YAML ends the list at the bracket and trips over what follows.
    after = field.section.chunk_text[value.end : value.end + 1]
    return isinstance(value, Sequence) and value.flow and after not in ("", " ", "\n", "\r", ",", "}", "]")


def _finding(section: SchemaSection, error: SchemaError, field: WrittenField) -> Finding:
    if error.span is None or field.text is None:
        span = _token(field, error)
        return Finding(span, error.message, fixes=tuple(_whole_fixes(field)))
    related = tuple(
        Related(other.span_in_text(each.span), f"uses `{each.name}`")
        for each in error.related
        if (other := written_field(section, each.root, each.path))
    )
    fixes = tuple(filter(None, (_fix(field, field.text, error.span, each) for each in error.suggestions)))
    span = field.span_in_text(error.span)
    if fixes and section.chunk_text[span.start : span.end].isspace():
        # A line break cannot be seen; what it comes from, the header of the block scalar, can.
        span = fixes[0].replacements[0].span
    return Finding(span, error.message, related, fixes)


def _token(field: WrittenField, error: SchemaError) -> Span:
    """Return the value of a field that has a wrong one on a single line, else the key."""
    value = field.entry.value
    of_value = error.code == "invalid-schema-field" and isinstance(value, Scalar | Sequence)
    is_short = "\n" not in field.section.chunk_text[value.start : value.end] and value.start < value.end
    return value.span if of_value and is_short else field.entry.key.span


def _fix(field: WrittenField, scalar: Scalar, span: Span, suggestion: str) -> Fix | None:
    edit = replace_in_scalar(field.section.chunk_text, scalar, span, suggestion, in_flow=field.in_flow)
    title = f"Change to '{suggestion}'" if suggestion else "Remove the blanks"
    return Fix(title, (edit,)) if edit else None


def _whole_fixes(field: WrittenField) -> Iterator[Fix]:
    """Yield what a value that is no text may have been meant to be: a list's type, or a name without quotes."""
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
