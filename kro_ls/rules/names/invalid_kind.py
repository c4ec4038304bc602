"""A kind for the new API that is not UpperCamelCase.

Source: kro `pkg/graph/validation.go` and the pattern in the ResourceGraphDefinition CRD.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.kro.identifiers import is_kind, to_lower_camel_case
from kro_ls.rules.diagnostics import Finding, Findings, Severity
from kro_ls.rules.fixes import change_to
from kro_ls.rules.rule import Rule
from kro_ls.yaml_positions.nodes import Scalar, field

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import SchemaSection
    from kro_ls.analysis.scope import Scope

LONGEST_KIND = 63
_NOT_VALID = "kind '{kind}' is not a valid KRO kind name: must be UpperCamelCase"
_REFUSED = (
    "spec.schema.kind: Invalid value: \"{kind}\": spec.schema.kind in body should match '^[A-Z][a-zA-Z0-9]{{0,62}}$'"
)


def check(section: SchemaSection, _scope: Scope) -> Findings:
    """Find a `spec.schema.kind` that kro or the API server refuses."""
    node = field(section.node, "kind")
    if section.kind is None or is_kind(section.kind) or not isinstance(node, Scalar):
        return
    if len(section.kind) > LONGEST_KIND:
        message = f"the kind has {len(section.kind)} characters; at most {LONGEST_KIND} are allowed"
        yield Finding(node.span, message, kro_message=_REFUSED.format(kind=section.kind))
        return
    camel_case = to_lower_camel_case(section.kind)
    proposal = camel_case and camel_case[0].upper() + camel_case[1:]
    usable = proposal if proposal and is_kind(proposal) else None
    message = f"'{section.kind}' is not a valid kind; expected upper camel case, such as '{usable or 'MyApp'}'"
    fixes = (change_to(node.span, usable),) if usable else ()
    yield Finding(node.span, message, fixes=fixes, kro_message=_NOT_VALID.format(kind=section.kind))


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
    check_outline=check,
    kro_messages=(
        _NOT_VALID,
        _REFUSED,
    ),
)
