"""From `spec` and `types` of an RGD to the OpenAPI schema of its instances (kro pkg/simpleschema/transform.go).

kro walks its maps in random order; here it is the order of the document. The stages are kro's, because they decide
which error it reports: the types' expressions, the order of the types, the types' schemas, the spec.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any

from msgspec import Struct

from kro_ls.analysis.simpleschema.application import MarkedSchema
from kro_ls.analysis.simpleschema.contradictions import contradictions, list_warnings
from kro_ls.analysis.simpleschema.custom_types import order_types
from kro_ls.analysis.simpleschema.parser import parse_field
from kro_ls.analysis.simpleschema.results import (
    UNREACHABLE_TYPE,
    FieldDefinition,
    FieldError,
    FieldPath,
    FieldSyntax,
    JsonSchema,
    Root,
    SchemaError,
    SchemaResult,
    TypeExpression,
    TypeKind,
    TypeReference,
)
from kro_ls.analysis.simpleschema.suggestions import unknown_type_message
from kro_ls.golang.numbers import trim
from kro_ls.kro.simple_schema_words import OPENAPI_TYPES, TYPES
from kro_ls.kro.versions.dialect import NEWEST_SCHEMA_DIALECT, SchemaDialect

MAX_DEPTH = 100
"""The deepest nesting of the expanded schema. kro has no limit; no one writes a CRD as deep as this."""

MAX_NODES = 100_000
"""The most fields of the expanded schema: a CRD of this size is larger than what etcd stores (1.5 MB)."""

_PRESERVE = "x-kubernetes-preserve-unknown-fields"


class _Built(Struct, frozen=True):
    """A schema with what its users need to know.

    `times_required` is how often the field asks its parent to be required: by its type, and by each of its markers.
    """

    schema: JsonSchema
    nodes: int = 1
    depth: int = 1
    has_default: bool = False
    times_required: int = 0


_REFUSED = "refused-default"
_LACKING = "the default '{}', which this version of kro gives the object, lacks a required field"
_CRD_REFUSED = "Kubernetes will refuse the CRD"

_UNKNOWN = _Built({_PRESERVE: True})


class Findings(Struct, frozen=True, eq=False):
    """What was found on the way, as in `SchemaResult`. `markers` are the names of those that were used."""

    errors: tuple[SchemaError, ...]
    warnings: tuple[SchemaError, ...]
    definitions: dict[tuple[Root, FieldPath], FieldDefinition]
    references: tuple[TypeReference, ...]
    markers: frozenset[str]


_NOTHING = Findings((), (), {}, (), frozenset())


class LoadedTypes(Struct, frozen=True, eq=False, weakref=True):
    """The custom types: their names in order, what each is, and how they and the fields are read."""

    names: tuple[str, ...]
    built: dict[str, _Built]
    found: Findings
    dialect: SchemaDialect


class BuiltField(Struct, frozen=True, eq=False, weakref=True):
    """One of the outermost fields of `spec`."""

    name: str
    built: _Built
    found: Findings


class BuiltFields(Struct, frozen=True, eq=False, weakref=True):
    """Fields of one object that follow one another: their schemas, and what their object needs to know of them all.

    `required` are the names of those that are, as often as they ask for it.
    """

    properties: dict[str, JsonSchema]
    nodes: int
    depth: int
    required: tuple[str, ...]
    has_default: bool
    found: Findings


def build_schema(spec: object, types: object = None, dialect: SchemaDialect = NEWEST_SCHEMA_DIALECT) -> SchemaResult:
    """Return the schema of `spec` with the custom types of `types`, both as JSON; never raises.

    None stands for an absent section, `dialect` says how kro reads them. Numbers are called `float64` in `kro_message`,
    as in kro's own conversion from JSON. The schema shares parts with itself and with others: it must not be changed in
    place.
    """
    loaded = load_types(types, dialect)
    builder = _Builder(dialect)
    fields = builder.section("spec", spec)
    if fields is None:
        return _result((loaded.found, builder.findings), _UNKNOWN.schema, loaded.names)
    return join_fields(loaded, [put_together([build_field(name, value, loaded) for name, value in fields.items()])])


def load_types(types: object, dialect: SchemaDialect = NEWEST_SCHEMA_DIALECT) -> LoadedTypes:
    """Return the custom types of `types`."""
    builder = _Builder(dialect)
    builder.load_types(builder.section("types", types) or {})
    return LoadedTypes(builder.type_names, builder.types, builder.findings, dialect)


def build_field(name: str, value: object, types: LoadedTypes) -> BuiltField:
    """Return one of the outermost fields of `spec`."""
    builder = _Builder(types.dialect, types.names, types.built)
    built = builder.value("spec", (name,), value, f"field {name}: ")
    return BuiltField(name, built, builder.findings)


def put_together(fields: Sequence[BuiltField]) -> BuiltFields:
    """Return some fields as a part of their object."""
    return _fields([(field.name, field.built) for field in fields], _joined([field.found for field in fields]))


def _fields(members: Sequence[tuple[str, _Built]], found: Findings) -> BuiltFields:
    return BuiltFields(
        {name: member.schema for name, member in members},
        sum([member.nodes for _, member in members]),
        max([member.depth for _, member in members], default=0),
        tuple([name for name, member in members for _ in range(member.times_required)]),
        True in [member.has_default for _, member in members],
        found,
    )


def join_fields(types: LoadedTypes, parts: Sequence[BuiltFields]) -> SchemaResult:
    """Return what `build_schema` does for a `spec` of the fields of these parts."""
    properties: dict[str, JsonSchema] = {}
    for part in parts:
        properties.update(part.properties)
    fields = BuiltFields(
        properties,
        sum([part.nodes for part in parts]),
        max([part.depth for part in parts], default=0),
        tuple(chain.from_iterable([part.required for part in parts])),
        any(part.has_default for part in parts),
        _NOTHING,
    )
    builder = _Builder(types.dialect)
    built = builder.joined("spec", (), fields)
    found = (types.found, *[part.found for part in parts], builder.findings)
    return _result(found, built.schema, types.names)


def _joined(found: Sequence[Findings]) -> Findings:
    if len(found) == 1:
        return found[0]
    definitions: dict[tuple[Root, FieldPath], FieldDefinition] = {}
    for each in found:
        definitions.update(each.definitions)
    return Findings(
        tuple(chain.from_iterable([each.errors for each in found])),
        tuple(chain.from_iterable([each.warnings for each in found])),
        definitions,
        tuple(chain.from_iterable([each.references for each in found])),
        frozenset[str]().union(*{each.markers for each in found}),
    )


def _result(found: Sequence[Findings], recovered: JsonSchema, type_names: tuple[str, ...]) -> SchemaResult:
    together = _joined(found)
    return SchemaResult(
        schema=None if together.errors else recovered,
        recovered=recovered,
        errors=together.errors,
        warnings=together.warnings,
        definitions=together.definitions,
        type_references=together.references,
        type_names=type_names,
        markers=together.markers,
    )


def result_of(fields: Sequence[BuiltField]) -> SchemaResult:
    """Return what was found in some fields, and nothing of the custom types that they use."""
    return _result([field.found for field in fields], _UNKNOWN.schema, ())


@lru_cache(maxsize=256)  # interned
def _shared(markers: frozenset[str]) -> frozenset[str]:
    """Return the same set for equal ones: thousands of fields have the same markers."""
    return markers


class _Builder:
    def __init__(
        self, dialect: SchemaDialect, type_names: tuple[str, ...] = (), types: dict[str, _Built] | None = None
    ) -> None:
        self.dialect = dialect
        self.errors: list[SchemaError] = []
        self.warnings: list[SchemaError] = []
        self.definitions: dict[tuple[Root, FieldPath], FieldDefinition] = {}
        self.references: list[TypeReference] = []
        self.type_names = type_names
        self.types = {} if types is None else types

    @property
    def findings(self) -> Findings:
        """What was found until now."""
        syntaxes = [definition.syntax for definition in self.definitions.values() if definition.syntax]
        markers = _shared(frozenset(marker.name for syntax in syntaxes for marker in syntax.markers))
        return Findings(tuple(self.errors), tuple(self.warnings), self.definitions, tuple(self.references), markers)

    def section(self, root: Root, value: object) -> Mapping[str, object] | None:
        """Return a section as a mapping; None and an error for what is none, as it is for the API server."""
        if value is None:
            return {}
        if isinstance(value, Mapping):
            return {str(name): member for name, member in value.items()}
        section = "spec schema" if root == "spec" else "predefined types"
        kro_message = (
            f"failed to unmarshal {section}: json: cannot unmarshal into Go value of type map[string]interface {{}}"
        )
        message = f"'{root}' must be a mapping from names to types"
        self.errors.append(SchemaError(root, (), None, message, kro_message, "invalid-schema-field"))
        return None

    # Custom types

    def load_types(self, types: Mapping[str, object]) -> None:
        """Check all types' expressions, put the types in order, then build each."""
        self.type_names = tuple(types)
        for name in types:
            self.warn_of_unreachable(name)
        references = {
            name: self.read_expressions((name,), value, f"parsing type {name}: ") for name, value in types.items()
        }
        order = order_types(references)
        self.errors += order.errors
        self.types = dict.fromkeys(order.recursive, _UNKNOWN)
        for name in order.order:
            value, prefix = types[name], f"building schema for {name}: "
            built = self.value("types", (name,), value, prefix)
            self.types[name] = built if name not in order.recursive else _UNKNOWN

    def read_expressions(self, path: FieldPath, value: object, prefix: str) -> list[TypeReference]:
        """Report the mistakes in the type expressions of a type's definition and return the types it refers to."""
        if isinstance(value, str):
            syntax = parse_field(value)
            if syntax.type_error is not None:
                self.add("types", path, prefix, syntax.type_error)
            leaf = syntax.type.innermost
            return [TypeReference("types", path, leaf.span, leaf.name)] if leaf.kind is TypeKind.CUSTOM else []
        if not isinstance(value, Mapping):
            self.add_shape_error("types", path, value, prefix)
            return []
        if len(path) > MAX_DEPTH:  # reported where the schema is built
            return []
        references: list[TypeReference] = []
        for name, member in value.items():
            references += self.read_expressions((*path, str(name)), member, f"{prefix}field {name}: ")
        return references

    def warn_of_unreachable(self, name: str) -> None:
        if name in TYPES or name.startswith(("[]", "map[")) or "|" in name or name != trim(name) or not name:
            message = f"the type '{name}' cannot be used; its name is read as something else"
            self.warnings.append(SchemaError("types", (name,), None, message, "", UNREACHABLE_TYPE))

    # Schemas

    def value(self, root: Root, path: FieldPath, value: object, prefix: str) -> _Built:
        if isinstance(value, str):
            return self.text(root, path, value, prefix)
        if isinstance(value, Mapping):
            return self.mapping(root, path, value, prefix)
        if root == "spec":  # in types it is reported with the expressions
            self.add_shape_error(root, path, value, prefix)
        return self.define(root, path, None, _UNKNOWN)

    def mapping(self, root: Root, path: FieldPath, fields: Mapping[str, object], prefix: str) -> _Built:
        """Build an object, its list of required fields and its automatic default."""
        if len(path) > MAX_DEPTH:
            return self.too_large(root, path, f"fields are nested more than {MAX_DEPTH} levels deep")
        named = [(str(key), value) for key, value in fields.items()]
        members = [(name, self.value(root, (*path, name), value, f"{prefix}field {name}: ")) for name, value in named]
        return self.joined(root, path, _fields(members, _NOTHING))

    def joined(self, root: Root, path: FieldPath, fields: BuiltFields) -> _Built:
        """Return an object of some fields."""
        nodes = 1 + fields.nodes
        if nodes > MAX_NODES:
            return self.too_large(root, path, f"with its custom types expanded it has more than {MAX_NODES:,} fields")
        schema: JsonSchema = {"type": "object"}
        if fields.properties:
            schema["properties"] = fields.properties
        if fields.required:
            schema["required"] = sorted(fields.required)
        has_default = fields.has_default and not (fields.required and self.dialect.spares_required)
        if has_default:
            schema["default"] = {}
            if fields.required and root == "spec":  # of a type it is reported where a field has it
                self.warnings.append(
                    SchemaError(root, (*path, fields.required[0]), None, f"{_LACKING}; {_CRD_REFUSED}", "", _REFUSED)
                )
        return self.define(root, path, None, _Built(schema, nodes, fields.depth + 1, has_default))

    def text(self, root: Root, path: FieldPath, text: str, prefix: str) -> _Built:
        """Build a field or alias from its text."""
        syntax = parse_field(text)
        for error in syntax.errors if root == "spec" else syntax.marker_errors:
            self.add(root, path, prefix, error)
        base = self.expression(root, path, syntax, prefix)
        if base.depth > 1 and len(path) + base.depth > MAX_DEPTH:
            return self.too_large(root, path, f"its types nest fields more than {MAX_DEPTH} levels deep")
        marked = MarkedSchema(text, dict(base.schema), self.dialect, base.has_default, min(base.times_required, 1))
        marked.apply(syntax.markers)
        for error in marked.errors:
            self.add(root, path, prefix, error)
        warnings = [
            *marked.warnings,
            *list_warnings(syntax.markers, marked.schema),
            *contradictions(syntax.markers, marked.schema, self.dialect),
        ]
        leaf = syntax.type.innermost
        is_used_type = root == "spec" and leaf.kind is TypeKind.CUSTOM
        if is_used_type and not self.dialect.spares_required and _lacks_required(marked.schema):
            warnings.append(FieldError(leaf.span, f"{_LACKING} of '{leaf.name}'; {_CRD_REFUSED}", "", _REFUSED))
        self.warnings += [_located(root, path, prefix, warning) for warning in warnings]
        built = _Built(marked.schema, base.nodes, base.depth, marked.has_default, marked.required)
        return self.define(root, path, syntax, built)

    def expression(self, root: Root, path: FieldPath, syntax: FieldSyntax, prefix: str) -> _Built:
        """Return the schema of a type, built from inside to outside; a list of a required type is not required."""
        wrappers: list[TypeExpression] = []
        leaf = syntax.type
        while leaf.element is not None:
            wrappers.append(leaf)
            leaf = leaf.element
        built = self.named_type(root, path, leaf, prefix)
        for wrapper in reversed(wrappers):
            schema: JsonSchema
            if wrapper.kind is TypeKind.LIST:
                schema = {"type": "array", "items": built.schema}
            else:
                schema = {"type": "object", "additionalProperties": built.schema}
            built = _Built(schema, built.nodes + 1, built.depth + 1)
        return built

    def named_type(self, root: Root, path: FieldPath, leaf: TypeExpression, prefix: str) -> _Built:
        if leaf.kind is TypeKind.ATOMIC:
            return _Built({"type": OPENAPI_TYPES[leaf.name]})
        if leaf.kind is TypeKind.OBJECT:
            return _Built({"type": "object", _PRESERVE: True})
        if leaf.kind is TypeKind.MISSING:
            return _UNKNOWN
        self.references.append(TypeReference(root, path, leaf.span, leaf.name))
        built = self.types.get(leaf.name)
        if built is not None:
            return built
        if root == "spec":  # in types it is reported with the order
            message, suggestions = unknown_type_message(leaf.name, self.type_names)
            error = FieldError(leaf.span, message, f"unknown type: {leaf.name}", "unknown-type", suggestions)
            self.add(root, path, prefix, error)
        return _UNKNOWN

    # Results

    def define(self, root: Root, path: FieldPath, syntax: FieldSyntax | None, built: _Built) -> _Built:
        required = built.times_required > 0
        self.definitions[root, path] = FieldDefinition(root, path, syntax, built.schema, required)
        return built

    def add(self, root: Root, path: FieldPath, prefix: str, error: FieldError) -> None:
        self.errors.append(_located(root, path, prefix, error))

    def add_shape_error(self, root: Root, path: FieldPath, value: object, prefix: str) -> None:
        message = f"{_shape(value)}; expected a type such as 'string', or a mapping of fields"
        kro_message = f"{prefix}unexpected type: {_go_type(value)}"
        self.errors.append(SchemaError(root, path, None, message, kro_message, "invalid-schema-field"))

    def too_large(self, root: Root, path: FieldPath, message: str) -> _Built:
        self.errors.append(SchemaError(root, path, None, f"the schema is too large; {message}", "", "schema-too-large"))
        return self.define(root, path, None, _UNKNOWN)


def _located(root: Root, path: FieldPath, prefix: str, error: FieldError) -> SchemaError:
    kro_message = f"{prefix}{error.kro_message}" if error.kro_message else ""
    return SchemaError(
        root,
        path,
        error.span,
        error.message,
        kro_message,
        error.code,
        error.suggestions,
        versions=error.versions,
        dropped=error.dropped,
    )


def _lacks_required(schema: JsonSchema) -> bool:
    """Whether a part of a schema has the default `{}` and a required field, where the API server checks defaults.

    It checks none below a map.
    """
    if schema.get("default") == {} and schema.get("required"):
        return True
    children = (*schema.get("properties", {}).values(), schema.get("items"))
    return any(isinstance(each, dict) and _lacks_required(each) for each in children)


def _go_type(value: Any) -> str:
    """Return the name of the Go type that a JSON value is decoded to."""
    if value is None:
        return "<nil>"
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int | float):
        return "float64"
    if isinstance(value, Sequence):
        return "[]interface {}"
    return type(value).__name__


def _shape(value: Any) -> str:
    if value is None:
        return "this field is empty"
    if isinstance(value, bool):
        return f"the boolean '{str(value).lower()}' is not a type"
    if isinstance(value, int | float):
        return f"the number '{value}' is not a type"
    return "a list is written '[]string'" if isinstance(value, Sequence) else "this is not a type"
