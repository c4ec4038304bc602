"""A selector of an external reference that selects nothing Kubernetes knows.

Source: kro `pkg/graph/validation.go` (validateSelector) and Kubernetes' ValidateLabelSelector.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kro_ls.cel.types.types import DYN, STRING, list_type, map_type
from kro_ls.kro.places import Place
from kro_ls.kro.versions.history import SELECTORS_CHECKED
from kro_ls.rules.diagnostics import Finding, Findings, Fix, Severity
from kro_ls.rules.fixes import change_to
from kro_ls.rules.rule import Rule
from kro_ls.rules.types.typed import KRO_MESSAGE, mismatch_finding
from kro_ls.spelling import closest, listed
from kro_ls.yaml_positions.nodes import entries, field, items, node_at, resolved, text_of

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import Resource, SchemaSection
    from kro_ls.analysis.scope import Scope, TypedScope
    from kro_ls.analysis.types.checking import CheckedExpression
    from kro_ls.cel.types.types import Type
    from kro_ls.yaml_positions.nodes import Node

_INVALID = "invalid label selector"
_SELECTOR = ("metadata", "selector")
_WITH_VALUES, _WITHOUT_VALUES = ("In", "NotIn"), ("Exists", "DoesNotExist")
_NAME = r"[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?"
_DOMAIN = r"(?=.{1,253}$)[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*"


def check(resource: Resource, _scope: Scope) -> Findings:
    """Find what kro refuses in a selector of the right shape, unless it has expressions."""
    selector = node_at(resource.external_reference, _SELECTOR)
    if selector and not any(expression.path[:2] == _SELECTOR for expression in resource.expressions):
        yield from _faults(selector)


def check_expression(checked: CheckedExpression, part: Resource | SchemaSection, scope: TypedScope) -> Findings:
    """Find an expression in a selector with a wrong type."""
    path = checked.expression.path
    if path[:2] != _SELECTOR:
        return
    found = mismatch_finding(checked, part, scope, _expected(path[2:]))
    if found:
        yield found


def _expected(path: tuple[str | int, ...]) -> Type:
    match path:
        case ():
            return map_type(STRING, DYN)
        case ("matchLabels",):
            return map_type(STRING, STRING)
        case ("matchLabels", *_):
            return STRING
        case ("matchExpressions",):
            return list_type(DYN)
    return DYN


def _faults(selector: Node) -> Findings:
    for entry in entries(field(selector, "matchLabels")):
        if not _is_label(entry.name or ""):
            yield _finding(entry.key, f"'{entry.name}' is not a valid label name")
        value = text_of(entry.value)
        if value and not _is_value(value):
            yield _finding(entry.value, f"'{value}' is not a valid label value")
    for requirement in items(field(selector, "matchExpressions")):
        yield from _faults_of_requirement(resolved(requirement))


def _faults_of_requirement(requirement: Node | None) -> Findings:
    key, operator, values = (field(requirement, name) for name in ("key", "operator", "values"))
    name, chosen = text_of(key), text_of(operator)
    if key and name is not None and not _is_label(name):
        yield _finding(key, f"'{name}' is not a valid label name")
    for value in items(values):
        if (text := text_of(value)) and not _is_value(text):
            yield _finding(value, f"'{text}' is not a valid label value")
    if operator is None or chosen is None:
        return
    if chosen in _WITH_VALUES and not items(values):
        yield _finding(operator, f"'{chosen}' needs 'values', and there are none")
    elif chosen in _WITHOUT_VALUES and items(values):
        yield _finding(operator, f"'{chosen}' takes no 'values'; remove them")
    elif chosen not in _WITH_VALUES + _WITHOUT_VALUES:
        known = (*_WITH_VALUES, *_WITHOUT_VALUES)
        meant = closest(chosen, known)
        message = f"'{chosen}' is not an operator of selectors; expected {listed(known)}"
        yield _finding(operator, message, (change_to(operator.span, meant),) if meant else ())


def _finding(node: Node, message: str, fixes: tuple[Fix, ...] = ()) -> Finding:
    return Finding(node.span, message, fixes=fixes, kro_message=_INVALID)


def _is_label(name: str) -> bool:
    domain, slash, last = name.rpartition("/")
    return re.fullmatch(_NAME, last) is not None and (not slash or re.fullmatch(_DOMAIN, domain) is not None)


def _is_value(value: str) -> bool:
    return re.fullmatch(_NAME, value) is not None


RULE = Rule(
    code="invalid-selector",
    severity=Severity.ERROR,
    summary="A selector of an external reference is not one of Kubernetes.",
    explanation="""\
The selector of an external reference is a LabelSelector or one `${...}` that gives one. Names and values are those of
labels, `In` and `NotIn` need `values`, `Exists` and `DoesNotExist` have none. Where an expression is in it, kro checks
the types and leaves the rest to the run time.""",
    wrong="""\
resources:
  - id: configs
    externalRef:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        selector:
          matchExpressions:
            - key: team
              operator: Is
              values: [web]
  - id: summary
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
      data:
        count: ${string(size(configs))}
""",
    right="""\
resources:
  - id: configs
    externalRef:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        selector:
          matchExpressions:
            - key: team
              operator: In
              values: [web]
  - id: summary
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
      data:
        count: ${string(size(configs))}
""",
    check_resource=check,
    check_expression=check_expression,
    places=frozenset({Place.EXTERNAL_REFERENCE}),
    versions=SELECTORS_CHECKED,
    kro_messages=(
        _INVALID,
        KRO_MESSAGE,
    ),
)
