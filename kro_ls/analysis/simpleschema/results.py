"""SimpleSchema as values: the text of one field, `TYPE | MARKERS`, and the schema that is built from all fields.

Spans are 0-based offsets of code points in the text of a field.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, Literal

from msgspec import Struct, field

from kro_ls.kro.versions.version import ALL, Versions
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kro_ls.queries.cells import Cells

JsonSchema = dict[str, Any]
"""An OpenAPI v3 schema as JSON. Parts are shared between schemas: never change one in place."""


class TypeKind(StrEnum):
    """The form of a type expression; `MISSING` stands where the text holds none that can be read."""

    ATOMIC = "atomic"
    OBJECT = "object"
    LIST = "list"
    MAP = "map"
    CUSTOM = "custom"
    MISSING = "missing"


class TypeExpression(Struct, frozen=True):
    """A type: `name` is the atomic or custom name, `element` the type of a list's items or a map's values."""

    kind: TypeKind
    span: Span
    name: str = ""
    element: TypeExpression | None = None

    @property
    def innermost(self) -> TypeExpression:
        """The type inside all lists and maps."""
        expression = self
        while expression.element is not None:
            expression = expression.element
        return expression

    def __str__(self) -> str:
        prefixes = []
        expression = self
        while expression.element is not None:
            prefixes.append("[]" if expression.kind is TypeKind.LIST else "map[string]")
            expression = expression.element
        return "".join(prefixes) + expression.name


class Marker(Struct, frozen=True):
    """One `key=value`: `value` is unquoted and unescaped, `value_span` covers it as written, with its quotes.

    `damaged` says that the text around it has an error already, so that its value may not be what was meant.
    `intact_in` are the versions that see no error there, and take the value as it stands.
    """

    name: str
    key_span: Span
    value: str
    value_span: Span
    quoted: bool
    damaged: bool = False
    intact_in: Versions | None = None

    @property
    def span(self) -> Span:
        """The whole marker, key and value."""
        return Span(self.key_span.start, self.value_span.end)


class FieldError(Struct, frozen=True):
    """A mistake in a field's text.

    `kro_message` is what kro says of it, without the chain of field names; empty where kro says nothing.
    `suggestions` are texts that could stand in place of `span`. `versions` are those that refuse it. `dropped` is the
    end of the text that all other versions take for nothing, without an error.
    """

    span: Span
    message: str
    kro_message: str
    code: str
    suggestions: tuple[str, ...] = ()
    versions: Versions = ALL
    dropped: Span | None = None


class FieldSyntax(Struct, frozen=True):
    """What is written in one field. `separator` is the offset of the `|` between the type and the markers."""

    text: str
    type: TypeExpression
    separator: int | None
    markers: tuple[Marker, ...]
    type_error: FieldError | None
    marker_errors: tuple[FieldError, ...]

    @property
    def errors(self) -> tuple[FieldError, ...]:
        """All mistakes; the first is the one that kro reports."""
        return self.marker_errors if self.type_error is None else (self.type_error, *self.marker_errors)


UNREACHABLE_TYPE: Final = "unreachable-type"

Root = Literal["spec", "types"]
FieldPath = tuple[str, ...]


class TypeReference(Struct, frozen=True):
    """A custom type's name in the text of a field; `span` counts code points of that text."""

    root: Root
    path: FieldPath
    span: Span
    name: str


class SchemaError(Struct, frozen=True):
    """A mistake in `spec` or `types`.

    `path` leads from the root to the field. `span` counts code points of the field's text; None means the whole node.
    `kro_message` is kro's text with its chain of field names, empty where kro reports nothing. `suggestions` are texts
    that could stand in place of the span. `related` are other places that take part in the mistake. `versions` are the
    versions of kro that refuse it. `dropped` is the end of the field's text that all other versions take for nothing.
    """

    root: Root
    path: FieldPath
    span: Span | None
    message: str
    kro_message: str
    code: str
    suggestions: tuple[str, ...] = ()
    related: tuple[TypeReference, ...] = ()
    versions: Versions = ALL
    dropped: Span | None = None


class FieldDefinition(Struct, frozen=True):
    """A field or custom type as written. `syntax` is None for a mapping; `required` is seen from its parent."""

    root: Root
    path: FieldPath
    syntax: FieldSyntax | None
    schema: JsonSchema
    required: bool

    def marker(self, name: str) -> Marker | None:
        """Return the marker of that name in the field's own text; the last, which is the one that counts."""
        markers = self.syntax.markers if self.syntax is not None else ()
        return next((marker for marker in reversed(markers) if marker.name == name), None)

    @property
    def description(self) -> str:
        """The description of the field, its own or its custom type's; empty if there is none."""
        description = self.schema.get("description", "")
        return description if isinstance(description, str) else ""

    @property
    def default(self) -> Any:
        """The default value as JSON; None also where there is none, see `has_default`."""
        return self.schema.get("default")

    @property
    def has_default(self) -> bool:
        """Whether the API server fills in a value."""
        return "default" in self.schema


class SchemaResult(Struct, frozen=True, eq=False, weakref=True):
    """The outcome of `build_schema`.

    `schema` is what kro builds, None if it refuses. `recovered` is always there: what is in error in it has a schema
    without type that accepts anything, which means "unknown" to a checker. `errors` are what kro refuses, first the one
    that kro reports; `warnings` what kro accepts and Kubernetes will refuse. `markers` are the names of those in use.
    """

    schema: JsonSchema | None
    recovered: JsonSchema
    errors: tuple[SchemaError, ...]
    warnings: tuple[SchemaError, ...]
    definitions: Mapping[tuple[Root, FieldPath], FieldDefinition]
    type_references: tuple[TypeReference, ...]
    type_names: tuple[str, ...]
    markers: frozenset[str]
    cells: Cells = field(default_factory=dict)

    @property
    def usable_types(self) -> tuple[str, ...]:
        """The names of custom types that kro does not read as something else."""
        unreachable = {error.path[0] for error in self.warnings if error.code == UNREACHABLE_TYPE}
        return tuple(name for name in self.type_names if name not in unreachable)

    def definition_of(self, path: tuple[str | None, ...]) -> FieldDefinition | None:
        """Return where the field that a value path leads to is written, following custom types.

        `path` starts at `spec`; a name steps into an object, None into an item of a list or a value of a map.
        """
        return self.definition_below(self.definitions.get(("spec", ())), path)

    def definition_below(
        self, definition: FieldDefinition | None, path: tuple[str | None, ...]
    ) -> FieldDefinition | None:
        """Return what `definition_of` does for a path that starts at a field."""
        found = definition
        elements = 0  # lists and maps of the current field's type that have been stepped into
        for step in path:
            if found is None:
                return None
            if step is None:
                elements += 1
                continue
            found, elements = self._struct(found, elements), 0
            if found is not None:
                found = self.definitions.get((found.root, (*found.path, step)))
        return found

    def _struct(self, definition: FieldDefinition, elements: int) -> FieldDefinition | None:
        """Return the definition that has the fields of `definition`, through custom types and `elements` wrappers."""
        found: FieldDefinition | None = definition
        for _ in range(len(self.type_names) + 1):
            if found is None or found.syntax is None:
                return found if elements == 0 else None
            expression = found.syntax.type
            while expression.element is not None and elements > 0:
                expression, elements = expression.element, elements - 1
            if expression.kind is not TypeKind.CUSTOM:
                return None
            found = self.definitions.get(("types", (expression.name,)))
        return None
