"""Every unguarded read of an optional field in an RGD, and what its author shows of which fields are optional."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from kro_ls.analysis.names.inspection import inspect
from kro_ls.analysis.types.variables import simple_schema
from kro_ls.kro.places import Place
from kro_ls.rules.surprises.optional_reads import OptionalRead, ReadFinder, instance
from kro_ls.rules.surprises.presence import UNREACHABLE, FieldKey, Presence, Value, both

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.analysis.model.model import PlacedResource, Resource, SchemaSection

_NOTHING: frozenset[FieldKey] = frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class PlacedRead:
    """An unguarded read in its resource.

    `is_meant_optional` tells that the author knows the field as optional: the schema marks others as required, or
    another expression asks whether the field is there.
    """

    placed: PlacedResource
    read: OptionalRead
    is_meant_optional: bool


@lru_cache(maxsize=4)
def unguarded_reads(analysis: RgdAnalysis) -> tuple[PlacedRead, ...]:
    """Return the first unguarded read of each optional field in each resource; none where the schema is in error."""
    return tuple(_unguarded_reads(analysis))


def _unguarded_reads(analysis: RgdAnalysis) -> Iterator[PlacedRead]:
    schema = analysis.rgd.schema
    if schema is None or simple_schema(schema.section).errors:
        return
    found = [
        (placed, read)
        for placed in analysis.rgd.resources
        for read in optional_reads(placed.resource, schema.section, _NOTHING)
    ]
    if not found:
        return
    inherited = _inherited(analysis, schema.section)
    if inherited:
        found = [
            (placed, read)
            for placed in dict.fromkeys(placed for placed, _ in found)
            for read in _reads_with(inherited.get(placed.resource.id or "", _NOTHING), placed, schema.section)
        ]
    marks_required = any(each.marker("required") for each in simple_schema(schema.section).definitions.values())
    asked: frozenset[FieldKey] = frozenset()
    if not marks_required:
        asked = asked.union(*(asked_fields(placed.resource, schema.section) for placed in analysis.rgd.resources))
    for placed, read in found:
        yield PlacedRead(placed, read, marks_required or read.key in asked)


def _reads_with(present: Presence, placed: PlacedResource, section: SchemaSection) -> tuple[OptionalRead, ...]:
    return () if present is UNREACHABLE else optional_reads(placed.resource, section, present)


@lru_cache(maxsize=8192)
def asked_fields(resource: Resource, section: SchemaSection) -> frozenset[FieldKey]:
    """Return the fields that a resource reads with `.?` or asks for with `has()`."""
    variables = {"schema": instance(simple_schema(section).recovered)}
    found = [ReadFinder(expression, variables).asked() for expression in _with_schema(resource)]
    return frozenset[FieldKey]().union(*found)


def _with_schema(resource: Resource) -> tuple[Expression, ...]:
    return tuple(
        expression
        for expression in resource.expressions
        if expression.place is not Place.READY_WHEN
        and not inspect(expression.text).parsed.errors
        and any(use.name == "schema" for use in inspect(expression.text).names)
    )


@lru_cache(maxsize=8192)
def optional_reads(
    resource: Resource, section: SchemaSection, inherited: frozenset[FieldKey]
) -> tuple[OptionalRead, ...]:
    """Return the first unguarded read of each optional field in a resource's expressions.

    `inherited` are the fields without which the resource is never looked at.
    """
    if not _with_schema(resource):
        return ()
    reads: dict[FieldKey, OptionalRead] = {}
    present: Presence = inherited
    variables: dict[str, Value] = {"schema": instance(simple_schema(section).recovered)}
    for expression in sorted(resource.expressions, key=_evaluation_order):
        inspection = inspect(expression.text)
        if expression.place is Place.READY_WHEN or inspection.parsed.errors or present is UNREACHABLE:
            continue
        if expression.place is Place.TEMPLATE and not any(use.name in variables for use in inspection.names):
            continue
        finder = ReadFinder(expression, variables)
        finder.run(present)
        for read in finder.reads:
            reads.setdefault(read.key, read)
        if expression.place is Place.INCLUDE_WHEN:
            present = both(present, finder.present_when_true())
        elif expression.place is Place.FOR_EACH:
            name = str(expression.path[-1])
            value = finder.value
            item = value.variable(resource.dimensions[0].key) if value and value.schema.get("type") == "array" else None
            variables = {
                **{key: each for key, each in variables.items() if key != name},
                **({name: item} if item else {}),
            }
    return tuple(reads.values())


def _evaluation_order(expression: Expression) -> int:
    return {Place.INCLUDE_WHEN: 0, Place.FOR_EACH: 1}.get(expression.place, 2)


def _inherited(analysis: RgdAnalysis, section: SchemaSection) -> Mapping[str, Presence]:
    """Return what the conditions of the resources that each one depends on make sure of: without them it is ignored."""
    own = {
        resource_id: _guards(placed.resource, section)
        for resource_id, placed in analysis.resources.items()
        if any(expression.place is Place.INCLUDE_WHEN for expression in placed.resource.expressions)
    }
    inherited: dict[str, Presence] = {}
    if own:
        dependencies = dict(analysis.graph.dependencies)
        for resource_id in analysis.graph.order:
            found: Presence = _NOTHING
            for needed in dependencies[resource_id]:
                found = both(found, both(own.get(needed, _NOTHING), inherited.get(needed, _NOTHING)))
            inherited[resource_id] = found
    return inherited


@lru_cache(maxsize=8192)
def _guards(resource: Resource, section: SchemaSection) -> Presence:
    present: Presence = _NOTHING
    variables = {"schema": instance(simple_schema(section).recovered)}
    for expression in resource.expressions:
        if expression.place is Place.INCLUDE_WHEN and not inspect(expression.text).parsed.errors:
            present = both(present, ReadFinder(expression, variables).present_when_true())
    return present
