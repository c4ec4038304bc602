"""A status field with a fixed value.

Source: kro `pkg/graph/builder.go` (status fields without expressions are not supported).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from kro_ls.analysis.model.expressions import extract, why_unterminated
from kro_ls.analysis.model.paths import Path, format_path, short_path
from kro_ls.analysis.model.sections import SectionPart
from kro_ls.kro.versions.history import CONDITIONS, PLAIN_STATUS_REFUSED
from kro_ls.kro.versions.version import Versions
from kro_ls.rules.diagnostics import Finding, Findings, Fix, Severity
from kro_ls.rules.fixes import remove_entry
from kro_ls.rules.rule import Repair, Rule
from kro_ls.yaml_positions.nodes import Mapping, Scalar, Sequence, entries, entry_of, resolved

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import SchemaSection
    from kro_ls.analysis.scope import Scope
    from kro_ls.yaml_positions.nodes import Entry, Node
    from kro_ls.yaml_positions.positions import Span

_PLAIN = "status fields without expressions are not supported: [{path}]"

# Aliases can make a small file stand for a huge tree.
_MOST_LEAVES = 10_000


def check(section: SchemaSection, _scope: Scope) -> Findings:
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


RULE = Rule(
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
    check_schema=check,
    repairs=(Repair.CLOSED_EXPRESSION, Repair.WRONG_VALUE),
    versions=PLAIN_STATUS_REFUSED,
    kro_messages=(_PLAIN,),
)
