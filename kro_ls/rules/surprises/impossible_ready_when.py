"""A readyWhen that is never true, or always fails.

Source: kro `pkg/runtime/{node_readiness,node_context}.go`: a readyWhen sees the object as the cluster stores it, not
converted by its schema; in that of an external collection, the allowed name has no value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.model import Resource, ResourceType
from kro_ls.cel.syntax import ast
from kro_ls.cel.syntax.identifiers import unescape
from kro_ls.cel.types.types import Kind
from kro_ls.cel.types.unification import Resolution
from kro_ls.kro.places import Place
from kro_ls.openapi.schema import Schema
from kro_ls.rules.diagnostics import Finding, Findings, Severity
from kro_ls.rules.rule import Rule
from kro_ls.rules.surprises.certain_fields import CertainFields
from kro_ls.rules.surprises.truth import Comparisons, schemas_of

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import SchemaSection
    from kro_ls.analysis.scope import TypedScope
    from kro_ls.analysis.types.checking import CheckedExpression
    from kro_ls.cel.types.types import Type
    from kro_ls.openapi.cel_types import SchemaTypes

_CONVERTED = {Kind.TIMESTAMP: "a timestamp", Kind.BYTES: "bytes", Kind.DURATION: "a duration"}


def check(checked: CheckedExpression, part: Resource | SchemaSection, scope: TypedScope) -> Findings:
    """Find conditions because of which a resource is never ready."""
    names = checked.expression.inspection.names
    if isinstance(part, Resource) and part.type is ResourceType.EXTERNAL_COLLECTION and names:
        use = names[0].node
        message = (
            f"'{use.name}' has no value here, so the collection is never ready; move the condition to what uses it"
        )
        yield Finding(checked.expression.span(use.start, use.end), message)
        return
    schemas = schemas_of(part, scope, Place.READY_WHEN)
    yield from _never_true(checked, schemas, part, scope)
    yield from _unconverted(checked, schemas)


def _never_true(
    checked: CheckedExpression, schemas: SchemaTypes, part: Resource | SchemaSection, scope: TypedScope
) -> Findings:
    root = checked.expression.inspection.parsed.root
    comparisons = Comparisons(checked, schemas, scope.resource_ids)
    if comparisons.answer(root) is False:
        verdicts = filter(None, map(comparisons.verdict, ast.walk(root)))
        verdict = next((each for each in verdicts if not each.answer), None)
        node, reason = (verdict.node, f"; {verdict.reason}") if verdict else (root, "")
        message = f"this is always false, so the resource is never ready{reason}"
        yield Finding(checked.expression.span(node.start, node.end), message)
        return
    certain = CertainFields(part, scope.kind).answer(root) if isinstance(part, Resource) else None
    if certain is not None and not certain.answer:
        message = f"this is always false, so the resource is never ready; {certain.reason}"
        yield Finding(checked.expression.span(root.start, root.end), message)
        return
    clash = _clash(root)
    if clash:
        message = "this contradicts a comparison of the same field before '&&', so the resource is never ready"
        yield Finding(checked.expression.span(clash.start, clash.end), message)


def _clash(root: ast.Node) -> ast.Node | None:
    """Return the second of two different values that one field must have at the same time."""
    wanted: dict[str, ast.Literal] = {}
    pending = [root]
    while pending:
        node = pending.pop()
        if not isinstance(node, ast.Call) or node.target is not None or len(node.arguments) != 2:
            continue
        left, right = node.arguments
        if node.function == ast.Operator.AND:
            pending += (right, left)
        elif node.function == ast.Operator.EQUALS and isinstance(right, ast.Literal):
            path = _path(left)
            if path and path in wanted and wanted[path].value != right.value:
                return right
            if path:
                wanted[path] = right
    return None


def _path(node: ast.Node) -> str:
    fields: list[str] = []
    while isinstance(node, ast.Select):
        fields.append(node.field)
        node = node.operand
    return ".".join([node.name, *reversed(fields)]) if isinstance(node, ast.Identifier) and fields else ""


def _unconverted(checked: CheckedExpression, schemas: SchemaTypes) -> Findings:
    """Yield the fields with another name or type here than the type check assumes."""
    types = checked.result.types
    for node in ast.walk(checked.expression.inspection.parsed.root):
        owner = types.get(node.operand) if isinstance(node, ast.Select) else None
        if isinstance(node, ast.Select) and owner is not None and owner.kind is Kind.STRUCT:
            name = _written_name(node.field, owner, schemas)
            if name:
                written = f'dyn({_source(node.operand, checked)})["{name}"]'
                message = f"there is no field '{node.field}' in readyWhen; write '{written}'"
                yield Finding(checked.expression.span(*node.field_span), message)
        resolution = checked.result.references.get(node)
        if isinstance(node, ast.Call) and isinstance(resolution, Resolution):
            arguments = node.arguments if node.target is None else (node.target, *node.arguments)
            # The target of a function such as json.marshal() is a part of its name, so the last parameters count.
            for argument, parameter in zip(
                reversed(arguments), reversed(resolution.overloads[0].parameters), strict=False
            ):
                kind = parameter.kind
                if kind in _CONVERTED and types[argument].kind is kind and _is_field(argument):
                    converted = f"dyn({_source(argument, checked)})"
                    message = f"in readyWhen this is text, not {_CONVERTED[kind]}; convert '{converted}'"
                    span = checked.expression.span(argument.start, argument.end)
                    yield Finding(span, message, kro_message="no such overload")


def _is_field(node: ast.Node) -> bool:
    """Whether a value is read from an object, with selections and indices only."""
    steps = 0
    while not isinstance(node, ast.Identifier):
        if isinstance(node, ast.Select):
            node = node.operand
        elif isinstance(node, ast.Call) and node.function == ast.Operator.INDEX:
            node = node.arguments[0]
        else:
            return False
        steps += 1
    return steps > 0


def _written_name(field: str, owner: Type, schemas: SchemaTypes) -> str | None:
    """Return the property that an escaped name stands for, None if the name is not escaped."""
    schema = schemas.find_schema(owner.name)
    properties = Schema(dict(schema)).properties if schema else {}
    name = unescape(field)
    return name if field not in properties and name in properties else None


def _source(node: ast.Node, checked: CheckedExpression) -> str:
    return checked.expression.text[node.start : node.end]


RULE = Rule(
    code="impossible-ready-when",
    severity=Severity.WARNING,
    summary="A readyWhen can never hold, so the resource never becomes ready.",
    explanation="""\
What depends on the resource waits for ever. There are four reasons:

- The types, the schema or the template leave only one answer, such as a comparison with a text that the field's enum
  does not have, or with another kind.
- It belongs to an external collection: kro checks the expression with the name of the collection, and then evaluates it
  without giving that name a value. Once the collection has an object it is never ready.
- It uses a field as a timestamp, a duration or bytes. In a `readyWhen`, other than in a template, the object is not
  converted by its schema: the field is text.
- It uses CEL's spelling of a field name (`my__dash__field`), which only converted objects have.""",
    wrong="""\
resources:
  - id: configs
    externalRef:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        selector: {}
    readyWhen:
      - ${size(configs) > 0}
  - id: copy
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
        selector: {}
  - id: copy
    includeWhen:
      - ${size(configs) > 0}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
      data:
        count: ${string(size(configs))}
""",
    check_expression=check,
    places=frozenset({Place.READY_WHEN}),
)
