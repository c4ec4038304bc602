"""A part of an expression that passes the check and fails whenever it is evaluated.

Sources: cel-go `common/stdlib`, Kubernetes `apiserver/pkg/cel/library`, kro `pkg/cel/library`.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.analysis.names.inspection import calls_in
from kro_ls.cel.syntax import ast
from kro_ls.cel.types.check_result import NameReference
from kro_ls.cel.types.types import Kind
from kro_ls.kro.environment import LIBRARIES
from kro_ls.queries.cells import cached
from kro_ls.rules.diagnostics import Finding, Findings, Severity
from kro_ls.rules.rule import Rule
from kro_ls.rules.types.typed import refused_patterns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.model.model import Resource, SchemaSection
    from kro_ls.analysis.names.inspection import Inspection
    from kro_ls.analysis.scope import Scope
    from kro_ls.analysis.types.checking import Checked, CheckedExpression
    from kro_ls.cel.syntax.ast import Comprehension, Node
    from kro_ls.cel.types.check_result import CheckResult


_STEPS = 10_000
"""About a millisecond, for an edit waits for it, and there may be many such parts."""
_COMPUTING = frozenset({ast.Call, ast.MacroCall, ast.Select})


class Failure(Struct, frozen=True):
    """A part of an expression that always fails: its span in the CEL text, the message of cel-go, and advice."""

    start: int
    end: int
    message: str
    advice: str = ""


@cached
def may_be_constant(inspection: Inspection) -> bool:
    """Whether some part may compute something from constants alone. This is fast, and misses none."""
    # Those of functions, such as `json` of `json.unmarshal`, are not among them.
    names = sorted([use.node.start for use in inspection.names])
    return any(
        type(node) is ast.MacroCall
        or (type(node) in _COMPUTING and bisect_left(names, node.start) == bisect_left(names, node.end))
        for node in ast.walk(inspection.parsed.root)
    )


def constant_parts(root: Node, result: CheckResult) -> Iterator[Node]:
    """Yield the largest parts of a tree that compute something from constants alone."""
    nothing: frozenset[Comprehension | None] = frozenset()
    outside: dict[Node, frozenset[Comprehension | None]] = {}

    def collect(node: Node, below: list[frozenset[Comprehension | None]]) -> frozenset[Comprehension | None]:
        found = nothing.union(*below)
        reference = result.references.get(node)
        if isinstance(reference, NameReference):
            found |= {reference.comprehension}
        inside = {each for each in found if each and node.start <= each.start and each.end <= node.end}
        outside[node] = found - inside
        return outside[node]

    ast.fold(root, collect)
    pending = [root]
    while pending:
        node = pending.pop()
        if node in result.types and not outside[node]:
            if any(type(each) in _COMPUTING for each in ast.walk(node)):
                yield node
        else:
            pending.extend(reversed(ast.children(node)))


def constant_failure(node: Node, result: CheckResult) -> Failure | None:
    """Return the failure of a part without outside names, None if it has a value or takes too long."""
    # These load every function: only where there is something to evaluate.
    from kro_ls.cel.evaluation.costs import Budget, BudgetError
    from kro_ls.cel.evaluation.program import compile_program
    from kro_ls.cel.evaluation.values import EvaluationError

    try:
        compile_program(node, LIBRARIES, result).evaluate({}, Budget(_STEPS))
    except BudgetError:
        return None
    except EvaluationError as error:
        known = node.start <= error.start <= error.end <= node.end
        start, end = (error.start, error.end) if known else (node.start, node.end)
        return Failure(start, end, error.message)
    return None


_INTEGERS = frozenset({Kind.INT, Kind.UINT})


def check(checked: CheckedExpression, _part: Resource | SchemaSection, _scope: Scope) -> Findings:
    """Find what fails with every value, once for each place."""
    for failure in _failures(checked.checked):
        from kro_ls.cel.evaluation.plain_words import plain_words

        span = checked.expression.span(failure.start, failure.end)
        problem = failure.advice or plain_words(failure.message)
        yield Finding(span, f"this always fails: {problem}", kro_message=failure.message)


@cached
def _failures(checked: Checked) -> tuple[Failure, ...]:
    """Return the failures of an expression, without those inside of another one."""
    if refused_patterns(checked.inspection):
        return ()
    found: list[Failure] = []
    for failure in _all_failures(checked):
        if all(failure.end <= each.start or each.end <= failure.start for each in found):
            found.append(failure)
    return tuple(found)


def _all_failures(checked: Checked) -> Iterator[Failure]:
    """Yield all failures, the most specific first; constant parts are only evaluated as a whole."""
    inspection = checked.inspection
    calls = calls_in(inspection)
    for call in calls:
        yield from _removed_value(call)
    root = inspection.parsed.root
    constant = tuple(constant_parts(root, checked.result)) if may_be_constant(inspection) else ()
    for node in constant:
        failure = constant_failure(node, checked.result)
        if failure:
            yield failure
    for call in calls:
        if not any(node.start <= call.start and call.end <= node.end for node in constant):
            yield from _bad_argument(call, checked)


def _bad_argument(call: ast.Call, checked: Checked) -> Iterator[Failure]:
    """Yield the failure of a call because of one constant argument."""
    match call.function, call.arguments:
        case ((ast.Operator.DIVIDE | ast.Operator.MODULO), (_, ast.Literal(value=0) as zero)):
            if checked.result.types[zero].kind in _INTEGERS:
                message = "division by zero" if call.function == ast.Operator.DIVIDE else "modulus by zero"
                yield Failure(zero.start, zero.end, message)
        case ast.Operator.INDEX, (operand, ast.Literal(value=int(index)) as literal):
            if index < 0 and checked.result.types[operand].kind is Kind.LIST:
                advice = f"the index {index} is out of bounds; '.last()' gives the last element, as an optional"
                yield Failure(literal.start, literal.end, f"index out of bounds: {index}", advice)
        case "matches", arguments:
            yield from _bad_pattern(arguments[0 if call.target is not None else 1 :])


def _bad_pattern(arguments: tuple[ast.Node, ...]) -> Iterator[Failure]:
    pattern = arguments[0] if arguments else None
    if isinstance(pattern, ast.Literal) and isinstance(pattern.value, str):
        from kro_ls.golang.re2.pattern_cache import pattern_error

        error = pattern_error(pattern.value)
        if error:
            yield Failure(pattern.start, pattern.end, error.message)


def _removed_value(call: ast.Call) -> Iterator[Failure]:
    """Yield the uses of omit() as an operand: it is no value, but marks a field that is left out."""
    if call.function in (ast.Operator.CONDITIONAL, "dyn") or call.target is not None:
        return
    for argument in call.arguments:
        if isinstance(argument, ast.Call) and argument.function == "omit" and argument.target is None:
            advice = "'omit()' leaves the whole field out; it cannot be a part of a text or be compared"
            yield Failure(argument.start, argument.end, "no such overload", advice)


RULE = Rule(
    code="evaluation-failure",
    severity=Severity.WARNING,
    summary="A part of an expression fails with every value.",
    explanation="""\
kro checks types, not values: `1 / 0`, `quantity("lots")`, `"a".matches("(")`, an index outside of a list that is
written out, a list of mixed values that is sorted or joined. All of these are accepted and fail when the instance is
reconciled. What depends on nothing but constants is evaluated here ahead of time.""",
    wrong="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
      data:
        valid: ${string(schema.metadata.name.matches("^[a-z"))}
""",
    right="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
      data:
        valid: ${string(schema.metadata.name.matches("^[a-z]+$"))}
""",
    check_expression=check,
    sees_plain_reads=False,
    kro_messages=(
        "error parsing regexp: {problem}",
        "index out of bounds: {index}",
        "division by zero",
        "modulus by zero",
        "no such overload",
    ),
)
