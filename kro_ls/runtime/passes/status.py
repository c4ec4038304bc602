"""The status of an instance: what its expressions give so far, and the author's conditions.

Source: kro `pkg/runtime/{node_resolve,conditions}.go`.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from kro_ls.cel.evaluation.values import is_list
from kro_ls.golang.quoting import go_quoted
from kro_ls.kro.conversion import Condition, without_omitted
from kro_ls.openapi.cel_values import seen
from kro_ls.runtime.nodes.compiled import INSTANCE
from kro_ls.runtime.nodes.errors import ExpressionError, FatalError, NodeError
from kro_ls.runtime.nodes.node_objects import upsert

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from kro_ls.analysis.model.paths import Path
    from kro_ls.cel.evaluation.costs import Budget
    from kro_ls.cel.evaluation.values import Value
    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.runtime.nodes.compiled import CompiledGraph
    from kro_ls.runtime.nodes.errors import Cause
    from kro_ls.runtime.nodes.programs import CompiledExpression, SharedExpression, SharedExpressions
    from kro_ls.runtime.passes.node import Instance, Node


class MissingField(Struct, frozen=True):
    """A field of the status that has no value: kro's text, where its expression failed, and whether it reads a node
    that is left out.
    """

    path: Path
    text: str
    cause: Cause
    reads_left_out: bool

    @property
    def plain(self) -> str:
        """Why it has none, for people."""
        return f"{self.cause.failing} is {'left out' if self.reads_left_out else 'not there yet'}"


class Conditions(Struct, frozen=True):
    """The author's conditions. `pending` are those that lack data; `failures` are why others were dropped."""

    conditions: tuple[Condition, ...] = ()
    pending: tuple[MissingField, ...] = ()
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
        self._cached: list[Any] = [None] * len(self._fields)
        """Of each field: its value in a tuple, why it is missing, or None where it must be evaluated."""
        self._readers: dict[str, list[int]] = {}
        for place, (_, each) in enumerate(self._fields):
            for name in each.compiled.references:
                self._readers.setdefault(name, []).append(place)
        self._status: tuple[JsonObject, tuple[MissingField, ...]] = {}, ()
        self._conditions = [shared.share(each) for each in graph.conditions]
        self._budget = shared.budget

    @property
    def has_conditions(self) -> bool:
        """Whether the author declares conditions."""
        return bool(self._conditions)

    def status(self, touched: AbstractSet[str]) -> tuple[JsonObject, tuple[MissingField, ...]]:
        """Return the fields that have a value, and the others. Raises FatalError: kro then writes nothing.

        Only fields that read `touched` nodes are evaluated again.
        """
        for name in touched:
            for place in self._readers.get(name, ()):
                self._cached[place] = None
        missing = [place for place, cached in enumerate(self._cached) if cached is None]
        if not missing:
            return self._status
        for place in missing:
            self._cached[place] = self._evaluate(*self._fields[place])
        status: JsonObject = {}
        for (path, _), cached in zip(self._fields, self._cached, strict=True):
            if not isinstance(cached, MissingField):
                upsert(status, path, cached[0])
        self._status = status, tuple(each for each in self._cached if isinstance(each, MissingField))
        return self._status

    def _evaluate(self, path: Path, shared: SharedExpression) -> tuple[Any] | MissingField:
        try:
            return (without_omitted(shared.evaluate(self._variables(shared.compiled.references))),)
        except ExpressionError as failure:
            if not failure.is_pending:
                raise failure.to(FatalError, failure.text) from None
            return self._missing(path, failure)

    def _missing(self, path: Path, failure: ExpressionError) -> MissingField:
        node = self._nodes.get(failure.cause.failing)
        try:
            is_left_out = node is not None and node.is_ignored()
        except NodeError:
            is_left_out = False
        return MissingField(path, failure.text, failure.cause, is_left_out)

    def author_conditions(self, built_in: Sequence[Condition]) -> Conditions:
        """Return the author's conditions in their order; `built_in` are kro's own, as `schema` shows them."""
        variables = self._variables(name for each in self._conditions for name in each.compiled.references)
        variables[INSTANCE] = self._instance_with(built_in)
        found: list[Condition] = []
        failures: list[str] = []
        pending: list[MissingField] = []
        for shared in self._conditions:
            try:
                found += _flatten(shared.compiled, _given(shared, variables), self._budget)
            except ExpressionError as failure:
                if failure.is_pending:
                    pending.append(self._missing(("conditions",), failure))
                else:
                    failures.append(failure.text)
        counts = Counter(each.type for each in found)
        repeated = sorted(name for name, count in counts.items() if count > 1)
        if repeated:
            failures.append(f"duplicate condition type(s) [{' '.join(repeated)}] dropped")
        kept = tuple(each for each in found if counts[each.type] == 1)
        return Conditions(kept, tuple(pending), tuple(failures))

    def _instance_with(self, built_in: Sequence[Condition]) -> Value:
        conditions: list[JsonValue] = [dict(each.fields) for each in built_in]
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
    references = shared.references
    return {name: variables[name] for name in references if name in variables} if references else variables


def _flatten(expression: CompiledExpression, variables: Mapping[str, Value], budget: Budget | None) -> list[Condition]:
    value = expression.value(variables, budget)
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
