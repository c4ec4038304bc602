"""An iterator whose list refers to an iterator.

Source: kro `pkg/graph/builder.go`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.model import Resource
from kro_ls.analysis.names.references import Meaning, meaning, references
from kro_ls.kro.places import Place
from kro_ls.kro.versions.history import GRAPHS
from kro_ls.rules.diagnostics import Finding, Findings, Related, Severity
from kro_ls.rules.rule import Rule

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import SchemaSection
    from kro_ls.analysis.scope import NamedScope

_INDEPENDENT = (
    'forEach iterator "{iterator}" cannot reference other iterators [{others}] - '
    "forEach iterators are independent (cartesian product)"
)


def check(part: Resource | SchemaSection, scope: NamedScope) -> Findings:
    """Find the references to iterators in the lists of iterators."""
    if not isinstance(part, Resource) or not part.dimensions:
        return
    keys = {dimension.name: dimension.key for dimension in part.dimensions}
    for reference in references(part):
        expression = reference.expression
        if expression.place is not Place.FOR_EACH or not expression.inspection.parsed.is_valid:
            continue
        if meaning(reference.name, part, scope.resource_ids) is not Meaning.ITERATOR:
            continue
        iterator = expression.path[-1]
        message = f"the iterator '{iterator}' cannot refer to '{reference.name}'; iterators are independent"
        kro_message = _INDEPENDENT.format(iterator=iterator, others=reference.name)
        related = (Related(keys[reference.name].span, f"the iterator '{reference.name}'"),)
        yield Finding(reference.span, message, related, kro_message=kro_message)


RULE = Rule(
    code="iterator-reference",
    severity=Severity.ERROR,
    summary="An iterator of forEach refers to another iterator.",
    explanation="""\
kro makes one object for every combination of the iterators' elements, so the list of one iterator cannot depend on
another iterator. Make one list of all combinations instead, and iterate over that.""",
    wrong="""\
resources:
  - id: configs
    forEach:
      - row: ${["a", "b"]}
      - cell: ${[row + "1", row + "2"]}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${row + cell}
""",
    right="""\
resources:
  - id: configs
    forEach:
      - row: ${["a", "b"]}
      - cell: ${["1", "2"]}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${row + cell}
""",
    check_names=check,
    in_graphs=GRAPHS,
    kro_messages=(_INDEPENDENT,),
)
