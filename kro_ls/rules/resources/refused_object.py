"""A template whose literal values the API server refuses when kro applies the object.

Source: k8s.io/kubernetes, pkg/apis/*/validation, and k8s.io/apiextensions-apiserver for custom kinds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.names.references import has_braces
from kro_ls.kro.versions.history import GRAPHS
from kro_ls.rules.diagnostics import Finding, Findings, Severity
from kro_ls.rules.fixes import change_to
from kro_ls.rules.resources.template_refusal import refusal_problems
from kro_ls.rules.rule import BrokenYaml, InTemplates, Rule
from kro_ls.rules.types.typed import template_faults
from kro_ls.spelling import closest
from kro_ls.yaml_positions.nodes import (
    Mapping,
    Sequence,
    entry_of,
    key_at,
    nearest_at,
    node_at,
    resolved,
    text_of,
)

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import Resource
    from kro_ls.analysis.scope import Scope
    from kro_ls.openapi.validation.objects.refusal import Problem
    from kro_ls.yaml_positions.nodes import Node


def check(resource: Resource, scope: Scope) -> Findings:
    """Find what the API server refuses whatever the values of the expressions are.

    What seems to be missing may be meant by a part of the template that kro itself refuses.
    """
    template = resolved(resource.template)
    problems = [each for each in refusal_problems(resource, scope.kind) if not _is_reported_elsewhere(each)]
    if template is None or not problems or has_braces(resource.chunk_text):
        return  # where there are braces, these are the fault, and are reported
    faulty = [each.path for each in template_faults(resource, scope.kind)]
    for problem in problems:
        is_reported = any(problem.path[: len(path)] == path for path in faulty)
        if not is_reported and not (faulty and node_at(template, problem.path) is None):
            node = _marked(template, problem)
            meant = closest(text_of(node) or "", problem.allowed) if problem.allowed else None
            fixes = (change_to(node.span, meant),) if meant else ()
            yield Finding(node.span, problem.message, fixes=fixes, kro_message=problem.text)


def _is_reported_elsewhere(problem: Problem) -> bool:
    """Whether kro itself, or the rule `invalid-metadata`, reports a problem."""
    return problem.source == "metadata" or (problem.source == "schema" and problem.path[:1] == ("metadata",))


def _marked(template: Node, problem: Problem) -> Node:
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
