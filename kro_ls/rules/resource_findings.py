"""Runs the checks over each resource, and over the single expressions of a resource or of the schema section.

What a check of a resource reads of the scope is recorded, and its findings are reused while that is equal. The findings
in an expression are reused while its types are the same, even if fields of the instance that it does not read change.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import chain, zip_longest
from typing import TYPE_CHECKING, Final, TypeAlias, cast

from msgspec import Struct
from msgspec.structs import astuple

from kro_ls.analysis.scope import Scope, scope_of
from kro_ls.cel.types.check_result import ErrorKind
from kro_ls.kro.places import Place
from kro_ls.rules.columns import Column
from kro_ls.rules.registry import RULES, SHARED_CHECKS
from kro_ls.rules.rule import CodedFindings, SharedCheck
from kro_ls.rules.types.typed import causes, checked_expressions

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from kro_ls.analysis.model.model import Resource, SchemaSection
    from kro_ls.analysis.types.checking import CheckedExpression
    from kro_ls.queries.engine import Reader
    from kro_ls.rules.diagnostics import Findings
    from kro_ls.rules.rule import CodedFinding, Rule


class _Previous(Struct, frozen=True, eq=False, gc=False):
    """The findings in the expressions of a part, by their numbers, and what they depend on besides the types."""

    surroundings: tuple[object, ...]
    expressions: tuple[CheckedExpression, ...]
    findings: Mapping[int, tuple[CodedFinding, ...]]


def _surroundings(scope: Scope) -> tuple[object, ...]:
    """Return what the findings in an expression depend on, besides its types."""
    bindings = scope.bindings
    return (
        bindings.instance is None,
        bindings.others,
        scope.resource_ids,
        scope.omit_enabled,
        scope.kind,
        scope.schema_damaged,
    )


_NO_FINDINGS: Mapping[int, tuple[CodedFinding, ...]] = {}


def expression_check(rules: Sequence[Rule]) -> SharedCheck:
    """Return a check of parts that runs what the rules have for single expressions."""
    walk = _Walk(rules)
    checked = tuple(rule for rule in rules if rule.check_expression or rule.check_error)
    return SharedCheck(checked, walk.check, walk.check)


class _Walk:
    """Walks the expressions of a part. Which checks see one depends on its place, its form and its type errors."""

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

    def check(self, part: Resource | SchemaSection, scope: Scope) -> CodedFindings:
        """Yield the findings in the expressions of a part."""
        if not part.expressions:
            return iter(())
        surroundings, expressions = _surroundings(scope), checked_expressions(part, scope)
        previous: _Previous | None = part.cells.get(self)
        if previous is None or previous.surroundings != surroundings:
            previous = _Previous(surroundings, (), _NO_FINDINGS)
        found = {}
        for number, (checked, same) in enumerate(zip_longest(expressions, previous.expressions)):
            if checked is None:
                break
            findings = previous.findings.get(number, ()) if checked is same else self._find(checked, part, scope)
            if findings:
                found[number] = findings
        part.cells[self] = _Previous(surroundings, expressions, found or _NO_FINDINGS)
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


EXPRESSION_CHECK = expression_check(RULES)
"""The check that runs what the rules have for single expressions."""

_Check: TypeAlias = "Callable[[Resource, Scope], Findings | CodedFindings]"

_CODED_CHECKS: tuple[tuple[tuple[str, ...], _Check], ...] = (
    *(((rule.code,), rule.check_resource) for rule in RULES if rule.check_resource),
    *((check.codes, check.check_resource) for check in (*SHARED_CHECKS, EXPRESSION_CHECK) if check.check_resource),
)
_CHECKS: tuple[tuple[str, _Check], ...] = tuple((codes[0], check) for codes, check in _CODED_CHECKS)
"""These run so often that a finding gets the code of its rule here, not in a generator around the check."""

_SCOPE_FIELDS = Scope.__struct_fields__


class _Watched:
    """A scope whose `__dict__` gets each field that is read, and so lists what a check has read."""

    __slots__ = ("__dict__", "_scope")

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def __getattr__(self, name: str) -> object:
        value = self.__dict__[name] = getattr(self._scope, name)
        return value


_Reads: TypeAlias = "tuple[frozenset[str], ...]"


class _Found(Struct, frozen=True, eq=False, gc=False):
    """The findings in a resource by the numbers of the checks, and the fields of the scope that each check read."""

    scope: Scope
    reads: _Reads
    findings: dict[int, tuple[CodedFinding, ...]]

    @property
    def in_order(self) -> tuple[CodedFinding, ...]:
        return tuple([coded for number in sorted(self.findings) for coded in self.findings[number]])


def check_resource(resource: Resource, scope: Scope) -> tuple[CodedFinding, ...]:
    """Return the findings in a resource; a check runs again if something that it read of the scope has changed."""
    cached: _Found | None = resource.cells.get(check_resource)
    if cached is None or cached.scope != scope:
        cached = resource.cells[check_resource] = _find(resource, scope, cached)
    return cached.in_order


def check_once(resource: Resource, scope: Scope, codes: frozenset[str] | None = None) -> tuple[CodedFinding, ...]:
    """Return the findings in a resource; if codes are given, at least those that have one of them.

    Nothing is cached, which is faster where the same resource is not checked again.
    """
    found: list[CodedFinding] = []
    for code, check in _CHECKS if codes is None else _checks_for(codes):
        for each in check(resource, scope):
            found.append(each if isinstance(each, tuple) else (code, each))  # noqa: PERF401 - most checks find nothing
    return tuple(found)


@lru_cache(maxsize=100)  # the same few faults recur
def _checks_for(codes: frozenset[str]) -> tuple[tuple[str, _Check], ...]:
    return tuple((each[0], check) for each, check in _CODED_CHECKS if not codes.isdisjoint(each))


def _find(resource: Resource, scope: Scope, previous: _Found | None) -> _Found:
    numbers: Sequence[int] = range(len(_CHECKS))
    reads: _Reads = _NO_READS
    findings: dict[int, tuple[CodedFinding, ...]] = {}
    if previous:
        numbers, reads = _affected(previous.reads, _changed(previous.scope, scope)), previous.reads
        findings = {number: found for number, found in previous.findings.items() if number not in numbers}
    watched = _Watched(scope)
    others: dict[int, frozenset[str]] = {}
    for number in numbers:
        code, check = _CHECKS[number]
        found = tuple(check(resource, cast("Scope", watched)))
        read = vars(watched)
        if read.keys() != reads[number]:
            others[number] = frozenset(read)
        read.clear()
        if found:
            findings[number] = tuple([each if isinstance(each, tuple) else (code, each) for each in found])
    if others:
        reads = _interned(tuple([others.get(number, each) for number, each in enumerate(reads)]))
    return _Found(scope, reads, findings)


@lru_cache(maxsize=1000)  # most resources read the same fields, and an edit changes the same ones for many
def _affected(reads: _Reads, changed: frozenset[str]) -> tuple[int, ...]:
    """Return the numbers of the checks that read a changed field."""
    return tuple([number for number, read in enumerate(reads) if not changed.isdisjoint(read)])


def _changed(previous: Scope, scope: Scope) -> frozenset[str]:
    values = zip(_SCOPE_FIELDS, astuple(previous), astuple(scope), strict=True)
    return frozenset([name for name, one, other in values if not (one is other or one == other)])


_NO_READS: Final[_Reads] = (frozenset(),) * len(_CHECKS)

_MOST_READS: Final = 1000

_interned_reads: Final[dict[_Reads, _Reads]] = {}
"""What all checks read in a resource, which is the same in most resources."""


def _interned(reads: _Reads) -> _Reads:
    """Return one object for equal reads, except after a rare clearing."""
    if len(_interned_reads) > _MOST_READS:
        _interned_reads.clear()
    return _interned_reads.setdefault(reads, reads)


def _in_resource(reader: Reader, resource: Resource) -> tuple[CodedFinding, ...]:
    check = check_once if reader.revision.is_final else check_resource
    return check(resource, scope_of(reader, resource))


IN_RESOURCES = Column(_in_resource)
"""The findings in each resource."""


def _in_complete_resource(reader: Reader, resource: Resource) -> tuple[CodedFinding, ...]:
    scope = scope_of(reader, resource)
    return () if scope.candidates else check_resource(resource, scope)


IN_COMPLETE_RESOURCES = Column(_in_complete_resource)
"""The findings in each resource; none in one that uses a name which nothing declares yet."""
