"""The loops that macros stand for. There are five kinds, which differ in what their step does with the accumulator.

| step | macros | result |
|---|---|---|
| `accumulator && p` | all | false when p is false once, else its error, else true |
| `accumulator \\|\\| p` | exists | the same with true |
| `accumulator + [e]` | map, filter, transformList | a list |
| `accumulator + 1` | exists_one | whether it was 1 |
| `cel.@mapInsert(accumulator, ...)` | transformMap, transformMapEntry | a map |

The step may stand in `predicate ? step : accumulator`. So no loop needs a value for its accumulator.
A binding (`cel.bind`) is a loop of no turns; its value is computed when it is first read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kro_ls.cel.evaluation.costs import ERROR, READ, BudgetError, Evaluate, Frame, budget_of, spend_key
from kro_ls.cel.evaluation.printing import go_text
from kro_ls.cel.evaluation.values import (
    EvaluationError,
    ListValue,
    MapValue,
    Value,
    entries,
    identity_of,
    is_list,
    is_map,
    make_map,
    type_name,
)
from kro_ls.cel.syntax.ast import Call, Comprehension, ListLiteral, Literal, Node, Operator

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    Turns = Callable[[Frame], Iterator[None]]

_INSERTION: Final = 8
"""The steps of adding an entry to a map."""

_UNREAD: Final = object()
"""Stands for a bound variable that has not been computed yet."""


def parts(node: Comprehension) -> tuple[Node | None, tuple[Node, ...]]:
    """Return the predicate, if there is one, and what each turn computes: an element, a condition, key and value."""
    predicate, step = _step(node)
    body = step.arguments[1:]
    if step.function == Operator.ADD and isinstance(body[0], ListLiteral):
        return predicate, body[0].elements
    return predicate, body


def _step(node: Comprehension) -> tuple[Node | None, Call]:
    step = node.step
    predicate: Node | None = None
    if isinstance(step, Call) and step.function == Operator.CONDITIONAL:
        predicate, step = step.arguments[:2]
    if not isinstance(step, Call):
        raise TypeError("no macro has such a loop")
    return predicate, step


def compile_loop(
    node: Comprehension,
    elements: Evaluate,
    variables: tuple[str, ...],
    predicate: Evaluate | None,
    body: Sequence[Evaluate],
    cost: int,
) -> Evaluate:
    """Return the loop over `elements`; `variables` are the places of its variables in the frame.

    `cost` are the steps that predicate and body take.
    """
    _, step = _step(node)
    turns = _turns(node, elements, variables, predicate, cost + 1)
    match step.function:
        case Operator.AND | Operator.OR:
            return _quantifier(node, turns, body[0], absorbing=step.function == Operator.OR)
        case Operator.ADD if isinstance(step.arguments[1], Literal):
            return lambda frame: sum(1 for _ in turns(frame)) == 1
        case Operator.ADD:
            return lambda frame: [body[0](frame) for _ in turns(frame)]
        case _:
            return _map(node, turns, body)


def _turns(
    node: Comprehension, elements: Evaluate, variables: tuple[str, ...], predicate: Evaluate | None, cost: int
) -> Turns:
    """Return what sets the variables for each turn in which the predicate holds. Each turn costs the same."""
    source = node.range
    two = len(variables) == 2
    first, second = variables[0], variables[-1]

    def run(frame: Frame) -> Iterator[None]:
        collection = elements(frame)
        spend = budget_of(frame).spend
        each = cost + READ if isinstance(collection, (ListValue, MapValue)) else cost
        for item in _pairs(collection, source) if two else _items(collection, source):
            spend(each)
            if two:
                frame[first], frame[second] = item  # type: ignore[misc] # a pair
            else:
                frame[first] = item
            if predicate is not None:
                holds = predicate(frame)
                if holds is False:
                    continue
                if holds is not True:
                    raise EvaluationError("no such overload", node.start, node.end)
            yield

    return run


def _items(collection: Value, source: Node) -> Iterable[Value]:
    if is_list(collection):
        return collection
    if is_map(collection):
        return collection.keys()
    message = f"got '{type_name(collection)}', expected iterable type"
    raise EvaluationError(message, source.start, source.end)


def _pairs(collection: Value, source: Node) -> Iterable[tuple[Value, Value]]:
    if is_map(collection):
        return entries(collection)
    return enumerate(_items(collection, source))


def _quantifier(node: Comprehension, turns: Turns, condition: Evaluate, *, absorbing: bool) -> Evaluate:
    """Return `exists` (`absorbing` is true) or `all` (false): that value in one turn outweighs errors in others."""
    start, end = node.start, node.end
    other = not absorbing

    def quantify(frame: Frame) -> Value:
        failure: EvaluationError | None = None
        for _ in turns(frame):
            try:
                value = condition(frame)
            except BudgetError:
                raise
            except EvaluationError as error:
                failure = failure or error
                budget_of(frame).spend(ERROR)
                continue
            if value is absorbing:
                return absorbing
            if value is not other:
                failure = failure or EvaluationError("no such overload", start, end)
        if failure is not None:
            raise failure
        return other

    return quantify


def _map(node: Comprehension, turns: Turns, body: Sequence[Evaluate]) -> Evaluate:
    """Return the loop that inserts key and value, or the entries of a map. A key that is there already fails."""
    start, end = node.start, node.end

    def insert(frame: Frame) -> Value:
        spend = budget_of(frame).spend
        result: dict[tuple[str, Value], tuple[Value, Value]] = {}
        for _ in turns(frame):
            computed = [part(frame) for part in body]
            for key, value in _inserted(computed, start, end):
                spend(_INSERTION)
                spend_key(frame, key)
                unique = _identity(key, start, end)
                if unique in result:
                    raise EvaluationError(f"insert failed: key {go_text(key)} already exists", start, end)
                result[unique] = (key, value)
        return make_map(result.values())

    return insert


def _identity(key: Value, start: int, end: int) -> tuple[str, Value]:
    try:
        return identity_of(key)
    except EvaluationError as error:
        error.at(start, end)
        raise


def _inserted(computed: list[Value], start: int, end: int) -> Iterable[tuple[Value, Value]]:
    added: Iterable[tuple[Value, Value]]
    if len(computed) == 2:
        added = [(computed[0], computed[1])]
    elif is_map(computed[0]):
        added = entries(computed[0])
    else:
        raise EvaluationError("no such overload", start, end)
    return added


def bound_variable(key: str, value: Evaluate) -> Evaluate:
    """Return the program that reads a bound variable; its value is computed on the first read and cached."""

    def read(frame: Frame) -> Value:
        found = frame[key]
        if found is _UNREAD:
            found = frame[key] = value(frame)
        return found

    return read


def compile_binding(key: str, result: Evaluate) -> Evaluate:
    """Return the result with the variable at `key` bound anew."""

    def bind(frame: Frame) -> Value:
        frame[key] = _UNREAD
        return result(frame)

    return bind
