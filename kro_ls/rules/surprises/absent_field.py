"""A read of a field that the object never has, so that the reader waits for ever.

Source: kro `pkg/runtime`: `no such key` keeps a node pending, and a status field without a value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.analysis.definition_queries import derived_column
from kro_ls.analysis.facts import kind_name
from kro_ls.analysis.model.expressions import value_of
from kro_ls.analysis.model.model import ResourceType
from kro_ls.analysis.model.sections import CutSection, in_parts
from kro_ls.cel.syntax import ast
from kro_ls.kro.places import Place
from kro_ls.openapi.written_fields import LEFT_OUT_AT_ZERO, MAY_LACK_FIELDS, SOMETIMES_ABSENT, absent_fields
from kro_ls.queries.cells import cached
from kro_ls.queries.engine import Query
from kro_ls.rules.diagnostics import Finding, Findings, PartFindings, Section, Severity
from kro_ls.rules.rule import Rule
from kro_ls.yaml_positions.nodes import entries, field

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.analysis.model.model import Resource, SchemaSection
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.written_fields import AbsentField, Path
    from kro_ls.queries.engine import Reader
    from kro_ls.yaml_positions.nodes import Node

_NO_KEY = "no such key: {name}"
_ENDS = {
    Place.READY_WHEN: "so the resource is never ready",
    Place.STATUS: "so this never has a value",
}
_NOT_ZERO = {
    ast.Operator.EQUALS: lambda number: number == 0,
    ast.Operator.LESS: lambda number: number == 1,
    ast.Operator.LESS_EQUALS: lambda number: number == 0,
}
"""The comparisons of a number, which is not negative, that only hold for zero."""

_BEGINNINGS: Final = frozenset(each[:1] for each in SOMETIMES_ABSENT)


class _Owner(Struct, frozen=True):
    """A resource with the fields that its object never has, and those that are never zero."""

    id: str
    absent: tuple[AbsentField, ...]
    left_out: frozenset[str]


class _Read(Struct, frozen=True):
    """A read of a field of a resource; `is_of_zero`: it is compared with zero."""

    id: str
    path: Path
    select: ast.Select
    expression: Expression
    is_of_zero: bool


class _Seen(Struct, frozen=True):
    """What a resource has of such fields: its own, and its reads of those of others."""

    owner: _Owner | None
    reads: tuple[_Read, ...]


@cached
def _seen(resource: Resource) -> tuple[_Seen, ...]:
    seen = _Seen(_owner(resource), tuple(_reads_in(resource.expressions)))
    return (seen,) if seen.owner or seen.reads else ()


def _owner(resource: Resource) -> _Owner | None:
    name = kind_name(resource)
    if resource.type is not ResourceType.RESOURCE or resource.id is None or name is None:
        return None
    kind = name[0].rpartition("/")[0], name[1]
    if kind not in MAY_LACK_FIELDS:
        return None
    absent = tuple(absent_fields(kind, _deciding(resource.template)))
    owner = _Owner(resource.id, absent, LEFT_OUT_AT_ZERO.get(kind, frozenset()))
    return owner if owner.absent or owner.left_out else None


def _deciding(template: Node | None) -> JsonObject:
    """Return the fields that decide whether others are absent; the whole template may be large."""
    spec = field(template, "spec")
    written = entries(spec)
    if written:
        decided = {each.name: value_of(each.value) for each in written if each.name in ("type", "replicas")}
    return {"stringData": value_of(field(template, "stringData")), "spec": decided if written else value_of(spec)}


_SEEN = derived_column(_seen)


@Query
def _in_resources(reader: Reader) -> tuple[dict[str, _Owner], tuple[tuple[int, Finding], ...]]:
    """Return the resources that never have some fields, by id, and the findings in all resources."""
    owners = {each.owner.id: each.owner for _, (each,) in _SEEN.present(reader) if each.owner}
    findings = (
        (number, finding)
        for number, (each,) in (_SEEN.present(reader) if owners else ())
        for finding in _findings(each.reads, owners)
    )
    return owners, tuple(findings)


def check(rgd: RgdAnalysis) -> PartFindings:
    """Find the unguarded reads of such fields."""
    owners, findings = _in_resources(rgd.reader)
    yield from findings
    if owners and rgd.section is not None:
        yield from ((Section.SCHEMA, each) for each in _in_section(rgd.section, owners))


def _in_section(section: SchemaSection, owners: dict[str, _Owner]) -> Findings:
    """Yield the findings in the status, part by part, because the whole would be parsed again for each edit."""
    if _owners_read(section).isdisjoint(owners):
        return
    if not isinstance(section, CutSection):
        yield from _findings(_reads_of(section), owners)
        return
    for part, placed in section.placed_parts():
        for finding in _findings(_reads_of(part), owners):
            yield replace(finding, span=placed.document_span(finding.span))


@cached
def _owners_read(part: SchemaSection) -> frozenset[str]:
    if isinstance(part, CutSection):
        return in_parts(part, _owners_read)
    return frozenset([read.id for read in _reads_of(part)])


@cached
def _reads_of(part: SchemaSection) -> tuple[_Read, ...]:
    return tuple(_reads_in(part.expressions))


def _findings(reads: Iterable[_Read], owners: dict[str, _Owner]) -> Findings:
    for read in reads:
        owner = owners.get(read.id)
        reason = _reason(read, owner) if owner else ""
        if reason:
            end = _ENDS.get(read.expression.place, "so this resource stays pending")
            span = read.expression.span(*read.select.field_span)
            yield Finding(span, f"{reason}, {end}", kro_message=_NO_KEY.format(name=read.select.field))


def _reason(read: _Read, owner: _Owner) -> str:
    for each in owner.absent:
        if read.path == each.path:
            return f"'{read.select.field}' is never there: {each.reason}"
    if read.is_of_zero and read.path[0] == "status" and len(read.path) == 2 and read.path[1] in owner.left_out:
        name = read.select.field
        return f"'{name}' is never 0: Kubernetes leaves it out then; write '.?{name}.orValue(0)'"
    return ""


def _reads_in(expressions: Iterable[Expression]) -> Iterator[_Read]:
    """Yield the reads of fields that may be absent, except those that the expression tests for."""
    for expression in expressions:
        inspection = expression.inspection
        if not inspection.parsed.is_valid or _BEGINNINGS.isdisjoint([use.path[:1] for use in inspection.names]):
            continue
        nodes = list(ast.walk(inspection.parsed.root))
        names = {use.node for use in inspection.names}
        zeros = {id(field) for node in nodes if (field := _compared_with_zero(node))}
        asked = {found[1] for node in nodes if (tested := _tested_field(node)) and (found := _path(tested))}
        for node in nodes:
            found = _path(node) if isinstance(node, ast.Select) else None
            if not isinstance(node, ast.Select) or not found or found[1] not in SOMETIMES_ABSENT:
                continue
            if found[0] in names and found[1] not in asked:
                yield _Read(found[0].name, found[1], node, expression, id(node) in zeros)


def _tested_field(node: ast.Node) -> ast.Select | None:
    """Return the field that a node tests for with `has()` or `.?`."""
    asked = node.expansion if isinstance(node, ast.MacroCall) else node
    return asked if isinstance(asked, ast.Select) and (asked.test_only or asked.optional) else None


def _path(node: ast.Node) -> tuple[ast.Identifier, Path] | None:
    """Return the name at the root of a chain of selections, and the fields, guarded or not."""
    fields: list[str] = []
    while isinstance(node, ast.Select):
        fields.append(node.field)
        node = node.operand
    return (node, tuple(reversed(fields))) if isinstance(node, ast.Identifier) and fields else None


def _compared_with_zero(node: ast.Node) -> ast.Node | None:
    """Return the value that a comparison tests for zero."""
    if not isinstance(node, ast.Call) or node.target is not None or len(node.arguments) != 2:
        return None
    value, constant = node.arguments
    holds = _NOT_ZERO.get(node.function) if isinstance(constant, ast.Literal) else None
    is_number = isinstance(constant, ast.Literal) and constant.kind in (ast.LiteralKind.INT, ast.LiteralKind.UINT)
    return value if holds is not None and is_number and holds(constant.value) else None  # type: ignore[union-attr]


RULE = Rule(
    code="absent-field",
    severity=Severity.WARNING,
    summary="An expression reads a field that the object never has.",
    explanation="""\
The schema of a kind has fields that only some of its objects have. A Service has no `status.loadBalancer.ingress`
unless its type is `LoadBalancer`, a Secret has no `stringData` once it is stored, and Kubernetes leaves out most
counters of a status that are zero. kro waits for a field that is not there, without an end: the resource stays pending,
or is never ready. Where a field may be absent, read it with `.?` and `orValue()`.""",
    wrong="""\
resources:
  - id: web
    readyWhen:
      - ${web.status.unavailableReplicas == 0}
    template:
      apiVersion: apps/v1
      kind: Deployment
      metadata:
        name: ${schema.metadata.name}
      spec:
        selector:
          matchLabels:
            app: web
        template:
          metadata:
            labels:
              app: web
          spec:
            containers:
              - name: web
                image: nginx
""",
    right="""\
resources:
  - id: web
    readyWhen:
      - ${web.status.?unavailableReplicas.orValue(0) == 0}
    template:
      apiVersion: apps/v1
      kind: Deployment
      metadata:
        name: ${schema.metadata.name}
      spec:
        selector:
          matchLabels:
            app: web
        template:
          metadata:
            labels:
              app: web
          spec:
            containers:
              - name: web
                image: nginx
""",
    check_document=check,
    kro_messages=(_NO_KEY,),
)
