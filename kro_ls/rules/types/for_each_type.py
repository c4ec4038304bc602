"""An iterator over something that is no list.

Source: kro `pkg/graph/builder.go`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.model import Resource
from kro_ls.cel.types.types import Kind
from kro_ls.kro.places import Place
from kro_ls.kro.versions.history import GRAPHS
from kro_ls.kro.versions.version import WITH_KREP_2
from kro_ls.openapi.plain_cel import type_name
from kro_ls.rules.diagnostics import Finding, Findings, Severity
from kro_ls.rules.rule import Repair, Rule
from kro_ls.rules.types.typed import is_left_to_runtime, uses_unknown_types

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import SchemaSection
    from kro_ls.analysis.scope import TypedScope
    from kro_ls.analysis.types.checking import CheckedExpression
    from kro_ls.cel.types.types import Type

_NO_LIST = 'forEach iterator "{name}" must return a list, got "{type}"'


def check(checked: CheckedExpression, part: Resource | SchemaSection, scope: TypedScope) -> Findings:
    """Find iterators over something that is no list."""
    result = checked.result.type
    if result.kind is Kind.LIST:
        return
    if result.is_dynamic and (uses_unknown_types(checked, part, scope) or is_left_to_runtime(part, result)):
        return
    if isinstance(part, Resource) and part.collection.takes_maps:
        if result.kind is not Kind.MAP:
            message = f"forEach needs a list or a map, but this gives {type_name(result)}{_advice(result)}"
            yield Finding(checked.expression.span(0, len(checked.expression.text)), message, versions=WITH_KREP_2)
        return
    name = checked.expression.path[-1]
    message = f"the iterator '{name}' needs a list, but this gives {type_name(result)}{_advice(result)}"
    kro_message = _NO_LIST.format(name=name, type=result)
    yield Finding(checked.expression.span(0, len(checked.expression.text)), message, kro_message=kro_message)


def _advice(result: Type) -> str:
    if result.kind is Kind.MAP:
        return "; iterate over the keys with 'm.map(k, k)'"
    if result.is_optional:
        return "; unwrap it with 'orValue([])'"
    return ""


RULE = Rule(
    code="for-each-type",
    severity=Severity.ERROR,
    summary="A forEach iterator does not run over a list.",
    explanation="""\
The expression of an iterator must give a list whose type is known as one. Maps, optional lists and values of unknown
type are refused: a map gives its keys with `m.map(k, k)`, an optional list unwraps with `orValue([])`.""",
    wrong="""\
resources:
  - id: config
    forEach:
      - letter: ${schema.metadata.name}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${letter}
""",
    right="""\
resources:
  - id: config
    forEach:
      - letter: ${schema.metadata.name.split("")}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${letter}
""",
    check_expression=check,
    places=frozenset({Place.FOR_EACH}),
    in_graphs=GRAPHS,
    repairs=(Repair.CONDITION,),
    kro_messages=(_NO_LIST,),
)
