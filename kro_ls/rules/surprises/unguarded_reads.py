"""Every unguarded read of an optional field in an RGD, and which fields its author treats as optional.

The reads depend on the open fields alone: those that can be missing, or contain something that can. An edit that leaves
them unchanged changes no read.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from kro_ls.analysis.definition_queries import SECTION, graph, queried_column
from kro_ls.analysis.facts import facts_of, instance_paths_of, table
from kro_ls.analysis.scope import fields_read, instance
from kro_ls.analysis.types.variables import simple_schema
from kro_ls.cel.syntax.identifiers import RESERVED_WORDS, escape
from kro_ls.kro.places import Place
from kro_ls.queries.cells import cached, union
from kro_ls.queries.engine import Query
from kro_ls.rules.surprises.optional_reads import OptionalRead, ReadFinder, may_ask
from kro_ls.rules.surprises.presence import UNREACHABLE, FieldKey, Presence, Value, both

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.facts import FieldNames
    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.analysis.model.model import Resource
    from kro_ls.analysis.names.inspection import Inspection
    from kro_ls.cel.syntax import ast
    from kro_ls.queries.engine import Reader


Json: TypeAlias = dict[str, Any]

_SCALARS: Final = ("string", "integer", "number", "boolean")
_SCALAR: Final[Json] = {"type": "string"}
"""Stands for every scalar, so that a new type of an optional scalar changes no result."""


class OpenField:
    """A field of `spec`. Schemas are compared by identity, because comparing large ones could take very long."""

    __slots__ = ("is_optional", "name", "schema")

    def __init__(self, name: str, schema: Json, *, is_optional: bool) -> None:
        self.name = name
        self.schema = schema
        self.is_optional = is_optional

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, OpenField)
            and self.schema is other.schema
            and (self.name, self.is_optional) == (other.name, other.is_optional)
        )

    __hash__ = None  # type: ignore[assignment]


OpenFields: TypeAlias = "tuple[tuple[str, OpenField], ...]"
"""Fields by their names in CEL."""


@Query
def open_fields(reader: Reader) -> dict[str, OpenField]:
    """Return the open fields by their names in CEL; a reserved word is also found as it is written."""
    root = instance(reader)
    properties: Json = root.schema["properties"] if root else {}  # type: ignore[assignment]  # the fields of an instance
    spec: Json = properties.get("spec") or {}
    required = spec.get("required") or ()
    found: dict[str, OpenField] = {}
    for name, schema in (spec.get("properties") or {}).items():
        is_optional = name not in required and "default" not in schema
        is_scalar = schema.get("type") in _SCALARS
        if is_optional or not (is_scalar or _is_closed(schema)):
            field = _optional_scalar(name) if is_scalar else OpenField(name, schema, is_optional=is_optional)
            found[escape(name) or name] = field
            if name in RESERVED_WORDS:
                found.setdefault(name, field)
    return found


@lru_cache(maxsize=1000)  # after an edit of a large schema, all its fields are asked for
def _optional_scalar(name: str) -> OpenField:
    return OpenField(name, _SCALAR, is_optional=True)


def _is_closed(schema: Json) -> bool:
    """Whether nothing in a value can be missing: it is a scalar, or a list or map of closed values."""
    inner: Any = schema
    while isinstance(inner, dict) and inner.get("type") not in _SCALARS:
        if inner.get("properties"):
            return False
        inner = inner.get("items") or inner.get("additionalProperties")
    return isinstance(inner, dict)


def instance_of(fields: OpenFields) -> Value:
    """Return the value of `schema`: an object whose `spec`, with these fields, is always there."""
    each = {field.name: field for _, field in fields}
    required = [name for name, field in each.items() if not field.is_optional]
    spec = {"type": "object", "properties": {name: field.schema for name, field in each.items()}, "required": required}
    return Value(("schema",), {"type": "object", "properties": {"spec": spec}, "required": ["spec"]})


Guard: TypeAlias = "tuple[Presence, ...]"
"""The fields without which a resource is never evaluated; empty if nothing guards it."""

# Members of an enumeration take ten times as long to look up as names of a module.
_TEMPLATE, _READY_WHEN = Place.TEMPLATE, Place.READY_WHEN

_NOTHING: frozenset[FieldKey] = frozenset()
_UNGUARDED: Guard = (_NOTHING,)


def all_reads(reader: Reader) -> Iterator[tuple[int, OptionalRead]]:
    """Yield the first unguarded read of each optional field in each resource, with the number of the resource.

    There are none where the schema is in error.
    """
    section = SECTION(reader)
    if section is not None and not simple_schema(section).errors:
        for number, reads in _READS.present(reader):
            yield from ((number, read) for read in reads)


def meant_as_optional(reader: Reader) -> frozenset[FieldKey] | None:
    """Return the fields that the author treats as optional; None stands for all optional fields.

    These are all where the schema marks others as required, else those that an expression asks for.
    """
    section = SECTION(reader)
    if section is None or any(each.marker("required") for each in simple_schema(section).definitions.values()):
        return None
    return union(asked for _, asked in _ASKED.present(reader))


def _read_by(reader: Reader, paths: frozenset[FieldNames]) -> OpenFields:
    """Return the open fields that some paths read."""
    names = fields_read(paths)
    if names is None:
        return tuple(open_fields(reader).items())
    each = [(name, open_fields.entry(reader, name)) for name in sorted(names)]
    return tuple([(name, field) for name, field in each if field])


def _variables(fields: OpenFields) -> dict[str, Value]:
    return {"schema": instance_of(fields)}


@cached
def _plain_reads(inspection: Inspection, fields: OpenFields) -> tuple[tuple[ast.Select, FieldKey], ...]:
    """Return the reads of an expression that sees no variables, where no field is known to be there."""
    finder = ReadFinder(inspection, _variables(fields))
    finder.run(_NOTHING)
    return tuple(finder.reads)


def _seen(inspection: Inspection, fields: OpenFields) -> OpenFields:
    """Return the fields that an expression reads."""
    names = fields_read(instance_paths_of(inspection))
    return fields if names is None else tuple([each for each in fields if each[0] in names])


def _asked(reader: Reader, resource: Resource) -> frozenset[FieldKey]:
    """Return the fields that a resource reads with `.?` or asks for with `has()`."""
    asking = [
        each.inspection
        for each in resource.expressions
        if may_ask(each.inspection)
        and each.place is not _READY_WHEN
        and each.inspection.parsed.is_valid
        and any(use.name == "schema" for use in each.inspection.names)
    ]
    if not asking:
        return _NOTHING
    variables = _variables(_read_by(reader, facts_of(resource).reads))
    return union(ReadFinder(each, variables).asked() for each in asking)


def _reads(reader: Reader, resource: Resource) -> tuple[OptionalRead, ...]:
    present = (_inherited.entry(reader, resource.id or "") or _UNGUARDED)[0]
    fields = _read_by(reader, facts_of(resource).reads)
    if present is UNREACHABLE or not fields:
        return ()
    variables: dict[str, Value] | None = None  # most resources have nothing but plain reads
    has_items = False
    reads: dict[FieldKey, OptionalRead] = {}
    is_ordered = facts_of(resource).conditions.isdisjoint(_EVALUATED_FIRST)
    expressions = resource.expressions if is_ordered else sorted(resource.expressions, key=_evaluation_order)
    for expression in expressions:
        inspection, place = expression.inspection, expression.place
        if place is _READY_WHEN or not inspection.parsed.is_valid or present is UNREACHABLE:
            continue
        if place is _TEMPLATE and not present and not has_items:
            # As many resources have the same expression, and it sees the same of the instance, it is looked at once.
            seen = _seen(inspection, fields)
            for select, key in _plain_reads(inspection, seen) if seen else ():
                reads.setdefault(key, OptionalRead(expression, select, key))
            continue
        if variables is None:
            variables = _variables(fields)
        finder = ReadFinder(inspection, variables)
        finder.run(present)
        value = finder.value if place is Place.FOR_EACH else None
        is_refused = value is not None and value.schema.get("type", "array") != "array"
        for select, key in () if is_refused else finder.reads:
            reads.setdefault(key, OptionalRead(expression, select, key))
        if place is Place.INCLUDE_WHEN:
            present = both(present, finder.present_when_true())
        elif place is Place.FOR_EACH:
            has_items = True
            name = str(expression.path[-1])
            item = value.variable(resource.dimensions[0].key) if value and value.schema.get("type") == "array" else None
            variables = {
                **{key: each for key, each in variables.items() if key != name},
                **({name: item} if item else {}),
            }
    return tuple(reads.values())


_EVALUATED_FIRST = (Place.INCLUDE_WHEN, Place.FOR_EACH)


def _evaluation_order(expression: Expression) -> int:
    return _EVALUATED_FIRST.index(expression.place) if expression.place in _EVALUATED_FIRST else len(_EVALUATED_FIRST)


@Query
def _inherited(reader: Reader) -> dict[str, Guard]:
    """Return by id the fields that the conditions of the resources that each one depends on guarantee."""
    facts = table(reader)
    if not facts.is_conditional:
        return {}
    guards = dict(_GUARDS.present(reader))
    own = {name: guards.get(number, _UNGUARDED)[0] for name, number in facts.numbers.items()}
    inherited: dict[str, Guard] = {}
    dependencies = dict(graph(reader).dependencies)
    for name in graph(reader).order:
        found: Presence = _NOTHING
        for needed in dependencies[name]:
            found = both(found, both(own[needed], inherited[needed][0]))
        inherited[name] = (found,)
    return inherited


def _guards(reader: Reader, resource: Resource) -> Guard:
    present: Presence = _NOTHING
    variables = _variables(_read_by(reader, facts_of(resource).reads))
    for expression in resource.expressions:
        if expression.place is Place.INCLUDE_WHEN and expression.inspection.parsed.is_valid:
            present = both(present, ReadFinder(expression.inspection, variables).present_when_true())
    return () if present == _NOTHING else (present,)


_READS = queried_column(_reads)
_ASKED = queried_column(_asked)
_GUARDS = queried_column(_guards)
