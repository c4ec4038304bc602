"""A `kind` of a template or an external reference that cannot be the name of a kind.

Source: kro `pkg/metadata` (the lower-cased kind has to be a DNS-1035 label).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.expressions import extract
from kro_ls.kro.identifiers import is_template_kind
from kro_ls.rules.diagnostics import Finding, Findings, Severity
from kro_ls.rules.fixes import change_to
from kro_ls.rules.rule import Rule
from kro_ls.yaml_positions.nodes import Scalar, field, text_of

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import Resource
    from kro_ls.analysis.scope import Scope

_INVALID = 'invalid kind "{kind}": must be a valid DNS-1035 label when lowercased'


def check(resource: Resource, _scope: Scope) -> Findings:
    """Find a kind that cannot be the name of a kind."""
    node = field(resource.object, "kind")
    kind = text_of(node)
    if kind is None or is_template_kind(kind) or not isinstance(node, Scalar):
        return
    message = f"'{kind}' is not a valid kind; expected letters, digits and '-', such as 'ConfigMap'"
    if extract(kind).expressions:
        message = "'kind' cannot hold an expression; kro must know the kind before it evaluates any"
    trimmed = kind.strip()
    fixes = (change_to(node.span, trimmed),) if is_template_kind(trimmed) else ()
    yield Finding(node.span, message, fixes=fixes, kro_message=_INVALID.format(kind=kind))


RULE = Rule(
    code="invalid-template-kind",
    severity=Severity.ERROR,
    summary="The kind of a template cannot be the name of a kind.",
    explanation="""\
A kind begins with a letter and holds letters, digits and `-`, at most 63 of them. It cannot hold an expression, because
kro looks the kind up before any expression is evaluated.""",
    wrong="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: Config_Map
      metadata:
        name: ${schema.metadata.name}
""",
    right="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
""",
    check_resource=check,
    kro_messages=(_INVALID,),
)
