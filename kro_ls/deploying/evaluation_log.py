"""A log of all evaluations of expressions: the result, the node and the time."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.cel.evaluation.values import EvaluationError
from kro_ls.kro.conversion import to_json
from kro_ls.runtime.nodes.programs import CompiledExpression

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kro_ls.analysis.model.paths import Path
    from kro_ls.cel.evaluation.costs import Budget
    from kro_ls.cel.evaluation.values import Value
    from kro_ls.runtime.nodes.compiled import CompiledGraph, CompiledNode
    from kro_ls.runtime.nodes.programs import Evaluable

HIDDEN: Final = "(from a Secret)"
_MOST: Final = 100_000
"""The most evaluations that are stored; the newest ones are."""


class Evaluation(Struct, frozen=True):
    """One evaluation. `place` is the use of the expression, such as `readyWhen` or the path of a field.

    A value that is read from a Secret, or written into one, is not stored.
    """

    time: str
    node: str
    place: str
    expression: str
    value: Any = None
    error: str = ""

    def as_json(self) -> str:
        """Return it as a line of JSON, with either a value or an error."""
        found = {"time": self.time, "node": self.node, "place": self.place, "expression": self.expression}
        outcome = {"error": self.error} if self.error else {"value": self.value}
        return json.dumps({**found, **outcome}, default=str, ensure_ascii=False)


class EvaluationLog:
    """The evaluations of a deployment."""

    def __init__(self) -> None:
        self._entries: list[Evaluation] = []

    @property
    def entries(self) -> tuple[Evaluation, ...]:
        """What was evaluated, in order."""
        return tuple(self._entries)

    def add(self, expression: CompiledExpression, value: Any, error: str) -> None:
        """Take up an evaluation."""
        found = expression.expression
        place = found.place.value
        if found.path:
            place = f"{place} {'.'.join(map(str, found.path))}"
        if len(self._entries) >= _MOST:
            del self._entries[: _MOST // 10]
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        entry = Evaluation(now, expression.owner, place, found.compiled.user_text, value, error)
        self._entries.append(entry)

    def watched(self, graph: CompiledGraph) -> CompiledGraph:
        """Return a graph whose evaluations are logged."""
        secrets = {each.id for each in graph.nodes if each.template.get("kind") == "Secret"}

        def one(expression: CompiledExpression) -> CompiledExpression:
            is_secret = not secrets.isdisjoint((expression.owner, *expression.references))
            program = _LoggedProgram(expression, self, is_secret=is_secret)
            return CompiledExpression(expression.expression, expression.owner, expression.references, program)

        def placed(found: tuple[tuple[Path, CompiledExpression], ...]) -> tuple[tuple[Path, CompiledExpression], ...]:
            return tuple((path, one(each)) for path, each in found)

        def node(compiled: CompiledNode) -> CompiledNode:
            return replace(
                compiled,
                fields=placed(compiled.fields),
                item_fields=placed(compiled.item_fields),
                dimensions=tuple((name, one(each)) for name, each in compiled.dimensions),
                include_when=tuple(map(one, compiled.include_when)),
                ready_when=tuple(map(one, compiled.ready_when)),
            )

        return replace(
            graph,
            nodes=tuple(map(node, graph.nodes)),
            status=placed(graph.status),
            conditions=tuple(map(one, graph.conditions)),
        )


class _LoggedProgram:
    """The program of an expression; what it gives is logged."""

    def __init__(self, expression: CompiledExpression, log: EvaluationLog, *, is_secret: bool) -> None:
        self._expression = expression
        self._program: Evaluable = expression.program
        self._log = log
        self._is_secret = is_secret

    def evaluate(self, variables: Mapping[str, Value], budget: Budget | None = None) -> Value:
        """Return the value of the expression. Raises EvaluationError."""
        try:
            value = self._program.evaluate(variables, budget)
        except EvaluationError as error:
            self._log.add(self._expression, None, HIDDEN if self._is_secret else error.message)
            raise
        self._log.add(self._expression, HIDDEN if self._is_secret else _plain(value), "")
        return value


def _plain(value: Value) -> Any:
    try:
        return to_json(value)
    except EvaluationError:
        return str(type(value).__name__)
