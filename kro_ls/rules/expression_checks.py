"""The checks of single expressions: one walk over the expressions of a part for all rules that have some.

What was found in an expression stands while its types are the same ones, also when fields of the instance that it does
not read become other ones.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.analysis.types.checking import CheckedExpression, differ_in_instance
from kro_ls.cel.types.check_result import ErrorKind
from kro_ls.kro.places import Place
from kro_ls.rules.shared_check import SharedCheck
from kro_ls.rules.types.typed import causes, checked_expressions

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from kro_ls.analysis.model.model import Resource, SchemaSection
    from kro_ls.analysis.scope import Scope
    from kro_ls.rules.rule import Rule
    from kro_ls.rules.shared_check import CodedFinding


class _Kept(Struct, frozen=True, eq=False, gc=False):
    """What was found in the expressions of a part, by their numbers."""

    scope: Scope
    expressions: tuple[CheckedExpression, ...]
    found: Mapping[int, tuple[CodedFinding, ...]]

    def known_with(self, scope: Scope) -> tuple[CheckedExpression, ...]:
        """Return the expressions of which the same would be found in another scope if they have the same types."""
        before = self.scope
        is_alike = (
            before.resource_ids == scope.resource_ids
            and before.omit_enabled == scope.omit_enabled
            and before.kind == scope.kind
            and before.schema_damaged == scope.schema_damaged
            and differ_in_instance(before.bindings, scope.bindings)
        )
        return self.expressions if is_alike else ()


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
        kept: _Kept | None = part.cells.get(self)
        expressions = checked_expressions(part, scope)
        known = kept.known_with(scope) if kept else ()
        found = {}
        for number, checked in enumerate(expressions):
            if kept and number < len(known) and known[number] is checked:
                findings = kept.found.get(number, ())
            else:
                findings = self._find(checked, part, scope)
            if findings:
                found[number] = findings
        part.cells[self] = _Kept(scope, expressions, found or _NOTHING)
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
