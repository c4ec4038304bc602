"""Results that pass the type check, but cannot be written into an object.

Source: kro `pkg/cel/conversion`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.cel.syntax import ast
from kro_ls.cel.types.types import CIDR, IP, QUANTITY, SEMVER, URL, Kind, Type
from kro_ls.kro.library import CONDITION, RUNTIME
from kro_ls.kro.places import Place
from kro_ls.queries.cells import cached
from kro_ls.rules.diagnostics import Finding, Findings, Fix, Severity
from kro_ls.rules.rule import Rule
from kro_ls.rules.types.typed import can_be_iterated
from kro_ls.yaml_positions.scalars.writing import Replacement

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import Resource, SchemaSection
    from kro_ls.analysis.scope import Scope
    from kro_ls.analysis.types.checking import Checked, CheckedExpression
    from kro_ls.cel.syntax.ast import Node

_UNSUPPORTED = "unsupported type: {type}"
_BYTES = "unsupported type: bytes value cannot be used directly in a resource template or status field"
_TOO_LARGE = "unsupported type: uint value {value} overflows int64"
_KEY = "map key must be string, got {type}"
_WRITTEN = frozenset({Place.TEMPLATE, Place.EXTERNAL_REFERENCE, Place.FOR_EACH, Place.STATUS})

_ADVICE: dict[Type, str] = {
    QUANTITY: "keep the text that it is made of, or take a number with 'asInteger()' or 'asApproximateFloat()'",
    URL: "keep the text that it is made of, or take a part of it such as 'getHost()'",
    SEMVER: "keep the text that it is made of, or take a part of it such as 'major()'",
    IP: "convert it with 'string(...)'",
    CIDR: "convert it with 'string(...)'",
    CONDITION: "take one of its fields: type, status, reason or message",
    RUNTIME: "call one of its methods",
}
_MOST_INT = 2**63 - 1
_WRITABLE_KEYS = frozenset({Kind.STRING, Kind.DYN, Kind.ANY, Kind.ERROR, Kind.TYPE_PARAMETER})


def check(checked: CheckedExpression, part: Resource | SchemaSection, _scope: Scope) -> Findings:
    """Find the expressions whose result kro cannot turn into JSON."""
    found = _fault_of_whole(checked.checked)
    if found and (checked.expression.place is not Place.FOR_EACH or can_be_iterated(part, checked.result.type)):
        node, kro_message = found.node, found.kro_message
        message = f"{found.problem}; {found.advice or _advice_for_bytes(checked)}"
        root = checked.expression.inspection.parsed.root
        span = checked.expression.span(node.start, node.end)
        yield Finding(span, message, fixes=_fixes(checked, root, node), kro_message=kro_message)


class _Fault(Struct, frozen=True):
    """The part of a result that cannot be written, the reason, kro's message, and advice, except for bytes."""

    node: Node
    problem: str
    kro_message: str
    advice: str = ""


@cached
def _fault_of_whole(checked: Checked) -> _Fault | None:
    return _fault(checked.inspection.parsed.root, checked.result.type, checked)


def _fault(node: Node, type_: Type, checked: Checked) -> _Fault | None:
    """Return the part of a result that cannot be written, None if there is none."""
    if type_.is_optional:
        return _fault(node, type_.parameters[0], checked)
    if isinstance(node, ast.MapLiteral):
        return _entry_fault(node, checked)
    if isinstance(node, ast.ListLiteral):
        return next(filter(None, (_fault(each, _type(each, checked), checked) for each in node.elements)), None)
    if isinstance(node, ast.Literal) and type_.kind is Kind.UINT and isinstance(node.value, int):
        problem, kro_message = f"the number {node.value} is too large", _TOO_LARGE.format(value=node.value)
        return (
            _Fault(node, problem, kro_message, "write it as text with 'string(...)'")
            if node.value > _MOST_INT
            else None
        )
    if type_.kind is Kind.BYTES:
        return _Fault(node, "bytes cannot be written into an object", _BYTES)
    if type_.kind is Kind.TYPE:
        return _Fault(node, "a type cannot be written into an object", _UNSUPPORTED.format(type="type"), "leave it out")
    if type_ in _ADVICE:
        problem = f"{type_} cannot be written into an object"
        return _Fault(node, problem, _UNSUPPORTED.format(type=type_), _ADVICE[type_])
    if type_.kind is Kind.LIST:
        return _fault(node, type_.parameters[0], checked)
    if type_.kind is Kind.MAP and isinstance(node, ast.MacroCall):
        # A map of a resource is copied as it is; one that a macro makes is converted.
        key, value = type_.parameters
        return _wrong_key(node, key) if key.kind not in _WRITABLE_KEYS else _fault(node, value, checked)
    return None


def _entry_fault(node: ast.MapLiteral, checked: Checked) -> _Fault | None:
    for entry in node.entries:
        key = _type(entry.key, checked)
        if key.kind not in _WRITABLE_KEYS:
            return _wrong_key(entry.key, key)
        found = _fault(entry.value, _type(entry.value, checked), checked)
        if found:
            return found
    return None


def _type(node: Node, checked: Checked) -> Type:
    return checked.result.types[node]


def _wrong_key(node: Node, key: Type) -> _Fault:
    return _Fault(
        node, f"the keys of a map must be string, not {key}", _KEY.format(type=key), "convert them with 'string(...)'"
    )


def _advice_for_bytes(checked: CheckedExpression) -> str:
    if checked.expected is not None and checked.expected.kind is Kind.BYTES:
        return "write text where it is taken, such as 'stringData' of a Secret"
    return "encode them with 'base64.encode(...)', or convert them with 'string(...)'"


def _fixes(checked: CheckedExpression, root: Node, node: Node) -> tuple[Fix, ...]:
    """Return the fixes that wrap the whole expression, if its field takes text."""
    functions = {Kind.BYTES: ("base64.encode", "string"), Kind.OPAQUE: ("string",)}
    type_ = checked.result.types.get(node)
    takes_text = checked.expected is None or checked.expected.is_dynamic or checked.expected.kind is Kind.STRING
    if node is not root or type_ is None or type_.is_optional or not takes_text or type_.kind not in functions:
        return ()
    start, end = checked.expression.span(node.start, node.start), checked.expression.span(node.end, node.end)
    return tuple(
        Fix(f"Convert with {name}()", (Replacement(start, f"{name}("), Replacement(end, ")")))
        for name in functions[type_.kind]
    )


RULE = Rule(
    code="unsupported-result",
    severity=Severity.WARNING,
    summary="The result of an expression cannot be written into an object.",
    explanation="""\
kro writes results as JSON. Bytes, quantities, URLs, versions, IP addresses and CIDRs have no JSON form, and the keys of
a map must be strings. The check of types does not see this: kro accepts the RGD, and the instance fails.

The values under `data` of a Secret are bytes in an expression: kro has decoded them. In a `status` encode them again or
convert them to text; in another Secret write the text under `stringData`, or take the whole map
(`data: ${secret.data}`), which is copied as it is.""",
    wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  status:
    user: ${secret.data.username}
resources:
  - id: secret
    externalRef:
      apiVersion: v1
      kind: Secret
      metadata:
        name: login
""",
    right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  status:
    user: ${string(secret.data.username)}
resources:
  - id: secret
    externalRef:
      apiVersion: v1
      kind: Secret
      metadata:
        name: login
""",
    check_expression=check,
    places=_WRITTEN,
    kro_messages=(_UNSUPPORTED, _BYTES, _TOO_LARGE, _KEY),
)
