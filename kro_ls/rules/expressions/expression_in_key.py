"""An expression in the key of a mapping, which kro treats as plain text.

Source: kro `pkg/graph/parser`: keys are never searched for expressions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.expressions import extract
from kro_ls.rules.diagnostics import Finding, Findings, Severity
from kro_ls.rules.rule import Rule
from kro_ls.yaml_positions.nodes import Mapping, Scalar, Sequence

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import Resource, SchemaSection
    from kro_ls.analysis.scope import Scope
    from kro_ls.yaml_positions.nodes import Node


def check_resource(resource: Resource, _scope: Scope) -> Findings:
    """Find the keys with expressions in a template."""
    return _check(resource.template, resource.chunk_text)


def check_schema(section: SchemaSection, _scope: Scope) -> Findings:
    """Find the keys with expressions in the status."""
    return _check(section.status, section.chunk_text)


def _check(root: Node | None, chunk_text: str) -> Findings:
    if root is None or "${" not in chunk_text[root.start : root.end]:
        return
    pending: list[Node] = [root]
    while pending:
        node = pending.pop()
        if type(node) is Mapping:
            for entry in node.entries:
                if type(entry.key) is not Scalar:
                    pending.append(entry.key)
                elif "${" in entry.key.text and extract(entry.key.text).expressions:
                    message = "kro does not evaluate expressions in keys; write the whole mapping as one expression"
                    yield Finding(entry.key.span, message)
                if type(entry.value) is not Scalar:  # as most are
                    pending.append(entry.value)
        elif type(node) is Sequence:
            pending.extend(node.items)


RULE = Rule(
    code="expression-in-key",
    severity=Severity.WARNING,
    summary="An expression stands in the key of a mapping.",
    explanation="""\
kro evaluates `${...}` in values only. In a key it stays as it is, and the object gets a key that begins with `${`.
Where the keys have to be computed, give the whole mapping as one expression.""",
    wrong="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
      data:
        ${schema.metadata.name}: value
""",
    right="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
      data: '${{schema.metadata.name: "value"}}'
""",
    check_resource=check_resource,
    check_schema=check_schema,
)
