"""The CustomResourceDefinition that kro generates for an RGD, its status inferred from the status expressions.

Source: kro `pkg/graph/schema/conversion_cel_type.go`.
"""

from __future__ import annotations

from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING, Any, TypeAlias

from kro_ls.analysis.crd.generate import checkable_schema, generate_crd, holds_broken_fields, opened
from kro_ls.analysis.scope import kind_of
from kro_ls.analysis.types.checking import CheckedExpression, Types, check_part
from kro_ls.analysis.types.variables import simple_schema
from kro_ls.cel.types.types import DYN, STRING, Kind, Type
from kro_ls.kro.places import Place
from kro_ls.kro.versions.dialect import NEWEST_SCHEMA_DIALECT
from kro_ls.openapi.well_formed import DAMAGED
from kro_ls.yaml_positions.nodes import to_python

if TYPE_CHECKING:
    from collections.abc import Callable

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.model import SchemaSection
    from kro_ls.analysis.model.paths import Path
    from kro_ls.analysis.types.checking import FindStruct
    from kro_ls.kro.versions.dialect import SchemaDialect

Json: TypeAlias = dict[str, Any]


def generated_crd(rgd: RgdAnalysis) -> Json | None:
    """Return the CRD as JSON, None for an RGD without a schema, or with aliases for too much to be read.

    In the CRD of an RGD with errors, what is in error keeps anything.
    """
    return _crd(rgd, _written_spec, partial(_status, rgd))


def admitting_crd(rgd: RgdAnalysis) -> Json | None:
    """Return the CRD to admit instances with, None where `generated_crd` gives none.

    It has numbers where older versions of kro write `float`, which no API server takes.
    """
    return _crd(rgd, lambda section: simple_schema(section).recovered, partial(_status, rgd))


def checkable_crd(rgd: RgdAnalysis) -> Json | None:
    """Return the CRD to check others with, None where `generated_crd` gives none.

    What is in error, and what rests on a kind that is unknown here, is `dyn`: kro, which knows the kind, may give it
    any type, while it does not show to expressions what has no type for itself.
    """
    return _crd(rgd, _checkable_spec, partial(_status, rgd, opens_unknown=True))


def untyped_crd(rgd: RgdAnalysis) -> Json | None:
    """Return the CRD as `checkable_crd` does, but with `dyn` for all status expressions.

    It says nothing about kinds that the RGD uses, and so does not rest on them.
    """
    return _crd(rgd, _checkable_spec, _untyped_status)


def _crd(
    rgd: RgdAnalysis, spec: Callable[[SchemaSection], Json], status: Callable[[SchemaSection], Json | None]
) -> Json | None:
    schema = rgd.rgd.schema
    if schema is None or not rgd.rgd.document.is_read_whole:
        return None
    section = schema.section
    written = to_python(section.node)
    fields = written if isinstance(written, dict) else {}
    if fields.get("group") == "" and section.dialect.schema.replaces_empty_group:
        fields = {**fields, "group": None}
    return generate_crd(fields, spec(section), status(section))


def _written_spec(section: SchemaSection) -> Json:
    spec = simple_schema(section).recovered
    return spec if section.dialect.schema.knows_numbers else _with_floats(spec)


def _checkable_spec(section: SchemaSection) -> Json:
    return checkable_schema(simple_schema(section), DAMAGED)


def _untyped_status(section: SchemaSection) -> Json | None:
    status: Json | None = None
    for expression in section.expressions:
        if expression.place is Place.STATUS:
            status = status or empty_status()
            put_schema(status, expression.path, DAMAGED)
    return status


def _with_floats(schema: Json) -> Json:
    """Return a schema of SimpleSchema with `float`, which is no type of OpenAPI, where it has `number`."""
    changed = {**schema, "type": "float"} if schema.get("type") == "number" else dict(schema)
    for name in ("items", "additionalProperties"):
        if name in schema:
            changed[name] = _with_floats(schema[name])
    if "properties" in schema:
        changed["properties"] = {name: _with_floats(member) for name, member in schema["properties"].items()}
    return changed


def inferred_status(rgd: RgdAnalysis) -> Json | None:
    """Return the schema that the status expressions give, without kro's own fields; None where there are none."""
    return _status(rgd, rgd.rgd.schema.section) if rgd.rgd.schema else None


def _status(rgd: RgdAnalysis, section: SchemaSection, *, opens_unknown: bool = False) -> Json | None:
    scope = rgd.scope(section)
    find_struct = Types(scope.bindings).provider.find_struct
    root: Json | None = None
    for each in check_part(section, scope.bindings, None):
        if each.expression.place is not Place.STATUS:
            continue
        has_schema = _has_schema(each, find_struct)
        type_ = each.result.type if has_schema else DYN
        if each.expression.compiled.count > (0 if section.dialect.schema.joins_sole_parts else 1):
            type_ = STRING
        found = schema_of(type_, find_struct, section.dialect.schema)
        if opens_unknown and (not has_schema or _rests_on_unknown(each, rgd)):
            found = opened(found, DAMAGED)
        root = root or empty_status()
        put_schema(root, each.expression.path, found, section.dialect.schema)
    return root


def _rests_on_unknown(checked: CheckedExpression, rgd: RgdAnalysis) -> bool:
    """Whether an expression reads a resource whose kind is not fully known here."""
    for name in checked.expression.inspection.words:
        declared = rgd.table.declarations.get(name)
        if declared is None:
            continue
        kind = kind_of(rgd.reader, declared.kind)
        if kind is None or declared.is_repeated or (kind.is_generated and holds_broken_fields(kind.schema, DAMAGED)):
            return True
    return False


def _has_schema(checked: CheckedExpression, find_struct: FindStruct) -> bool:
    if checked.result.errors or checked.result.type.kind is Kind.ERROR:
        return False
    try:
        schema_of(checked.result.type, find_struct)
    except CyclicTypeError:
        return False
    return True


_ANYTHING: Json = {"x-kubernetes-preserve-unknown-fields": True}

_SCALARS: dict[Kind, Json] = {
    Kind.BOOL: {"type": "boolean"},
    Kind.INT: {"type": "integer"},
    Kind.UINT: {"type": "integer"},
    Kind.DOUBLE: {"type": "number"},
    Kind.STRING: {"type": "string"},
    Kind.BYTES: {"type": "string", "format": "byte"},
}

_NULL: Json = {**_ANYTHING, "description": "null type - any value allowed"}

_OBJECT: Json = {"type": "object", "additionalProperties": True}


class CyclicTypeError(Exception):
    """A type that contains itself has no schema."""


def empty_status() -> Json:
    """Return the schema of a status without fields, into which `put_schema` puts them."""
    return {"type": "object", "properties": {}}


def schema_of(type_: Type, find_struct: FindStruct, dialect: SchemaDialect = NEWEST_SCHEMA_DIALECT) -> Json:
    """Return the schema of a value of this type at the top of a status field.

    Raises `CyclicTypeError`, with kro's text, for a struct that contains itself.
    """
    if type_.nullable or type_.kind is Kind.ANY:
        return {**_ANYTHING, "description": f"unknown CEL type: {type_}"}
    if type_.kind is Kind.LIST:
        items = [schema_of(each, find_struct, dialect) for each in type_.parameters]
        return {"type": "array", "items": items[0]} if items else {"type": "array"}
    if type_.kind is Kind.MAP:
        return {"type": "object", "additionalProperties": schema_of(type_.parameters[1], find_struct, dialect)}
    if type_.kind is Kind.STRUCT:
        return _struct(type_, find_struct, ()) if dialect.knows_structs else {**_OBJECT}
    if type_.kind is Kind.TIMESTAMP and dialect.timestamp_format:
        description = "Timestamp representing a creation time"
        return {"type": "string", "format": dialect.timestamp_format, "description": description}
    if type_.kind is Kind.NULL:
        return dict(_NULL)
    if type_.is_dynamic:
        return dict(_ANYTHING)
    scalar = _SCALARS.get(type_.kind)
    return dict(scalar) if scalar else {**_ANYTHING, "description": f"unknown CEL type: {type_}"}


def _struct(type_: Type, find_struct: FindStruct, above: tuple[str, ...]) -> Json:
    if type_.name in above:
        raise CyclicTypeError(f"cyclic type reference detected: {type_.name}")
    struct = find_struct(type_.name)
    if struct is None:
        return {**_OBJECT}
    properties = {
        name: _nested(field, find_struct, (*above, type_.name)) for name, field in sorted(struct.fields.items())
    }
    return {"type": "object", "properties": properties} if properties else {"type": "object"}


def _nested(type_: Type, find_struct: FindStruct, above: tuple[str, ...]) -> Json:
    """Return the schema inside a struct, where kro knows fewer types."""
    if type_.kind is Kind.LIST:
        return {"type": "array", "items": _nested(type_.parameters[0], find_struct, above)}
    if type_.kind is Kind.MAP:
        return {"type": "object", "additionalProperties": _nested(type_.parameters[1], find_struct, above)}
    if type_.kind is Kind.STRUCT:
        return _struct(type_, find_struct, above)
    if type_.kind is Kind.NULL:
        return dict(_NULL)
    return dict(_SCALARS.get(type_.kind, _ANYTHING))


def put_schema(root: Json, path: Path, schema: Json, dialect: SchemaDialect = NEWEST_SCHEMA_DIALECT) -> None:
    """Write a leaf's schema at its path; all elements of a list share one schema, objects merge."""
    if not dialect.knows_lists:
        names = tuple(takewhile(lambda step: not isinstance(step, int), path))
        path, schema = names, schema if names == path else {"type": "object"}
    place = root
    for depth, step in enumerate(path):
        last = depth == len(path) - 1
        below = {"type": "array"} if not last and isinstance(path[depth + 1], int) else empty_status()
        inner = schema if last else below
        owner, key = (place, "items") if isinstance(step, int) else (place["properties"], step)
        existing = owner.get(key)
        if last or existing is None or existing.get("type") != inner["type"]:
            owner[key] = inner
        elif inner["type"] == "object":
            existing.setdefault("properties", {})
        place = owner[key]
