"""All labels or annotations of the instance copied onto an object: kro's own come along.

Source: kro `pkg/metadata/labels.go`, `pkg/controller/instance/applyset`; the applied objects of a real cluster.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.cel.syntax import ast
from kro_ls.kro.labels import APPLY_SET_HASH, APPLY_SET_PARENT, KRO_VERSION
from kro_ls.kro.places import Place
from kro_ls.rules.diagnostics import Finding, Findings, Fix, Severity
from kro_ls.rules.rule import Rule
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.writing import is_in_flow, replace_in_scalar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.analysis.model.model import Resource, SchemaSection
    from kro_ls.analysis.scope import Scope
    from kro_ls.analysis.types.checking import CheckedExpression

_EXAMPLES = {"labels": APPLY_SET_PARENT, "annotations": APPLY_SET_HASH}
_NOT_OF_USERS = {
    "labels": ("kro.run/", "applyset.kubernetes.io/"),
    "annotations": ("kro.run/", "internal.kro.run/", "applyset.kubernetes.io/", "kubectl.kubernetes.io/"),
}
"""The prefixes of the keys that kro and kubectl write on an instance."""

_SELECTING = frozenset({"matchLabels", "selector", "nodeSelector"})
_TAKING = frozenset({"labels", "annotations", *_SELECTING})
_MERGING = frozenset({"merge", "deepMerge"})


def check(checked: CheckedExpression, part: Resource | SchemaSection, _scope: Scope) -> Findings:
    """Find copies of all labels or annotations of the instance in labels, annotations and selectors."""
    expression = checked.expression
    if not expression.compiled.standalone or not expression.path or expression.path[-1] not in _TAKING:
        return
    for copied, whole in _copied(expression.inspection.parsed.root):
        written = expression.text[copied.start : copied.end]
        example, is_selector = _EXAMPLES[copied.field], expression.path[-1] in _SELECTING
        reason = f"'{KRO_VERSION}' changes when kro does" if is_selector else f"'{example}' is about the instance alone"
        message = f"'{written}' has the {copied.field} of kro, too; {reason}"
        fixes = tuple(_fixes(expression, part, copied, whole))
        yield Finding(expression.span(copied.start, copied.end), message, fixes=fixes)


def _copied(node: ast.Node) -> Iterator[tuple[ast.Select, ast.Node]]:
    """Yield the maps of the instance that a value copies, each with the expression around it that gives the map."""
    match node:
        case ast.Select(
            field="labels" | "annotations",
            operand=ast.Select(field="metadata", operand=ast.Identifier(name="schema")),
            test_only=False,
        ):
            yield node, node
        case ast.Call(function="orValue", target=target, arguments=arguments) if target is not None:
            yield from ((copied, node if whole is target else whole) for copied, whole in _copied(target))
            yield from (each for argument in arguments for each in _copied(argument))
        case ast.Call(function=function, target=target, arguments=arguments) if target is not None:
            for each in (target, *arguments) if function in _MERGING else ():
                yield from _copied(each)
        case ast.Call(function=ast.Operator.CONDITIONAL, arguments=(_, then, otherwise)):
            yield from _copied(then)
            yield from _copied(otherwise)
        case ast.Call(function="dyn", target=None, arguments=(inner,)):
            yield from _copied(inner)
        case _:
            return


def _fixes(
    expression: Expression, part: Resource | SchemaSection, copied: ast.Select, whole: ast.Node
) -> Iterator[Fix]:
    """Yield the fix that omits the keys of kro."""
    if isinstance(whole, ast.Select) and whole.optional:
        return  # an optional value is no map yet
    condition = " && ".join(f"!key.startsWith('{each}')" for each in _NOT_OF_USERS[copied.field])
    addition = f".transformMap(key, value, {condition}, value)"
    at = expression.value_span(whole.start, whole.end).end
    in_flow = is_in_flow(part.node, expression.scalar)
    edit = replace_in_scalar(expression.chunk_text, expression.scalar, Span(at, at), addition, in_flow=in_flow)
    if edit:
        yield Fix(f"Leave out the {copied.field} of kro", (edit,))


RULE = Rule(
    code="copied-instance-labels",
    severity=Severity.WARNING,
    summary="All labels or annotations of the instance are copied, with those of kro.",
    explanation="""\
kro writes labels on each instance: who owns it, which definition and which version of kro made it, and, with
`applyset.kubernetes.io/id`, that it is the parent of a set of objects. In its annotations are the inventory of that set
and what `kubectl apply` applied. Whoever copies `schema.metadata.labels` or `schema.metadata.annotations` as a whole
copies these, too. An object then seems to be a parent; if it is an instance itself, kro gives it the label of the one
and the other by turns. A selector with `kro.run/kro-version` changes with the next version of kro, which the API server
refuses. Copy the keys that you need, or leave out those of kro.""",
    wrong="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
        labels: ${schema.metadata.labels}
""",
    right="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
        labels:
          team: ${schema.metadata.?labels["team"].orValue("none")}
""",
    check_expression=check,
    places=frozenset({Place.TEMPLATE}),
)
