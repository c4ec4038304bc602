"""The status of an instance: what its expressions give so far, and the author's conditions.

Source: kro `pkg/runtime/{node_resolve,conditions}.go`.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.cel.evaluation.values import is_list
from kro_ls.golang.quoting import go_quoted
from kro_ls.kro.values import Condition
from kro_ls.runtime.compiled import INSTANCE
from kro_ls.runtime.errors import ExpressionError, FatalError
from kro_ls.runtime.node import seen
from kro_ls.runtime.templates import upsert, without_omitted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from kro_ls.analysis.model.paths import Path
    from kro_ls.cel.evaluation.values import Value
    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.runtime.compiled import CompiledGraph
    from kro_ls.runtime.errors import Cause
    from kro_ls.runtime.expressions import CompiledExpression, SharedExpression, SharedExpressions
    from kro_ls.runtime.node import Instance, Node


class MissingField(Struct, frozen=True):
    """A field of the status that has no value yet: kro's text, and where its expression failed."""

    path: Path
    text: str
    cause: Cause | None


class Conditions(Struct, frozen=True):
    """The author's conditions. `incomplete` tells that one is pending; `failures` are why others were dropped."""

    conditions: tuple[Condition, ...] = ()
    incomplete: bool = False
    failures: tuple[str, ...] = ()


class StatusExpressions:
    """The expressions of the instance's status in one pass."""

    def __init__(
        self, graph: CompiledGraph, nodes: Mapping[str, Node], instance: Instance, shared: SharedExpressions
    ) -> None:
        self._nodes = nodes
        self._instance = instance
        self._schema = graph.instance_schema
        self._fields = [(path, shared.share(each)) for path, each in graph.status]
        self._conditions = [shared.share(each) for each in graph.conditions]

    def status(self) -> tuple[JsonObject, tuple[MissingField, ...]]:
        """Return the fields that have a value, and the others. Raises FatalError: kro then writes nothing."""
        status: JsonObject = {}
        missing: list[MissingField] = []
        variables = self._variables(name for _, each in self._fields for name in each.compiled.references)
        for path, shared in self._fields:
            try:
                upsert(status, path, without_omitted(shared.evaluate(variables)))
            except ExpressionError as failure:
                if not failure.is_pending:
                    raise FatalError(failure.text, failure.cause) from None
                missing.append(MissingField(path, failure.text, failure.cause))
        return status, tuple(missing)

    def author_conditions(self, built_in: Sequence[Condition]) -> Conditions:
        """Return the author's conditions in their order; `built_in` are kro's own, as `schema` shows them."""
        variables = self._variables(name for each in self._conditions for name in each.compiled.references)
        variables[INSTANCE] = self._instance_with(built_in)
        found: list[Condition] = []
        failures: list[str] = []
        incomplete = False
        for shared in self._conditions:
            try:
                found += _flatten(shared.compiled, _given(shared, variables))
            except ExpressionError as failure:
                if failure.is_pending:
                    incomplete = True
                else:
                    failures.append(failure.text)
        counts = Counter(each.type for each in found)
        repeated = sorted(name for name, count in counts.items() if count > 1)
        if repeated:
            failures.append(f"duplicate condition type(s) [{' '.join(repeated)}] dropped")
        kept = tuple(each for each in found if counts[each.type] == 1)
        return Conditions(kept, incomplete or bool(failures), tuple(failures))

    def _instance_with(self, built_in: Sequence[Condition]) -> Value:
        conditions: list[JsonValue] = [
            {"type": each.type, "status": each.status, "reason": each.reason, "message": each.message}
            for each in built_in
        ]
        visible: JsonObject = {**self._instance.value, "status": {"conditions": conditions}}
        return seen(visible, self._schema)

    def _variables(self, names: Iterable[str]) -> dict[str, Value]:
        variables: dict[str, Value] = {}
        for name in dict.fromkeys(names):
            if name == INSTANCE:
                variables[name] = self._instance.variable
            elif name in self._nodes and self._nodes[name].observed is not None:
                variables[name] = self._nodes[name].variable()
        return variables


def _given(shared: SharedExpression, variables: Mapping[str, Value]) -> Mapping[str, Value]:
    references = shared.compiled.references
    return {name: variables[name] for name in references if name in variables} if references else variables


def _flatten(expression: CompiledExpression, variables: Mapping[str, Value]) -> list[Condition]:
    value = expression.value(variables)
    if isinstance(value, Condition):
        return [value]
    if not is_list(value):
        text = f"condition {go_quoted(expression.expression.text)} must return a Condition or list(Condition)"
        raise expression.failure(text)
    found: list[Condition] = []
    for item in value:
        if not isinstance(item, Condition):
            raise expression.failure(
                f"condition {go_quoted(expression.expression.text)} list element is not a Condition"
            )
        found.append(item)
    return found
