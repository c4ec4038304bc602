"""A kind for the new API that is not UpperCamelCase.

Source: kro `pkg/graph/validation.go` and the pattern in the ResourceGraphDefinition CRD.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.kro.names import is_kind, to_lower_camel_case
from kro_ls.rules.diagnostics import Finding, Severity
from kro_ls.rules.fixes import change_to
from kro_ls.rules.rule import Rule, SchemaAs
from kro_ls.yaml_positions.access import field
from kro_ls.yaml_positions.nodes import Scalar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.model.model import SchemaSection
    from kro_ls.analysis.scope import Scope

LONGEST_KIND = 63


def check(section: SchemaSection, _scope: Scope) -> Iterator[Finding]:
    """Find a `spec.schema.kind` that kro or the API server refuses."""
    node = field(section.node, "kind")
    if section.kind is None or is_kind(section.kind) or not isinstance(node, Scalar):
        return
    if len(section.kind) > LONGEST_KIND:
        yield Finding(node.span, f"the kind is {len(section.kind)} characters long: it may have {LONGEST_KIND} at most")
        return
    message = f"kind '{section.kind}' is not a valid KRO kind name: must be UpperCamelCase (letters and digits only)"
    camel_case = to_lower_camel_case(section.kind)
    proposal = camel_case and camel_case[0].upper() + camel_case[1:]
    fixes = (change_to(node.span, proposal),) if proposal and is_kind(proposal) else ()
    yield Finding(node.span, message, fixes=fixes)


RULE = Rule(
    code="invalid-kind",
    severity=Severity.ERROR,
    summary="The kind of the new API is not UpperCamelCase.",
    explanation="""\
`spec.schema.kind` names the kind that kro adds to the cluster. It begins with an upper-case letter, holds letters and
digits only, and has at most 63 of them.""",
    wrong="""\
schema:
  apiVersion: v1alpha1
  kind: web-app
""",
    right="""\
schema:
  apiVersion: v1alpha1
  kind: WebApp
""",
    check_schema=check,
    schema_as=SchemaAs.HEAD,
)
