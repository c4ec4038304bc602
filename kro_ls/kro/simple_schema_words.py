"""The markers and type names of SimpleSchema as data: their meaning, values and places.

Source of the rules: kro pkg/simpleschema/markers.go and pkg/simpleschema/types.
"""

from enum import StrEnum
from types import MappingProxyType

from msgspec import Struct


class ValueKind(StrEnum):
    """The type of a marker's value."""

    BOOLEAN = "boolean"
    INTEGER = "integer"
    NUMBER = "number"
    TEXT = "text"
    LIST = "comma-separated list"
    REGULAR_EXPRESSION = "RE2 regular expression"
    CEL = "CEL expression"
    LIST_TYPE = "atomic, set or map"
    DEFAULT = "value of the field's type"


class MarkerDefinition(Struct, frozen=True):
    """A marker: `applies_to` holds the OpenAPI types it may stand on (empty: any), `values` the fixed choices."""

    name: str
    value_kind: ValueKind
    documentation: str
    example: str
    applies_to: frozenset[str] = frozenset()
    values: tuple[str, ...] = ()
    repeatable: bool = False


_STRING = frozenset({"string"})
_ARRAY = frozenset({"array"})
_BOOLEANS = ("true", "false")

_DEFINITIONS = (
    MarkerDefinition(
        "required",
        ValueKind.BOOLEAN,
        "The instance must set this field. An object with a required field gets no automatic default `{}`.",
        "string | required=true",
        values=_BOOLEANS,
    ),
    MarkerDefinition(
        "default",
        ValueKind.DEFAULT,
        "The value the API server fills in when the instance leaves the field out. "
        "Lists, maps and objects take JSON; text with spaces needs double quotes.",
        'integer | default=3, string | default="two words", []string | default=["a","b"]',
    ),
    MarkerDefinition(
        "description",
        ValueKind.TEXT,
        "Documentation of the field, shown by `kubectl explain`. Text with spaces needs double quotes.",
        'string | description="Name of the team"',
    ),
    MarkerDefinition("minimum", ValueKind.NUMBER, "The smallest number allowed.", "integer | minimum=1"),
    MarkerDefinition("maximum", ValueKind.NUMBER, "The largest number allowed.", "integer | maximum=100"),
    MarkerDefinition(
        "validation",
        ValueKind.CEL,
        "A CEL rule that the API server evaluates on every write; `self` is the field's value. "
        "May be given several times, then all rules must hold.",
        "string | validation=\"self.startsWith('team-')\"",
        repeatable=True,
    ),
    MarkerDefinition(
        "immutable",
        ValueKind.BOOLEAN,
        "The field cannot be changed after the instance is created (the CEL rule `self == oldSelf`).",
        "string | immutable=true",
        values=_BOOLEANS,
    ),
    MarkerDefinition(
        "enum",
        ValueKind.LIST,
        "The only values allowed, separated by commas. Put the list in double quotes if it holds spaces.",
        'string | enum="dev,staging,prod"',
        applies_to=frozenset({"string", "integer"}),
    ),
    MarkerDefinition(
        "pattern",
        ValueKind.REGULAR_EXPRESSION,
        "An RE2 regular expression the text must match: no look-around, no back-references. "
        "Put it in double quotes: brackets, braces and spaces count otherwise.",
        'string | pattern="^[a-z]+$"',
        applies_to=_STRING,
    ),
    MarkerDefinition(
        "minLength", ValueKind.INTEGER, "The least number of characters.", "string | minLength=3", applies_to=_STRING
    ),
    MarkerDefinition(
        "maxLength", ValueKind.INTEGER, "The largest number of characters.", "string | maxLength=63", applies_to=_STRING
    ),
    MarkerDefinition(
        "uniqueItems",
        ValueKind.BOOLEAN,
        "The items of the list must differ. Sets `x-kubernetes-list-type: set`.",
        "[]string | uniqueItems=true",
        applies_to=_ARRAY,
        values=_BOOLEANS,
    ),
    MarkerDefinition(
        "minItems", ValueKind.INTEGER, "The least number of items.", "[]string | minItems=1", applies_to=_ARRAY
    ),
    MarkerDefinition(
        "maxItems", ValueKind.INTEGER, "The largest number of items.", "[]string | maxItems=5", applies_to=_ARRAY
    ),
    MarkerDefinition(
        "listType",
        ValueKind.LIST_TYPE,
        "How server-side apply merges the list: `atomic` replaces it as a whole, `set` keeps distinct items, "
        "`map` matches items by the fields named with `listMapKey`.",
        "[]Port | listType=map listMapKey=name",
        applies_to=_ARRAY,
        values=("atomic", "set", "map"),
    ),
    MarkerDefinition(
        "listMapKey",
        ValueKind.TEXT,
        "A field that identifies an item of a list with `listType=map`. May be given several times.",
        "[]Port | listType=map listMapKey=name",
        applies_to=_ARRAY,
        repeatable=True,
    ),
)

MARKERS = MappingProxyType({definition.name: definition for definition in _DEFINITIONS})
"""Every marker that kro knows, by name, in the order in which they are best offered."""

TYPES = MappingProxyType(
    {
        "string": "Text.",
        "integer": "A whole number of at most 64 bits.",
        "boolean": "`true` or `false`.",
        "float": "A number with a fraction; `type: number` in OpenAPI, `double` in CEL.",
        "object": "Any object: its fields are kept and not checked.",
        "[]": "A list: `[]string`, `[]Port`.",
        "map[string]": "An object with free keys and values of one type: `map[string]integer`.",
    },
)
"""The built-in type names, and the two prefixes, with their documentation."""

OPENAPI_TYPES = MappingProxyType({"string": "string", "integer": "integer", "boolean": "boolean", "float": "number"})
"""The OpenAPI type of every atomic type name."""
