"""Checks that each status field is computed from a resource or the instance."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from msgspec.structs import replace

from kro_ls.analysis.model.expressions import extract, why_unterminated
from kro_ls.analysis.model.paths import Path, format_path, short_path
from kro_ls.analysis.model.sections import SectionPart
from kro_ls.kro.places import Place
from kro_ls.kro.versions.history import CONDITIONS, PLAIN_STATUS_REFUSED
from kro_ls.kro.versions.version import OLDEST, Versions
from kro_ls.rules.diagnostics import Finding, Findings, Fix, Severity
from kro_ls.rules.fixes import remove_entry
from kro_ls.rules.rule import InTemplates, Repair, Rule
from kro_ls.rules.versions.newer_functions import inspected_since
from kro_ls.yaml_positions.access import entries, entry_of, resolved
from kro_ls.yaml_positions.nodes import Mapping, Scalar, Sequence

if TYPE_CHECKING:
    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.analysis.model.model import SchemaSection
    from kro_ls.analysis.scope import Scope
    from kro_ls.yaml_positions.nodes import Entry, Node
    from kro_ls.yaml_positions.positions import Span


_PLAIN = "status fields without expressions are not supported: [{path}]"

# Aliases can make a small file stand for a huge tree.
_MOST_LEAVES = 10_000


def check_plain(section: SchemaSection, _scope: Scope) -> Findings:
    """Find the leaves of the status without an expression; since kro 0.9.3, conditions have rules of their own."""
    for entry in entries(section.status):
        if entry.name == "conditions":
            for finding in _leaves_without_expression(section, [entry]):
                yield replace(finding, versions=Versions(before=CONDITIONS))
    fields = [entry for entry in entries(section.status) if entry.name not in (None, "conditions")]
    yield from _leaves_without_expression(section, fields)


def _leaves_without_expression(section: SchemaSection, fields: list[Entry]) -> Findings:
    left = _MOST_LEAVES
    pending = [_child(entry, ()) for entry in reversed(fields)]
    while pending and left:
        node, key, path = pending.pop()
        value = resolved(node)
        if isinstance(value, Mapping):
            pending += [_child(entry, path) for entry in reversed(entries(value))]
        elif isinstance(value, Sequence):
            pending += reversed([(item, item.span, (*path, index)) for index, item in enumerate(value.items)])
        elif isinstance(value, Scalar):
            left -= 1
            finding = _finding(section, value, key, path)
            if finding:
                yield finding


def _child(entry: Entry, path: Path) -> tuple[Node, Span, Path]:
    return entry.value, entry.key.span, (*path, entry.name or "")


def _finding(section: SchemaSection, scalar: Scalar, key: Span, path: Path) -> Finding | None:
    extraction = extract(scalar.value, section.dialect) if isinstance(scalar.value, str) else None
    if extraction and (extraction.expressions or extraction.nested):
        return None
    if extraction and extraction.unterminated:
        message = f"'${{' is never closed; {why_unterminated(scalar.text, section.dialect)}"
    else:
        message = f"the status field '{short_path(path)}' needs an expression '${{...}}'; kro computes the status"
    kro_message = _PLAIN.format(path=format_path(path))
    fixes = () if extraction and extraction.unterminated else _fixes(section, path)
    return Finding(scalar.span if scalar.end > scalar.start else key, message, fixes=fixes, kro_message=kro_message)


def _fixes(section: SchemaSection, path: Path) -> tuple[Fix, ...]:
    """Return the fix that removes the field, which never had an effect."""
    above: list[tuple[Node, Entry]] = []
    holder = entry_of(section.node, "status")
    for name in path:
        if holder is None or not isinstance(name, str):
            return ()
        above.insert(0, (holder.value, holder))
        holder = entry_of(holder.value, name)
    if isinstance(section, SectionPart) and "status" in section.elsewhere:
        above.pop()  # other parts have more fields of the status
    removal = remove_entry(section.chunk_text, holder, above) if holder else None
    return (Fix("Remove the field", (removal,), keeps_meaning=True),) if removal else ()


_NO_REFERENCE = "instance status field must refer to a resource or schema: {path}"


def check_constant(section: SchemaSection, _scope: Scope) -> Findings:
    """Find the status expressions without any name; unknown names have a rule of their own."""
    for _, of_scalar in groupby(section.expressions, lambda each: id(each.scalar)):
        expressions = tuple(of_scalar)
        expression = expressions[0]
        if expression.place is not Place.STATUS or any(map(_is_faulty, expressions)):
            continue
        uses = [(each, use.node) for each in expressions for use in each.inspection.names]
        first = min((inspected_since(each, node) for each, node in uses), default=None)
        if first != OLDEST:
            path = format_path(("status", *expression.path))
            message = (
                f"'{short_path(expression.path)}' never changes; a status field must refer to a resource or 'schema'"
            )
            kro_message = _NO_REFERENCE.format(path=path)
            yield Finding(expression.whole, message, versions=Versions(before=first), kro_message=kro_message)


def _is_faulty(expression: Expression) -> bool:
    """Whether an expression has another fault, which is reported."""
    inspection = expression.inspection
    return bool(inspection.parsed.errors or inspection.unknown_functions or inspection.omit_calls)


RULES = (
    # Source: kro `pkg/graph/builder.go` (status fields without expressions are not supported).
    Rule(
        code="status-without-expression",
        severity=Severity.ERROR,
        summary="A status field has a fixed value.",
        explanation="""\
kro computes the status of an instance from its resources, so each value under `spec.schema.status` holds an expression.
A fixed value, a type name in the manner of `spec` or an empty value is refused; objects and lists of expressions are
fine.""",
        wrong="""\
schema:
  apiVersion: v1alpha1
  kind: WebApp
  status:
    name: string
""",
        right="""\
schema:
  apiVersion: v1alpha1
  kind: WebApp
  status:
    name: ${schema.metadata.name}
""",
        check_schema=check_plain,
        repairs=(Repair.CLOSED_EXPRESSION, Repair.WRONG_VALUE),
        versions=PLAIN_STATUS_REFUSED,
        kro_messages=(_PLAIN,),
    ),
    # Source: kro `pkg/graph/builder.go` (instance status field must refer to a resource or schema).
    Rule(
        code="status-without-reference",
        severity=Severity.ERROR,
        summary="A status expression refers to neither a resource nor the instance.",
        explanation="""\
A status field shows something of the instance (`schema`) or of its resources. An expression that names neither, such as
`${1 + 1}`, is refused. A macro's variable that has the name of a resource hides the resource.""",
        wrong="""\
schema:
  apiVersion: v1alpha1
  kind: WebApp
  status:
    two: ${1 + 1}
""",
        right="""\
schema:
  apiVersion: v1alpha1
  kind: WebApp
  status:
    size: ${size(schema.metadata.name)}
""",
        check_schema=check_constant,
        in_templates=InTemplates.UNLESS_TEXT_IS_ADDED,
        kro_messages=(_NO_REFERENCE,),
    ),
)
