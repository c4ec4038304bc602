"""The checks of single expressions: one walk over the expressions of a part for all rules that have some.

What was found in an expression stands while its types are the same ones, also when fields of the instance that it does
not read become other ones.
"""

from __future__ import annotations

from itertools import chain, zip_longest
from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.cel.types.check_result import ErrorKind
from kro_ls.kro.places import Place
from kro_ls.rules.shared_check import SharedCheck
from kro_ls.rules.types.typed import causes, checked_expressions

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from kro_ls.analysis.model.model import Resource, SchemaSection
    from kro_ls.analysis.scope import Scope
    from kro_ls.analysis.types.checking import CheckedExpression
    from kro_ls.rules.rule import Rule
    from kro_ls.rules.shared_check import CodedFinding


class _Previous(Struct, frozen=True, eq=False, gc=False):
    """What was found in the expressions of a part, by their numbers, and what of the scope that depends on."""

    surroundings: tuple[object, ...]
    expressions: tuple[CheckedExpression, ...]
    found: Mapping[int, tuple[CodedFinding, ...]]


def _surroundings(scope: Scope) -> tuple[object, ...]:
    """Return what the findings in an expression depend on, beside its types."""
    bindings = scope.bindings
    return (
        bindings.instance is None,
        bindings.others,
        scope.resource_ids,
        scope.omit_enabled,
        scope.kind,
        scope.schema_damaged,
    )


_NOTHING: Mapping[int, tuple[CodedFinding, ...]] = {}


def expression_check(rules: Sequence[Rule]) -> SharedCheck:
    """Return the check of a part that runs the checks which rules have for single expressions."""
    walk = _Walk(rules)
    checked = tuple(rule for rule in rules if rule.check_expression or rule.check_error)
    return SharedCheck(checked, walk.check, walk.check)


class _Walk:
    """Looks at the expressions of a part, each with the checks for its place, its form and what is wrong with it."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        seeing = [(rule, rule.check_expression) for rule in rules if rule.check_expression]
        self._checks = {
            (place, is_plain_read, is_faulty): tuple(
                (rule.code, check)
                for rule, check in seeing
                if place in rule.places
                and (rule.sees_plain_reads or not is_plain_read)
                and (rule.sees_faulty or not is_faulty)
            )
            for place in Place
            for is_plain_read in (False, True)
            for is_faulty in (False, True)
        }
        self._of_errors = {
            kind: tuple([(rule.code, rule.check_error) for rule in rules if rule.check_error and kind in rule.errors])
            for kind in ErrorKind
        }

    def check(self, part: Resource | SchemaSection, scope: Scope) -> Iterator[CodedFinding]:
        """Yield what is wrong with the expressions of a part."""
        if not part.expressions:
            return iter(())
        surroundings, expressions = _surroundings(scope), checked_expressions(part, scope)
        previous: _Previous | None = part.cells.get(self)
        if previous is None or previous.surroundings != surroundings:
            previous = _Previous(surroundings, (), _NOTHING)
        found = {}
        for number, (checked, same) in enumerate(zip_longest(expressions, previous.expressions)):
            if checked is None:
                break
            findings = previous.found.get(number, ()) if checked is same else self._find(checked, part, scope)
            if findings:
                found[number] = findings
        part.cells[self] = _Previous(surroundings, expressions, found or _NOTHING)
        return chain.from_iterable(found.values())

    def _find(
        self, checked: CheckedExpression, part: Resource | SchemaSection, scope: Scope
    ) -> tuple[CodedFinding, ...]:
        errors = causes(checked.checked)
        expression, is_faulty = checked.expression, bool(errors or checked.result.errors)
        found: list[CodedFinding] = []
        for code, check in self._checks[expression.place, expression.inspection.is_plain_read, is_faulty]:
            for finding in check(checked, part, scope):
                found.append((code, finding))  # noqa: PERF401 - most find nothing, and a list for each costs more
        for error in errors:
            for code, check_error in self._of_errors[error.kind]:
                found += [(code, finding) for finding in check_error(checked, error, scope)]
        return tuple(found)
