"""Runs the checks over each RGD of an analysis: over its resources, its schema section and the whole.

The findings in a part, in its names and in its expressions are cached separately. Only the last depend on types, and so
on the fields of the instance: from a new name of a field that 1,000 resources read to the diagnosis it takes 108,672
calls and 53 ms, and with one cache for all 476,351 calls and 178 ms, of which 100 ms is the bar. The first do not
depend on the ids of others: a new id that three of four resources use takes 8,300 calls, and with two caches 9,900.
A large schema section is cut into parts, and those that an edit leaves unchanged are not checked again.
"""

from __future__ import annotations

from itertools import chain, zip_longest
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct

from kro_ls.analysis.analysis import RgdAnalysis
from kro_ls.analysis.definition_queries import SECTION, declarations, is_unfinished, queried_column
from kro_ls.analysis.model.model import Resource
from kro_ls.analysis.model.sections import SPEC, STATUS, CutSection, SectionEntry
from kro_ls.analysis.names.references import foreign_names
from kro_ls.analysis.scope import scope_of, typed_scope_of
from kro_ls.cel.types.check_result import ErrorKind
from kro_ls.graphs import frames_in
from kro_ls.kro.places import Place
from kro_ls.queries.cells import cached
from kro_ls.queries.engine import OwnedQuery, Query
from kro_ls.rules.registry import RULES, SHARED_CHECKS
from kro_ls.rules.rule import Rule
from kro_ls.rules.types.typed import causes, checked_expressions

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from kro_ls.analysis.analysis import Analysis
    from kro_ls.analysis.definition_queries import Values
    from kro_ls.analysis.model.model import PlacedSchema, SchemaSection
    from kro_ls.analysis.model.sections import SectionPart
    from kro_ls.analysis.scope import NamedScope, Scope, TypedScope
    from kro_ls.analysis.types.checking import CheckedExpression
    from kro_ls.queries.cells import Block
    from kro_ls.queries.engine import Reader
    from kro_ls.rules.diagnostics import Findings
    from kro_ls.rules.rule import CodedFinding, CodedFindings, DocumentCheck, PlacedFinding, SharedCheck
    from kro_ls.yaml_positions.documents.runs import PlacedChunk


Found: TypeAlias = "tuple[CodedFinding, ...]"


class SectionFindings(Struct, frozen=True):
    """The findings in a schema section. Their spans are relative to the `whole`, or to the part that they are in.

    `fields` and `outputs` have the findings of each entry of `spec` and of `status` outside of the head.
    """

    whole: Found = ()
    head: Found = ()
    fields: tuple[Found, ...] = ()
    outputs: tuple[Found, ...] = ()

    def placed(
        self, schema: PlacedSchema, is_wanted: Callable[[CodedFinding], bool]
    ) -> Iterator[tuple[PlacedChunk, CodedFinding]]:
        """Yield the wanted findings, each with the chunk that its span is relative to."""
        yield from ((schema.placed, found) for found in self.whole if is_wanted(found))
        section = schema.section
        if not isinstance(section, CutSection):
            return
        if self.head:
            placed_head = section.placed_head(schema.placed)
            yield from ((placed_head, found) for found in self.head if is_wanted(found))
        for key, entries in ((SPEC, self.fields), (STATUS, self.outputs)):
            for number, findings in enumerate(entries if any(entries) else ()):
                for found in findings:
                    if is_wanted(found):
                        yield section.placed_entry(schema.placed, key, number), found


class RgdFindings(Struct, frozen=True, eq=False):
    """The findings in one RGD: in each resource, in the schema section, and in the whole, by check."""

    resources: Values[Found]
    section: SectionFindings
    whole: tuple[tuple[PlacedFinding, ...], ...] = ()


def find(analysis: Analysis) -> list[RgdFindings]:
    """Return the findings in each RGD."""
    readers = [rgd.reader for rgd in frames_in(analysis)]
    return [
        RgdFindings(_IN_RESOURCES(each), _in_section(each), tuple([in_whole(each) for _, in_whole in _IN_WHOLE]))
        for each in readers
    ]


def find_one_by_one(analysis: Analysis) -> Iterator[None]:
    """Compute what `find` returns, which is cached, and yield after each query, so that others get their turn."""
    queries: list[Callable[[Reader], object]] = [_IN_RESOURCES, _in_section]
    queries += (in_whole for _, in_whole in _IN_WHOLE)
    for rgd in frames_in(analysis):
        for query in queries:
            query(rgd.reader)
            yield


def find_in_beginning(analysis: Analysis) -> list[RgdFindings]:
    """Return the findings in an unfinished text: in those parts that use no name which may be declared later."""
    findings = []
    for rgd in frames_in(analysis):
        is_complete = rgd.section is not None and not scope_of(rgd.reader, rgd.section).candidates
        section = _in_section(rgd.reader) if is_complete else SectionFindings()
        findings.append(RgdFindings(_IN_COMPLETE_RESOURCES(rgd.reader), section))
    return findings


def find_at(analysis: Analysis, offsets: Collection[int], codes: frozenset[str]) -> list[RgdFindings]:
    """Return the findings in the parts of each RGD at some offsets; at least all that have one of the codes.

    Those in resources are not cached, because the next edit does not start from this analysis.
    """
    findings = []
    checks = tuple(each for each in _ALL_RESOURCE_CHECKS if not codes.isdisjoint(each[0]))
    of_expressions = not codes.isdisjoint(_IN_EXPRESSIONS.codes)
    for rgd in frames_in(analysis):
        reader, schema = rgd.reader, rgd.rgd.schema
        resources = tuple(
            (number, (_find_once(reader, rgd.parts[number], checks, of_expressions=of_expressions),))
            for number, placed in enumerate(rgd.rgd.places)
            if _is_at(placed, offsets)
        )
        section = _in_section(reader) if schema and _is_at(schema.placed, offsets) else SectionFindings()
        whole = tuple([in_whole(reader) for found, in_whole in _IN_WHOLE if not codes.isdisjoint(found)])
        findings.append(RgdFindings(resources, section, whole))
    return findings


def _is_at(placed: PlacedChunk, offsets: Collection[int]) -> bool:
    return any(placed.start <= offset <= placed.end for offset in offsets)


_Check: TypeAlias = "Callable[[Any, Any], Findings | CodedFindings]"

_Checks: TypeAlias = "tuple[tuple[tuple[str, ...], _Check], ...]"
"""Checks, each with the codes that it may find. A check of one rule leaves the code to its caller, which is faster."""


def _checks(hook: Callable[[Rule | SharedCheck], _Check | None]) -> _Checks:
    """Return the checks that rules have in a hook."""
    rules: tuple[Rule | SharedCheck, ...] = (*RULES, *SHARED_CHECKS)
    found = [((each.code,) if isinstance(each, Rule) else each.codes, hook(each)) for each in rules]
    return tuple((codes, check) for codes, check in found if check)


_RESOURCE_CHECKS = _checks(lambda each: each.check_resource)
_OUTLINE_CHECKS = _checks(lambda each: each.check_outline)
_SCHEMA_CHECKS = _checks(lambda each: each.check_schema)
_NAME_CHECKS: _Checks = tuple(((rule.code,), rule.check_names) for rule in RULES if rule.check_names)
_ALL_RESOURCE_CHECKS = (*_RESOURCE_CHECKS, *_NAME_CHECKS)


def _run(checks: _Checks, part: Resource | SchemaSection, scope: Scope) -> Found:
    found: list[CodedFinding] = []
    for codes, check in checks:
        for each in check(part, scope):
            found.append(each if isinstance(each, tuple) else (codes[0], each))  # noqa: PERF401 - most find nothing
    return tuple(found)


def find_in_part(reader: Reader, part: Resource | SectionPart) -> Found:
    """Return the findings in a resource or in a part of a section. Those of an earlier revision are reused."""
    scope = typed_scope_of(reader, part)
    in_text = _in_text(part, scope.without_names()) + _in_names(part, scope.without_types())
    return in_text + _IN_EXPRESSIONS.find(part, scope)


@cached
def _in_text(part: Resource | SectionPart, scope: Scope) -> Found:
    return _run(_RESOURCE_CHECKS if isinstance(part, Resource) else _SCHEMA_CHECKS, part, scope)


@cached
def _in_names(part: Resource | SectionPart, scope: NamedScope) -> Found:
    return _run(_NAME_CHECKS, part, scope)


def _find_once(
    reader: Reader, part: Resource | SchemaSection, checks: _Checks, *, of_expressions: bool = True
) -> Found:
    """Return what checks find in a part, and the findings in its expressions.

    The findings of the checks are not cached, which is faster where the part is not checked again.
    """
    found = _run(checks, part, scope_of(reader, part))
    return found + _IN_EXPRESSIONS.find(part, typed_scope_of(reader, part)) if of_expressions else found


def _in_resource(reader: Reader, resource: Resource) -> Found:
    is_final = reader.revision.is_final
    return _find_once(reader, resource, _ALL_RESOURCE_CHECKS) if is_final else find_in_part(reader, resource)


_IN_RESOURCES = queried_column(_in_resource)


def _in_complete_resource(reader: Reader, resource: Resource) -> Found:
    return () if scope_of(reader, resource).candidates else find_in_part(reader, resource)


_IN_COMPLETE_RESOURCES = queried_column(_in_complete_resource)
"""The findings in each resource; none in one that uses a name which nothing declares yet."""


@Query
def _in_section(reader: Reader) -> SectionFindings:
    section = SECTION(reader)
    if section is None:
        return SectionFindings()
    if isinstance(section, CutSection) and not _lacks_resources(reader, section):
        return SectionFindings(
            _in_outline(reader, section),
            find_in_part(reader, section.head),
            tuple(chain.from_iterable([_in_fields(reader, block) for block in section.fields.blocks])),
            tuple(chain.from_iterable([_in_outputs(reader, block) for block in section.outputs.blocks])),
        )
    return SectionFindings(find_in_section(reader, section))


def find_in_section(reader: Reader, section: SchemaSection) -> Found:
    """Return the findings in a schema section that is not cut into parts."""
    return _find_once(reader, section, (*_OUTLINE_CHECKS, *_SCHEMA_CHECKS, *_NAME_CHECKS))


def _lacks_resources(reader: Reader, section: CutSection) -> bool:
    """Whether the status names resources that are still to be written: one finding reports all of them."""
    return is_unfinished(reader) and any(declarations.entry(reader, name) is None for name in foreign_names(section))


@OwnedQuery
def _in_outline(reader: Reader, section: CutSection) -> Found:
    """Return what the checks of the outline find. Only if they find something in the head, they see all of the text."""
    scope = scope_of(reader, section.head).without_names()
    return _run(_OUTLINE_CHECKS, section, scope) if _shows_fault(section.head, scope) else ()


@cached
def _shows_fault(head: SectionPart, scope: Scope) -> bool:
    return bool(_run(_OUTLINE_CHECKS, head, scope))


@OwnedQuery
def _in_fields(reader: Reader, block: Block[SectionEntry]) -> tuple[Found, ...]:
    """Return the findings in entries of `spec`. They have no expressions, so all have the same scope."""
    scope = scope_of(reader, block[0]).without_names()
    return tuple([_in_text(each, scope) for each in block])


@OwnedQuery
def _in_outputs(reader: Reader, block: Block[SectionEntry]) -> tuple[Found, ...]:
    return tuple(_in_output.each(reader, block))


@OwnedQuery
def _in_output(reader: Reader, output: SectionEntry) -> Found:
    return find_in_part(reader, output)


def _in_whole(check: Callable[[RgdAnalysis], Iterator[PlacedFinding]]) -> Query[[], tuple[PlacedFinding, ...]]:
    @Query
    def in_whole(reader: Reader) -> tuple[PlacedFinding, ...]:
        return tuple(check(RgdAnalysis(reader)))

    return in_whole


def _coded(code: str, check: DocumentCheck) -> Callable[[RgdAnalysis], Iterator[PlacedFinding]]:
    return lambda rgd: ((part, code, finding) for part, finding in check(rgd))


_IN_WHOLE = (
    *(((each.code,), _in_whole(_coded(each.code, each.check_document))) for each in RULES if each.check_document),
    *((each.codes, _in_whole(each.check_document)) for each in SHARED_CHECKS if each.check_document),
)
"""The checks of the whole as queries, each with the codes that it may find."""


class _Previous(Struct, frozen=True, eq=False, gc=False):
    """The findings in the expressions of a part, by their numbers, and what they depend on besides the types."""

    surroundings: tuple[object, ...]
    expressions: tuple[CheckedExpression, ...]
    findings: Mapping[int, Found]


_NO_FINDINGS: Mapping[int, Found] = {}


class ExpressionChecks:
    """What some rules have for single expressions. Which checks see one depends on its place, form and type errors."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.codes = tuple(rule.code for rule in rules if rule.check_expression or rule.check_error)
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

    def find(self, part: Resource | SchemaSection, scope: TypedScope) -> Found:
        """Return the findings in the expressions of a part; those in an expression of the same types are reused."""
        if not part.expressions:
            return ()
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
        part.cells[self] = _Previous(previous.surroundings, expressions, found or _NO_FINDINGS)
        return tuple(chain.from_iterable(found.values())) if found else ()

    def _find(self, checked: CheckedExpression, part: Resource | SchemaSection, scope: TypedScope) -> Found:
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


def _surroundings(scope: TypedScope) -> tuple[object, ...]:
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


_IN_EXPRESSIONS = ExpressionChecks(RULES)
