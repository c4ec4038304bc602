"""Finds what is wrong with each resource. What a check reads of the scope is recorded: its findings stand with that."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypeAlias, cast

from msgspec import Struct
from msgspec.structs import astuple

from kro_ls.analysis.scope import Scope, scope_of
from kro_ls.rules.columns import Column
from kro_ls.rules.registry import EXPRESSION_CHECK, RULES, SHARED_CHECKS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from kro_ls.analysis.model.model import Resource
    from kro_ls.queries.engine import Reader
    from kro_ls.rules.diagnostics import Finding
    from kro_ls.rules.shared_check import CodedFinding

_Check: TypeAlias = "Callable[[Resource, Scope], Iterator[Finding] | Iterator[CodedFinding]]"

_CODED_CHECKS: tuple[tuple[tuple[str, ...], _Check], ...] = (
    *(((rule.code,), rule.check_resource) for rule in RULES if rule.check_resource),
    *((check.codes, check.check_resource) for check in (*SHARED_CHECKS, EXPRESSION_CHECK) if check.check_resource),
)
_CHECKS: tuple[tuple[str, _Check], ...] = tuple((codes[0], check) for codes, check in _CODED_CHECKS)
"""They are run so often that the findings of a rule get its code when there are any."""

_FIELDS = Scope.__struct_fields__


class _Watched:
    """A scope that stores each field that is read in its own `__dict__`, which then lists what a check has read."""

    __slots__ = ("__dict__", "_scope")

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def __getattr__(self, name: str) -> object:
        value = self.__dict__[name] = getattr(self._scope, name)
        return value


_Reads: TypeAlias = "tuple[frozenset[str], ...]"


class _Found(Struct, frozen=True, eq=False, gc=False):
    """What was found in a resource by the numbers of the checks, and which fields of the scope each of them read."""

    scope: Scope
    reads: _Reads
    findings: dict[int, tuple[CodedFinding, ...]]

    @property
    def in_order(self) -> tuple[CodedFinding, ...]:
        return tuple([coded for number in sorted(self.findings) for coded in self.findings[number]])


def check_resource(resource: Resource, scope: Scope) -> tuple[CodedFinding, ...]:
    """Return what is wrong with a resource; what a check found before is kept while it would read the same."""
    known: _Found | None = resource.cells.get(check_resource)
    if known is None or known.scope != scope:
        known = resource.cells[check_resource] = _find(resource, scope, known)
    return known.in_order


def check_once(resource: Resource, scope: Scope, codes: frozenset[str] | None = None) -> tuple[CodedFinding, ...]:
    """Return what is wrong with a resource, at least everything that has one of the codes if any are given.

    Nothing is kept, so that it is quicker where nobody asks again.
    """
    found: list[CodedFinding] = []
    for code, check in _CHECKS if codes is None else _checks_for(codes):
        for each in check(resource, scope):
            found.append(each if isinstance(each, tuple) else (code, each))  # noqa: PERF401 - most checks find nothing
    return tuple(found)


@lru_cache(maxsize=100)  # the same few faults come again and again
def _checks_for(codes: frozenset[str]) -> tuple[tuple[str, _Check], ...]:
    return tuple((each[0], check) for each, check in _CODED_CHECKS if not codes.isdisjoint(each))


def _find(resource: Resource, scope: Scope, known: _Found | None) -> _Found:
    numbers: Sequence[int] = range(len(_CHECKS))
    reads: _Reads = _NO_READS
    findings: dict[int, tuple[CodedFinding, ...]] = {}
    if known:
        numbers, reads = _affected(known.reads, _changed(known.scope, scope)), known.reads
        findings = {number: found for number, found in known.findings.items() if number not in numbers}
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
        reads = _one(tuple([others.get(number, each) for number, each in enumerate(reads)]))
    return _Found(scope, reads, findings)


@lru_cache(maxsize=1000)  # most resources read the same, and an edit changes the same for many
def _affected(reads: _Reads, changed: frozenset[str]) -> tuple[int, ...]:
    """Return the numbers of the checks that read something that has changed."""
    return tuple([number for number, read in enumerate(reads) if not changed.isdisjoint(read)])


def _changed(known: Scope, scope: Scope) -> frozenset[str]:
    values = zip(_FIELDS, astuple(known), astuple(scope), strict=True)
    return frozenset([name for name, one, other in values if not (one is other or one == other)])


_NO_READS: Final[_Reads] = (frozenset(),) * len(_CHECKS)

_MOST_READS: Final = 1000

_known_reads: Final[dict[_Reads, _Reads]] = {}
"""What all checks read in a resource: it is the same in most resources."""


def _one(reads: _Reads) -> _Reads:
    """Return the same object for equal reads, as a rule."""
    if len(_known_reads) > _MOST_READS:
        _known_reads.clear()
    return _known_reads.setdefault(reads, reads)


def _in_resource(reader: Reader, resource: Resource) -> tuple[CodedFinding, ...]:
    check = check_once if reader.revision.is_final else check_resource
    return check(resource, scope_of(reader, resource))


IN_RESOURCES = Column(_in_resource)
"""What is wrong with each resource."""


def _in_complete_resource(reader: Reader, resource: Resource) -> tuple[CodedFinding, ...]:
    scope = scope_of(reader, resource)
    return () if scope.candidates else check_resource(resource, scope)


IN_COMPLETE_RESOURCES = Column(_in_complete_resource)
"""What is wrong with each resource; nothing where it uses a name that nothing declares yet."""
