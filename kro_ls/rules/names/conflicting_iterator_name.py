"""An iterator with the name of a resource or of another iterator of its resource.

Source: kro `pkg/graph/validation.go` (reference: forEach declarations).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.model import Resource
from kro_ls.kro.identifiers import RESERVED_WORDS, is_lower_camel_case
from kro_ls.rules.diagnostics import Finding, Findings, Related, ResourceDeclaration, Severity
from kro_ls.rules.rule import Rule

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import Dimension, SchemaSection
    from kro_ls.analysis.scope import NamedScope

_REPEATED = 'duplicate forEach iterator name "{name}"'
_TAKEN = 'forEach iterator name "{name}" conflicts with resource ID'


def check(part: Resource | SchemaSection, scope: NamedScope) -> Findings:
    """Find the iterators whose name another iterator or a resource has."""
    if not isinstance(part, Resource):
        return
    first_of: dict[str, Dimension] = {}
    for dimension in part.named_iterators:
        name = dimension.name
        if not is_lower_camel_case(name) or name in RESERVED_WORDS:
            continue
        first = first_of.setdefault(name, dimension)
        if first is not dimension:
            message = f"'{name}' is already an iterator of this resource; each needs its own name"
            related = (Related(first.key.span, f"the first iterator '{name}'"),)
            yield Finding(dimension.key.span, message, related, kro_message=_REPEATED.format(name=name))
        elif name in scope.resource_ids or name == part.id:
            message = f"'{name}' is already the id of a resource; choose another name for the iterator"
            related = (Related(ResourceDeclaration(name), f"the resource '{name}'"),)
            yield Finding(dimension.key.span, message, related, kro_message=_TAKEN.format(name=name))


RULE = Rule(
    code="conflicting-iterator-name",
    severity=Severity.ERROR,
    summary="A forEach iterator has the name of a resource or of another iterator.",
    explanation="""\
Within a resource, a name in an expression can mean one thing only. An iterator may therefore not have the id of any
resource, and a resource may not have two iterators of one name. Iterators of different resources may have one name.""",
    wrong="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
  - id: more
    forEach:
      - config: ${["a", "b"]}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name + config}
""",
    right="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
  - id: more
    forEach:
      - suffix: ${["a", "b"]}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name + suffix}
""",
    check_names=check,
    kro_messages=(
        _REPEATED,
        _TAKEN,
    ),
)
