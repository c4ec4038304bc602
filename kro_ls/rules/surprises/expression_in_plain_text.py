"""An expression in a place where kro does not evaluate it.

Source: kro evaluates expressions in templates, external references, conditions, iterators and the status only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.expressions import extract
from kro_ls.analysis.model.sections import written_field
from kro_ls.analysis.types.variables import simple_schema
from kro_ls.rules.diagnostics import Finding, Findings, Severity
from kro_ls.rules.rule import Rule
from kro_ls.yaml_positions.nodes import Scalar, field, walk
from kro_ls.yaml_positions.scalars.source_map import source_map

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import SchemaSection
    from kro_ls.analysis.scope import Scope
    from kro_ls.yaml_positions.nodes import Node

_PLAIN_FIELDS = {
    "metadata": "the labels and annotations of the CRD are the same for all instances",
    "additionalPrinterColumns": "a printer column gets its value from its jsonPath",
}
_PLAIN_MARKERS = {
    "default": "a default is constant, read the field with '.?' and '.orValue(...)' instead",
    "description": "a description is constant",
}


def check_schema(section: SchemaSection, _scope: Scope) -> Findings:
    """Find expressions in `spec.schema` outside of the status."""
    if "${" not in section.chunk_text:
        return
    for name, advice in _PLAIN_FIELDS.items():
        yield from _in_tree(field(section.node, name), section.chunk_text, advice)
    for definition in simple_schema(section).definitions.values():
        for marker in definition.syntax.markers if definition.syntax else ():
            if marker.name in _PLAIN_MARKERS and extract(marker.value).expressions:
                written = written_field(section, definition.root, definition.path)
                if written:
                    span = written.span_in_text(marker.value_span)
                    yield Finding(span, f"kro does not evaluate this; {_PLAIN_MARKERS[marker.name]}")


def _in_tree(root: Node | None, text: str, advice: str) -> Findings:
    for node in walk(root) if root else ():
        if isinstance(node, Scalar) and isinstance(node.value, str):
            for span in extract(node.value).expressions:
                message = f"kro does not evaluate this; {advice}"
                yield Finding(source_map(text, node).source_span(span), message)


RULE = Rule(
    code="expression-in-plain-text",
    severity=Severity.WARNING,
    summary="An expression stands where kro evaluates none.",
    explanation="""\
kro evaluates `${...}` in templates, in the name, namespace and selector of an external reference, in `includeWhen`,
`readyWhen` and `forEach`, and in `status`. Elsewhere it is plain text: in the metadata and the
printer columns of the CRD, in a default or a description of a field.""",
    wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    title: string | default="${schema.metadata.name}"
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
      data:
        title: ${schema.spec.title}
""",
    right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    title: string
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
      data:
        title: ${schema.spec.?title.orValue(schema.metadata.name)}
""",
    check_schema=check_schema,
)
