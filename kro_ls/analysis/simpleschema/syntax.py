"""What one field's text `TYPE | MARKERS` says, as values. Every position is a 0-based code point offset into it."""

from enum import StrEnum

from msgspec import Struct

from kro_ls.kro.versions.version import ALL, Versions
from kro_ls.yaml_positions.positions import Span


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
    element: "TypeExpression | None" = None

    @property
    def innermost(self) -> "TypeExpression":
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
