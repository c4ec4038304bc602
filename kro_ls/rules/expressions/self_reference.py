"""A resource that refers to itself where it does not exist yet.

Source: kro `pkg/graph/builder.go` and `pkg/graph/dag/dag.go`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.model import Resource
from kro_ls.analysis.names.references import Meaning, meaning, references
from kro_ls.kro.places import Place
from kro_ls.kro.versions.history import GRAPHS
from kro_ls.kro.versions.version import OLDEST, Versions
from kro_ls.rules.diagnostics import Finding, Findings, Severity
from kro_ls.rules.rule import Rule
from kro_ls.rules.versions.newer_functions import inspected_since

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import SchemaSection
    from kro_ls.analysis.scope import NamedScope

_NOT_ALLOWED = "self references are not allowed"


def check(part: Resource | SchemaSection, scope: NamedScope) -> Findings:
    """Find the references of a resource to its own id outside of readyWhen."""
    if not isinstance(part, Resource) or scope.anonymous_resources:
        # The name may mean a resource whose id is reported already.
        return
    for reference in references(part):
        if reference.name != part.id:
            continue
        place = reference.expression.place
        if reference.name in part.iterators:
            # The iterator is reported, which cannot have this name.
            continue
        if place is Place.READY_WHEN or meaning(reference.name, part, scope.resource_ids) is not Meaning.SELF:
            continue
        if not reference.expression.inspection.parsed.is_valid:
            continue
        since = OLDEST if place is Place.INCLUDE_WHEN else inspected_since(reference.expression, reference.use.node)
        message = (
            f"'{reference.name}' cannot refer to itself in {place.value}; only readyWhen may refer to the resource"
        )
        yield Finding(reference.span, message, versions=Versions(since=since), kro_message=_NOT_ALLOWED)


RULE = Rule(
    code="self-reference",
    severity=Severity.ERROR,
    summary="A resource refers to itself.",
    explanation="""\
The expressions of a template, of `forEach` and of `includeWhen` are evaluated before the resource exists, so they
cannot refer to it. Only `readyWhen` looks at the resource itself.""",
    wrong="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
      data:
        self: ${config.metadata.name}
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
        self: ${schema.metadata.name}
""",
    check_names=check,
    in_graphs=GRAPHS,
    kro_messages=(_NOT_ALLOWED,),
)
