"""The faults of a template by the schema of its kind.

Source: kro `pkg/graph/parser/parser.go`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.paths import short_path
from kro_ls.analysis.types.template import TemplateFault, TemplateProblem, expected_types
from kro_ls.kro.identifiers import REQUIRED_TEMPLATE_FIELDS
from kro_ls.kro.versions.history import GRAPHS
from kro_ls.openapi.validation.plain import TYPE_WORDS
from kro_ls.rules.diagnostics import Finding, Findings, Fix, Severity
from kro_ls.rules.fixes import change_to
from kro_ls.rules.rule import BrokenYaml, CodedFindings, Repair, Rule, SharedCheck
from kro_ls.rules.text.field_findings import is_reported
from kro_ls.rules.types.typed import template_faults
from kro_ls.spelling import closest
from kro_ls.yaml_positions.nodes import Scalar, entry_of, resolved
from kro_ls.yaml_positions.scalars.writing import Replacement, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.model.model import Resource
    from kro_ls.analysis.scope import Scope

_EMPTY = frozenset({("metadata",)})
"""Another rule reports these if they are empty."""


def check(resource: Resource, scope: Scope) -> CodedFindings:
    """Find unknown fields, values of a wrong type, and fields whose type kro cannot determine."""
    problems = template_faults(resource, scope.kind)
    unknown = {each.path for each in problems if each.fault is TemplateFault.UNKNOWN_FIELD}
    for problem in problems:
        if problem.fault is TemplateFault.UNUSABLE_SCHEMA:
            message = (
                f"kro cannot tell what '{short_path(problem.path)}' takes; "
                "leave it out, or set the field above it with one expression"
            )
            yield "unusable-schema", Finding(problem.node.span, message, kro_message=problem.kro_message)
        elif problem.fault is TemplateFault.UNKNOWN_FIELD:
            if not is_reported(resource.template, problem.path, unknown, _EMPTY):
                yield from (("unknown-template-field", finding) for finding in _unknown_field(resource, scope, problem))
        elif problem.path != ("metadata",):  # kro refuses it before it looks at any schema, which is another error
            yield "template-value-type", _wrong_type(resource.chunk_text, problem)


def _unknown_field(resource: Resource, scope: Scope, problem: TemplateProblem) -> Findings:
    name = str(problem.path[-1])
    meant = closest(name, problem.known_fields)
    is_required = len(problem.path) == 1 and meant in REQUIRED_TEMPLATE_FIELDS
    if is_required and meant and entry_of(resource.object, meant) is None:
        return  # reported as the missing field
    advice = f"did you mean '{meant}'?" if meant else f"{scope.kind.name if scope.kind else ''} has no such field"
    message = f"unknown field '{name}'; {advice}"
    fixes = (change_to(problem.node.span, meant),) if meant else ()
    yield Finding(problem.node.span, message, fixes=fixes, kro_message=problem.kro_message)


def _wrong_type(chunk_text: str, problem: TemplateProblem) -> Finding:
    expected = " or ".join(TYPE_WORDS.get(each, each) for each in expected_types(problem.schema or {}))
    message = f"'{short_path(problem.path)}' must be {expected}, not {TYPE_WORDS.get(problem.given, problem.given)}"
    node = resolved(problem.node)
    if isinstance(node, Scalar) and isinstance(node.value, str) and "${" in node.value:
        message += "; use the expression alone, without text around it"
    fixes = tuple(_type_fixes(chunk_text, problem))
    return Finding(problem.node.span, message, fixes=fixes, kro_message=problem.kro_message)


def _type_fixes(chunk_text: str, problem: TemplateProblem) -> Iterator[Fix]:
    """Yield the fix that quotes a number or boolean where a string is expected."""
    node = problem.node
    is_text = not isinstance(node, Scalar) or isinstance(node.value, str)
    if not is_text and "string" in expected_types(problem.schema or {}):
        written = chunk_text[node.start : node.end]
        yield Fix("Quote the value", (Replacement(node.span, quoted(written)),))


RULES = (
    # Source: kro `pkg/graph/parser/parser.go`.
    Rule(
        code="template-value-type",
        severity=Severity.ERROR,
        in_broken_yaml=BrokenYaml.BEFORE,
        summary="A value in a template has a wrong type for its field.",
        explanation="""\
kro compares the kind of every literal (text, integer, number, boolean, list, object) with the schema of its field. An
expression that stands alone may fill any field here; its type is checked afterwards.""",
        wrong="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
      data:
        replicas: 3
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
        replicas: "3"
""",
        in_graphs=GRAPHS,
        repairs=(Repair.CLOSED_EXPRESSION, Repair.WRONG_VALUE, Repair.GLUED_KEYS),
        kro_messages=("expected {types} type for path {path}, got {given}",),
    ),
    # Source: kro `pkg/graph/parser/parser.go`.
    Rule(
        code="unknown-template-field",
        severity=Severity.ERROR,
        in_broken_yaml=BrokenYaml.BEFORE,
        summary="A template sets a field that its kind does not have.",
        explanation="""\
kro resolves every field of a template in the OpenAPI schema of its kind and refuses the ones that are not there.""",
        wrong="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
      dta:
        key: value
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
        key: value
""",
        in_graphs=GRAPHS,
        repairs=(Repair.MOVED_LINES, Repair.REMOVED_FIELD),
        kro_messages=("error getting field schema for path {path}: schema not found for field {name}",),
    ),
    # Source: kro `pkg/graph/parser/parser.go`.
    Rule(
        code="unusable-schema",
        severity=Severity.ERROR,
        summary="kro cannot use the schema of this field.",
        explanation="""\
kro needs a type for each field that a template sets. Some CustomResourceDefinitions leave it out, for example for the
values of a map of anything; kro then refuses every value inside, though the API server would take it.""",
        kro_messages=(
            "schema at path {path} has no valid type, OneOf, AnyOf, or AdditionalProperties",
            "invalid array schema for path {path}: neither Items.Schema nor Properties are defined",
        ),
    ),
)

CHECK = SharedCheck(RULES, check_resource=check)
