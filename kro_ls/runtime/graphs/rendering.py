"""What the expressions of a Graph's node give: whether it is left out, its objects or data, and whether they are ready.

Source: kro `pkg/graphengine/runtime/{node,collection}.go`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kro_ls.analysis.model.paths import format_path
from kro_ls.analysis.types.variables import value_schema
from kro_ls.golang.quoting import go_quoted
from kro_ls.kro.controller import MOST_COLLECTION_OBJECTS
from kro_ls.openapi.cel_values import seen
from kro_ls.runtime.nodes.errors import ExpressionError, FatalError, NodeError, PendingError, WaitingError
from kro_ls.runtime.nodes.node_objects import combinations, fill, first_repeated, repeated_object
from kro_ls.runtime.nodes.programs import gives

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kro_ls.cel.evaluation.costs import Budget
    from kro_ls.cel.evaluation.values import Value
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.runtime.nodes.compiled import CompiledNode
    from kro_ls.runtime.nodes.programs import CompiledExpression

Scope = dict[str, "Value"]


def leaving_out(node: CompiledNode, scope: Mapping[str, Value], budget: Budget) -> CompiledExpression | None:
    """Return the `includeWhen` that is false, None where there is none. Raises PendingError or FatalError."""
    for each in node.include_when:
        what = f"node {go_quoted(node.id)}: includeWhen {each.quoted}"
        if not _condition(each, scope, budget, what, PendingError):
            return each
    return None


def rendered(node: CompiledNode, scope: Mapping[str, Value], budget: Budget) -> list[JsonObject]:
    """Return the objects of a node, or its data. Raises PendingError or FatalError."""
    prefix = f"node {go_quoted(node.id)}: "
    dimensions = []
    for name, each in node.dimensions:
        try:
            values = each.evaluate(scope, budget)
        except ExpressionError as failure:
            raise _error(failure, f"{prefix}forEach {go_quoted(name)}: eval: ", PendingError) from None
        if not isinstance(values, list):
            text = f"{prefix}forEach {go_quoted(name)}: expected list, got {_type_name(values)}"
            raise FatalError(text, each.failure("").cause)
        dimensions.append((name, values))
    rows: list[dict[str, Any]] = [{}]
    if dimensions:
        try:
            rows = combinations(dimensions, MOST_COLLECTION_OBJECTS)
        except FatalError as error:
            raise FatalError(f"{prefix}{error.text}") from None
    found = [_filled(node, {**scope, **row}, budget) for row in rows]
    repeated = first_repeated(found) if node.dimensions and node.resource.form.name == "template" else None
    if repeated is not None:
        plain = repeated_object(repeated)
        raise FatalError(f"{prefix}duplicate identity in collection: {repeated}", plain=plain)
    return found


def _filled(node: CompiledNode, scope: Mapping[str, Value], budget: Budget) -> JsonObject:
    prefix = f"node {go_quoted(node.id)}: "
    values = []
    for path, each in (*node.fields, *node.item_fields):
        try:
            values.append((path, each.evaluate(scope, budget)))
        except ExpressionError as failure:
            text = f"{prefix}eval {each.quoted} at {go_quoted(format_path(path))}: "
            raise _error(failure, text, PendingError) from None
    node.pay(budget)
    try:
        return fill(node.template, values)
    except (KeyError, IndexError, TypeError) as error:
        plain = "a value cannot be written to its place in the template"
        raise FatalError(f"{prefix}resolve: error getting value: {error}", plain=plain) from None


def check_ready(node: CompiledNode, scope: Mapping[str, Value], observed: list[JsonObject], budget: Budget) -> None:
    """Return where each `readyWhen` is true of what the cluster has. Raises WaitingError or FatalError."""
    prefix = f"node {go_quoted(node.id)}: "
    schema = value_schema(node.resource, node.kind)
    for index, each in enumerate(observed if node.is_list else [None]):
        here = scope if each is None else {**scope, "each": seen(each, schema)}
        place = f" (item {index})" if node.is_list else ""
        for condition in node.ready_when:
            what = f"{prefix}readyWhen {condition.quoted}{place}"
            if not _condition(condition, here, budget, what, WaitingError):
                raise WaitingError(f"{what} is false: waiting for readiness", condition.failure("").cause)


def _condition(
    expression: CompiledExpression,
    scope: Mapping[str, Value],
    budget: Budget,
    what: str,
    pending: type[PendingError | WaitingError],
) -> bool:
    try:
        value = expression.evaluate(scope, budget)
    except ExpressionError as failure:
        raise _error(failure, f"{what}: ", pending) from None
    if not isinstance(value, bool):
        text = f"{what} returned {_type_name(value)}, want bool"
        raise FatalError(text, expression.failure("").cause, plain=gives(expression, value, "a bool"))
    return value


def _type_name(value: Any) -> str:
    """Return what Go calls a value's type."""
    return next((name for type_, name in _TYPE_NAMES.items() if isinstance(value, type_)), "nil")


_TYPE_NAMES = {
    bool: "bool",
    int: "int64",
    float: "float64",
    str: "string",
    list: "[]interface {}",
    dict: "map[string]interface {}",
}


def _error(failure: ExpressionError, prefix: str, pending: type[PendingError | WaitingError]) -> NodeError:
    text = f"{prefix}{failure.text}"
    note = "data pending" if pending is PendingError else "waiting for readiness"
    return failure.pending_or_fatal(pending, f"{text} ({note})", text)
