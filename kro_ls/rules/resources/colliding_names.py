"""A collection whose names use all iterators, but in which several objects get one name.

Source: kro `pkg/runtime` ("identity collision").
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from kro_ls.analysis.model.expressions import extract
from kro_ls.analysis.model.model import ResourceType
from kro_ls.cel.syntax import ast
from kro_ls.kro.versions.history import GRAPHS
from kro_ls.rules.diagnostics import Finding, Findings, Fix, Related, Severity
from kro_ls.rules.rule import Rule
from kro_ls.yaml_positions.nodes import Scalar, node_at, resolved
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.writing import is_in_flow, replace_in_scalar

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import Dimension, Resource
    from kro_ls.analysis.scope import Scope

_COLLISION = 'node "{id}" identity collision: duplicate identity: {identity}'


def check(resource: Resource, _scope: Scope) -> Findings:
    """Find repeated items of a list, and adjacent iterators with nothing between them."""
    if resource.type is not ResourceType.COLLECTION:
        return
    for dimension in resource.dimensions:
        yield from _repeated(dimension)
    yield from _adjacent(resource)


def _repeated(dimension: Dimension) -> Findings:
    expression = dimension.expression
    root = expression.inspection.parsed.root if expression else None
    first: dict[tuple[str, object], ast.Node] = {}
    for item in root.elements if isinstance(root, ast.ListLiteral) and expression else ():
        if isinstance(item, ast.Literal) and expression:
            before = first.setdefault((item.kind, item.value), item)
            if before is not item:
                written = item.value if isinstance(item.value, str) else expression.text[item.start : item.end]
                related = (Related(expression.span(before.start, before.end), "it is here already"),)
                message = f"'{written}' is in the list twice, so two objects have one name"
                yield Finding(expression.span(item.start, item.end), message, related)


def _adjacent(resource: Resource) -> Findings:
    """Find adjacent iterators in a name: `a` and `bc` give the same name as `ab` and `c`."""
    name = resolved(node_at(resource.object, ("metadata", "name")))
    if not isinstance(name, Scalar):
        return
    for one, other in pairwise(extract(name.text, resource.dialect).expressions):
        texts = [name.text[each.start + 2 : each.end - 1].strip() for each in (one, other)]
        if one.end == other.start and texts[0] != texts[1] and resource.iterators.issuperset(texts):
            message = f"nothing separates '{texts[0]}' and '{texts[1]}', so different items may give one name"
            in_flow, between = is_in_flow(resource.node, name), Span(one.end, one.end)
            edit = replace_in_scalar(resource.chunk_text, name, between, "-", in_flow=in_flow)
            fixes = (Fix("Put '-' between them", (edit,)),) if edit else ()
            yield Finding(name.span, message, fixes=fixes, severity=Severity.HINT)


RULE = Rule(
    code="colliding-names",
    severity=Severity.WARNING,
    summary="Several objects of a collection have one name.",
    explanation="""\
`forEach` makes an object for each item, and kro refuses to apply any of them where two have the same kind, namespace
and name: the instance gets the state `ERROR`. An item that is in the list twice makes two such objects. Iterators that
stand in the name with nothing between them may: `a` and `bc` give the same name as `ab` and `c`. That is a hint.""",
    wrong="""\
resources:
  - id: configs
    forEach:
      - zone: ${["a", "b", "a"]}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}-${zone}
""",
    right="""\
resources:
  - id: configs
    forEach:
      - zone: ${["a", "b", "c"]}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}-${zone}
""",
    check_resource=check,
    in_graphs=GRAPHS,
    kro_messages=(_COLLISION,),
)
