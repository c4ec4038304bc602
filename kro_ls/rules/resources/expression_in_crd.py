"""An expression in a CustomResourceDefinition, outside of its metadata.

Source: kro `pkg/graph/builder.go`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.paths import format_path
from kro_ls.kro.places import Place
from kro_ls.kro.versions.history import EXPRESSIONS_IN_CRDS, GRAPHS, TEXTS_IN_CRDS
from kro_ls.kro.versions.version import Versions
from kro_ls.openapi.kind_schema import CRD
from kro_ls.rules.diagnostics import Finding, Findings, Severity
from kro_ls.rules.rule import Rule
from kro_ls.yaml_positions.nodes import field, text_of
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.analysis.model.model import Resource
    from kro_ls.analysis.scope import Scope

_CRD = (CRD.api_version, CRD.kind)
_ONLY_IN_METADATA = 'CEL expressions in CRDs are only supported for metadata fields, found in path "{path}"'


def check(resource: Resource, _scope: Scope) -> Findings:
    """Find the expressions in the template of a CRD that kro refuses."""
    template = resource.template
    names = (text_of(field(template, "apiVersion")), text_of(field(template, "kind")))
    if names != _CRD or field(template, "metadata") is None:
        return
    for expression in resource.expressions:
        if expression.place is not Place.TEMPLATE or expression.compiled.number > 1:
            continue
        span = _marked(expression, resource.chunk_text)
        if expression.path[0] == "metadata":
            first, what = EXPRESSIONS_IN_CRDS, "an expression"
            if not expression.compiled.standalone:
                first, what = TEXTS_IN_CRDS, "an expression with text around it"
            message = f"{what} in a CustomResourceDefinition needs kro {first}"
            yield Finding(span, message, versions=Versions(before=first))
        else:
            path = format_path(expression.path)
            message = f"'{path}' of a CustomResourceDefinition cannot hold an expression; only its metadata can"
            yield Finding(span, message, kro_message=_ONLY_IN_METADATA.format(path=path))


def _marked(expression: Expression, text: str) -> Span:
    """Return the span of an expression, or of its first line if it has several."""
    whole = expression.whole
    if "\n" not in text[whole.start : whole.end]:
        return whole
    written = expression.span(0, len(expression.text))
    line_end = text.find("\n", written.start, written.end)
    return Span(written.start, line_end) if line_end >= 0 else written


RULE = Rule(
    code="expression-in-crd",
    severity=Severity.ERROR,
    summary="A CustomResourceDefinition holds an expression outside of its metadata.",
    explanation="""\
In the template of a CustomResourceDefinition (`apiextensions.k8s.io/v1`) only `metadata` may hold expressions; its
`spec` is fixed. Before kro 0.7.0 there could be none at all, before 0.8.0 none with text around it.""",
    wrong="""\
resources:
  - id: crd
    template:
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata:
        name: gadgets.example.com
      spec:
        group: ${schema.metadata.name}
        scope: Namespaced
        names: {kind: Gadget, plural: gadgets}
        versions:
          - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
""",
    right="""\
resources:
  - id: crd
    template:
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata:
        name: gadgets.example.com
        labels:
          owner: ${schema.metadata.name}
      spec:
        group: example.com
        scope: Namespaced
        names: {kind: Gadget, plural: gadgets}
        versions:
          - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
""",
    check_resource=check,
    in_graphs=GRAPHS,
    kro_messages=(_ONLY_IN_METADATA,),
)
