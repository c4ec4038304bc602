"""An expression in double braces, as older versions of TypeKro wrote it; kro treats it as text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kro_ls.analysis.names.references import READ_IN_BRACES, has_braces
from kro_ls.kro.versions.history import GRAPHS
from kro_ls.rules.diagnostics import Finding, Findings, Fix, Severity
from kro_ls.rules.rule import InTemplates, Rule
from kro_ls.yaml_positions.nodes import Scalar, walk
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.source_map import source_map
from kro_ls.yaml_positions.scalars.writing import Replacement

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import Resource
    from kro_ls.analysis.scope import Scope
    from kro_ls.yaml_positions.nodes import Node


def check_resource(resource: Resource, _scope: Scope) -> Findings:
    """Find such expressions in a template."""
    if has_braces(resource.chunk_text):
        yield from _in_tree(resource.object, resource.chunk_text)


def _in_tree(root: Node | None, text: str) -> Findings:
    for node in walk(root) if root else ():
        if not isinstance(node, Scalar) or not isinstance(node.value, str):
            continue
        for match in re.finditer(READ_IN_BRACES, node.value):
            span = source_map(text, node).source_span(Span(*match.span()))
            expression = f"${{schema.{match['path']}}}"
            fix = Fix(f"Change to '{expression}'", (Replacement(span, expression),), keeps_meaning=True)
            yield Finding(span, f"kro takes this as text; an expression is written '{expression}'", fixes=(fix,))


RULE = Rule(
    code="mustache-expression",
    severity=Severity.WARNING,
    in_templates=InTemplates.NEVER,
    in_graphs=GRAPHS,
    summary="An expression in double braces is plain text for kro.",
    explanation="""\
Older versions of TypeKro, and other tools for templates, write `{{schema.spec.name}}`. kro evaluates `${...}` alone and
leaves the braces in the object as they are.""",
    wrong="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
      data:
        title: "Shop {{schema.metadata.name}}"
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
        title: "Shop ${schema.metadata.name}"
""",
    check_resource=check_resource,
)
