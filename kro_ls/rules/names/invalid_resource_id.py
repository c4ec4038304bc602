"""A resource id that is not lower camel case.

Source: kro `pkg/graph/validation.go`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.names.references import references
from kro_ls.kro.identifiers import RESERVED_WORDS, is_lower_camel_case, to_lower_camel_case
from kro_ls.rules.diagnostics import Finding, Findings, Severity
from kro_ls.rules.fixes import rename
from kro_ls.rules.rule import Repair, Rule

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import Resource
    from kro_ls.analysis.scope import Scope

_NOT_VALID = "id {id} is not a valid KRO resource id: must be lower camelCase"


def check(resource: Resource, _scope: Scope) -> Findings:
    """Find an id that is not lower camel case; reserved words have a rule of their own."""
    node = resource.id_node
    if resource.id is None or node is None or resource.id in RESERVED_WORDS or is_lower_camel_case(resource.id):
        return
    proposal = to_lower_camel_case(resource.id)
    usable = proposal if proposal and is_lower_camel_case(proposal) and proposal not in RESERVED_WORDS else None
    uses = (reference.span for reference in references(resource) if reference.name == resource.id)
    fixes = (rename(node.span, usable, uses),) if usable else ()
    message = (
        f"'{resource.id}' is not a valid resource id; expected lower camel case, such as '{usable or 'myResource'}'"
    )
    yield Finding(node.span, message, fixes=fixes, kro_message=_NOT_VALID.format(id=resource.id))


RULE = Rule(
    code="invalid-resource-id",
    severity=Severity.ERROR,
    summary="A resource id is not lower camel case.",
    explanation="""\
Expressions refer to a resource by its id, so the id has to be a name in CEL: it begins with a lower-case letter and
holds letters and digits only. `my-pod` would read as `my` minus `pod`.""",
    wrong="""\
resources:
  - id: my-config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
""",
    right="""\
resources:
  - id: myConfig
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
""",
    check_resource=check,
    repairs=(Repair.RENAMED_ID,),
    prefers_repairs=True,
    kro_messages=(_NOT_VALID,),
)
