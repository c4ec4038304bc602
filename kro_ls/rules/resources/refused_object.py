"""A template whose literal values the API server refuses when kro applies the object.

Source: k8s.io/kubernetes, pkg/apis/*/validation, and k8s.io/apiextensions-apiserver for custom kinds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.analysis.model.expressions import extract, is_standalone
from kro_ls.analysis.names.references import has_braces
from kro_ls.kro.versions.history import GRAPHS
from kro_ls.openapi.json_values import as_object, as_text, with_unknown
from kro_ls.openapi.validation.objects.refusal import Problem, problems
from kro_ls.queries.cells import Interned, cached
from kro_ls.rules.diagnostics import Finding, Findings, Severity
from kro_ls.rules.fixes import change_to
from kro_ls.rules.rule import BrokenYaml, InTemplates, Rule
from kro_ls.rules.types.typed import template_faults
from kro_ls.spelling import closest
from kro_ls.yaml_positions.nodes import (
    Mapping,
    Sequence,
    entry_of,
    field,
    key_at,
    nearest_at,
    node_at,
    resolved,
    text_of,
    to_python,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kro_ls.analysis.model.model import Resource
    from kro_ls.analysis.scope import Scope
    from kro_ls.kro.versions.dialect import Dialect
    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.openapi.kind_schema import KindSchema
    from kro_ls.openapi.validation.field_errors import FieldError
    from kro_ls.yaml_positions.nodes import Node

_NAMES = (("metadata", "name"), ("metadata", "generateName"))
"""The rule `invalid-metadata` checks the other fields of the metadata for every kind."""


def check(resource: Resource, scope: Scope) -> Findings:
    """Find what the API server refuses whatever the values of the expressions are.

    What seems to be missing may be meant by a part of the template that kro itself refuses.
    """
    template = resolved(resource.template)
    if not isinstance(template, Mapping) or not isinstance(resolved(field(template, "metadata")), Mapping):
        return  # kro itself refuses what is no object
    if has_braces(resource.chunk_text):
        return  # the fault is the braces, which are reported
    faulty = [each.path for each in template_faults(resource, scope.kind)]
    for problem in _refusal(resource, scope.kind).problems:
        is_reported = problem.path[:1] == ("metadata",) and problem.path not in _NAMES
        is_reported |= any(problem.path[: len(path)] == path for path in faulty)
        if not is_reported and not (faulty and node_at(template, problem.path) is None):
            node = _marked(template, problem)
            meant = closest(text_of(node) or "", problem.allowed) if problem.allowed else None
            fixes = (change_to(node.span, meant),) if meant else ()
            yield Finding(node.span, problem.message, fixes=fixes, kro_message=problem.text)


class _Refusal(Struct, frozen=True, weakref=True):
    """Why the API server refuses the object of a template. The templates of equal objects share it."""

    problems: tuple[Problem, ...]


_living: Final[Interned[tuple[str, KindSchema | None], _Refusal]] = Interned()


@cached
def _refusal(resource: Resource, kind: KindSchema | None) -> _Refusal:
    value = to_python(resource.template)
    if not isinstance(value, dict):
        return _Refusal(())
    value = _with_sample_name(value, resource.dialect)
    text = repr(value)  # unlike values, texts differ for `1` and `true`
    # Most edits leave the object alone: those of ids, conditions and comments.
    return _living.value((text, kind), _refusal_of, value, kind, may_omit="omit(" in text)


def _refusal_of(value: JsonObject, kind: KindSchema | None, *, may_omit: bool) -> _Refusal:
    found = tuple(problems(_known(value), kind, _rule_errors))
    if not may_omit:
        return _Refusal(found)
    fewer = {(each.path, each.message) for each in problems(_known(_without_omitted(value)), kind, _rule_errors)}
    return _Refusal(tuple(each for each in found if (each.path, each.message) in fewer))


def _known(value: JsonValue) -> JsonObject:
    return as_object(with_unknown(value))


def _with_sample_name(value: JsonObject, dialect: Dialect) -> JsonObject:
    """Return an object with a letter for each expression in its name, if there is text around them.

    A fault of such a name is a fault for all values of the expressions.
    """
    metadata = as_object(value.get("metadata"))
    name = as_text(metadata.get("name"))
    found = extract(name, dialect)
    if not found.expressions or is_standalone(name, found):
        return value
    sample, start = "", 0
    for span in found.expressions:
        sample += f"{name[start : span.start]}x"
        start = span.end
    return {**value, "metadata": {**metadata, "name": sample + name[start:]}}


def _without_omitted(value: JsonValue) -> JsonValue:
    """Return a value without the fields that an expression may omit."""
    if isinstance(value, dict):
        return {name: _without_omitted(inner) for name, inner in value.items() if not _may_be_omitted(inner)}
    return [_without_omitted(inner) for inner in value] if isinstance(value, list) else value


def _may_be_omitted(value: JsonValue) -> bool:
    return isinstance(value, str) and "omit(" in value


def _rule_errors(value: JsonObject, schema: JsonObject, _old: JsonObject | None) -> Iterable[FieldError]:
    from kro_ls.openapi.rules.evaluation import rule_errors  # few kinds have rules

    return rule_errors(value, schema)


def _marked(template: Mapping, problem: Problem) -> Node:
    """Return the faulty node, the key of a value of several lines, or the nearest node above a missing one."""
    key = key_at(template, problem.path)
    node = resolved(node_at(template, problem.path))
    if node is not None and not problem.in_key and not (isinstance(node, Mapping | Sequence) and not node.flow and key):
        return node
    first = entry_of(template, "kind")
    return key or nearest_at(template, problem.path) or (first.value if first else template)


RULE = Rule(
    code="refused-object",
    severity=Severity.WARNING,
    in_broken_yaml=BrokenYaml.HIDDEN,
    in_templates=InTemplates.UNLESS_TEXT_IS_ADDED,
    waits_for="rest",
    summary="The API server refuses the object of a template.",
    explanation="""\
kro compares a template with the types of its kind and no more. The API server looks at the values, too: what is
required, what a field may be, which names are allowed, and how fields belong together. When it refuses an object, the
instance gets the state `ERROR`, and kro neither applies the resources that follow nor removes old ones. What an
expression gives is not looked at here; `kro-ls preview` does that for an instance.""",
    wrong="""\
resources:
  - id: web
    template:
      apiVersion: v1
      kind: Service
      metadata:
        name: ${schema.metadata.name}
      spec:
        type: Loadbalancer
        selector:
          app: web
        ports:
          - port: 80
""",
    right="""\
resources:
  - id: web
    template:
      apiVersion: v1
      kind: Service
      metadata:
        name: ${schema.metadata.name}
      spec:
        type: LoadBalancer
        selector:
          app: web
        ports:
          - port: 80
""",
    check_resource=check,
    in_graphs=GRAPHS,
    kro_messages=(
        "resource reconciliation failed: apply results contain errors: {object} is invalid: {path}: {problem}",
        "{path}: Required value",
        "{path}: Unsupported value: {value}: supported values: {values}",
        "{path}: Invalid value: {value}: {problem}",
        "failed to create typed patch object ({object}): {path}: duplicate entries for key {key}",
        "{path}: field not declared in schema",
        "quantities must match the regular expression {form}",
        "illegal base64 data at input byte {number}",
        "name is required",
    ),
)
