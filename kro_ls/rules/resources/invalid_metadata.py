"""Metadata of a template that the API server refuses for an object of any kind: labels, annotations and the like.

Source: k8s.io/apimachinery, pkg/api/validation/objectmeta.go. What a name may be depends on the kind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.rules.diagnostics import Finding, Findings, Severity
from kro_ls.rules.resources.template_refusal import refusal_problems
from kro_ls.rules.rule import Rule
from kro_ls.yaml_positions.nodes import key_at, node_at

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import Resource
    from kro_ls.analysis.scope import Scope


def check(resource: Resource, scope: Scope) -> Findings:
    """Find the faults of a template's metadata that no value of its expressions avoids."""
    for problem in refusal_problems(resource, scope.kind):
        if problem.source == "metadata":
            node = (key_at if problem.in_key else node_at)(resource.template, problem.path)
            if node is not None:
                yield Finding(node.span, problem.message, kro_message=problem.text)


RULE = Rule(
    code="invalid-metadata",
    severity=Severity.WARNING,
    summary="The API server refuses the labels, annotations or finalizers of a template.",
    explanation="""\
kro takes any text in `metadata`, and the API server refuses the object when kro applies it. The value of a label and
the name in a key have at most 63 letters, digits, `-`, `_` and `.`, with a letter or digit at both ends; a key may have
a domain and a slash before its name. Annotations have at most 256 KiB together. Values of expressions are not looked
at.""",
    wrong="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
        labels:
          team: web shop
""",
    right="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
        labels:
          team: web-shop
""",
    check_resource=check,
    kro_messages=(
        "{path}: Invalid value: {value}: a valid label must be an empty string or consist of {characters}",
        "{path}: Invalid value: {value}: name part must consist of {characters}",
        "{path}: Invalid value: {value}: prefix part {problem}",
    ),
)
