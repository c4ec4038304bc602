"""An expression whose result does not fit its field.

Source: kro `pkg/cel/compatibility.go`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from kro_ls.analysis.types.template import is_in_map
from kro_ls.cel.types.types import Kind
from kro_ls.kro.places import OBJECT_PLACES, Place
from kro_ls.kro.versions.history import DOTTED_FIELDS_CHECKED, GRAPHS, MAP_VALUES_CHECKED, ONLY_PART_OF_STATUS_CHECKED
from kro_ls.kro.versions.version import ALL
from kro_ls.rules.diagnostics import Findings, Fix, Severity
from kro_ls.rules.rule import Repair, Rule
from kro_ls.rules.types.typed import KRO_MESSAGE, mismatch_finding
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.writing import Replacement

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.model.model import Resource, SchemaSection
    from kro_ls.analysis.scope import TypedScope
    from kro_ls.analysis.types.checking import CheckedExpression
    from kro_ls.kro.versions.version import Versions


_CONVERTIBLE = frozenset({Kind.INT, Kind.UINT, Kind.DOUBLE, Kind.BOOL, Kind.TIMESTAMP, Kind.DURATION})


def check(checked: CheckedExpression, part: Resource | SchemaSection, scope: TypedScope) -> Findings:
    """Find template expressions whose type does not fit their field."""
    expected = checked.expected
    if expected is None:
        return
    found = mismatch_finding(checked, part, scope, expected)
    if found:
        yield replace(found, fixes=tuple(_fixes(checked)), versions=_versions(checked, scope))


def _versions(checked: CheckedExpression, scope: TypedScope) -> Versions:
    compiled = checked.expression.compiled
    if not compiled.standalone:
        is_free = compiled.count == 1 and checked.expression.place is Place.STATUS
        return ONLY_PART_OF_STATUS_CHECKED if is_free else ALL
    path = checked.expression.path
    if any(isinstance(step, str) and "." in step for step in path):
        return DOTTED_FIELDS_CHECKED
    return MAP_VALUES_CHECKED if scope.kind and is_in_map(scope.kind, path) else ALL


def _fixes(checked: CheckedExpression) -> Iterator[Fix]:
    """Yield the fix that puts string() around the expression where text is expected."""
    wanted, given = checked.expected, checked.result.type
    compiled = checked.expression.compiled
    is_alone = compiled.standalone or compiled.is_part
    if wanted and wanted.kind is Kind.STRING and given.kind in _CONVERTIBLE and is_alone:
        span = checked.expression.span(0, len(checked.expression.text))
        before, after = Span(span.start, span.start), Span(span.end, span.end)
        edits = (Replacement(before, "string("), Replacement(after, ")"))
        yield Fix("Convert to text with string()", edits, keeps_meaning=compiled.is_part)


RULE = Rule(
    code="type-mismatch",
    severity=Severity.ERROR,
    summary="The result of an expression does not fit the field it fills.",
    explanation="""\
kro compares the type of each expression in a template with the type of its field, in depth for lists, maps and
objects. Nothing is converted: a field for text does not take an `int`, and neither does one for a `double`.""",
    wrong="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
      data:
        size: ${size(schema.metadata.name)}
""",
    right="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
      data:
        size: ${string(size(schema.metadata.name))}
""",
    check_expression=check,
    places=OBJECT_PLACES | {Place.STATUS},
    in_graphs=GRAPHS,
    repairs=(Repair.MISMATCH,),
    kro_messages=(KRO_MESSAGE,),
)
