"""What each version of kro added, and what it began to refuse.

Source: kro's sources at its tags; `tests/oracle` runs the versions themselves.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from kro_ls.kro.places import Place
from kro_ls.kro.versions.version import BEFORE_0_9_4, Versions, parse_version, since

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kro_ls.kro.versions.version import Version


def _by_name(lists: Mapping[str, str]) -> Mapping[str, Version]:
    firsts = ((parse_version(first), names) for first, names in lists.items())
    return MappingProxyType({name: first for first, names in firsts for name in names.split()})


SCHEMA_FIELDS: Final = _by_name({"0.8.0": "metadata", "0.9.0": "scope", "0.9.4.dev": "shortNames categories"})
"""Fields of `spec.schema`, by name, with the version that brought them; the others were always there."""

REMOVED_SCHEMA_FIELDS: Final = _by_name({"0.7.0": "validation"})
"""Former fields of `spec.schema`, with the version that removed them."""

FORMER_NAMES: Final = MappingProxyType(
    {
        "definition": "template",
        "readyOn": "readyWhen",
        "conditional": "includeWhen",
        "conditions": "includeWhen",
    }
)
"""The names of a resource's fields in a ResourceGroup, the former kind of definition, with their current names."""

FORMER_KIND: Final = "ResourceGroup"

RESOURCE_FIELDS: Final = _by_name({"0.8.0": "forEach"})
"""The same of an entry of `spec.resources`."""

REFERENCE_FIELDS: Final = _by_name({"0.9.0": "selector"})
"""The same of `externalRef.metadata`."""


def first_with_field(path: Sequence[str | int]) -> Version | None:
    """Return the version that brought the field at a path of a definition, None for one that was always there."""
    match tuple(path):
        case ("spec", "schema", str(name)):
            return SCHEMA_FIELDS.get(name)
        case ("spec", "resources", _, str(name)):
            return RESOURCE_FIELDS.get(name)
        case ("spec", "resources", _, "externalRef", "metadata", str(name)):
            return REFERENCE_FIELDS.get(name)
    return None


MARKERS: Final = _by_name({"0.9.2": "listType listMapKey"})
"""Markers of SimpleSchema."""

TYPES: Final = _by_name({"0.9.2": "float"})
"""Types of SimpleSchema. Before 0.9.2 `float` was made an OpenAPI type that the API server refuses."""

FUNCTIONS: Final = _by_name(
    {
        "0.7.1": "find findAll isURL url",
        "0.8.0": "lists.range",
        "0.9.0": """
            strings.quote optional.of optional.ofNonZeroValue optional.none optional.unwrap isSorted sum max min
            quantity isQuantity random.seededInt merge json.marshal json.unmarshal lists.setAtIndex lists.insertAtIndex
            lists.removeAtIndex omit existsOne transformList transformMap transformMapEntry cel.bind sortBy optMap
            optFlatMap
        """,
        "0.9.1": "hash.fnv64a hash.sha256 hash.md5",
        "0.9.2": "ip isIP ip.isCanonical cidr isCIDR semver isSemver",
        "0.9.3": "runtime.newCondition runtime.condition",
        "0.9.4.dev": "json.encode deepMerge",
    }
)
"""Functions and macros of expressions, as they are called: `hash.md5`, or `transformList` for a method.

Methods of a new type are left out: the function that makes a value of the type says it.
"""

FORMERLY_REFUSED: Final = frozenset(
    """
    lists.range strings.quote optional.of optional.ofNonZeroValue optional.none optional.unwrap sortBy optMap optFlatMap
    """.split()
)
"""Those that CEL already had, but whose names, or those of their variables, kro took for resources."""

REFUSED_BY_0_7_1: Final = frozenset({"random.seededString", "base64.decode", "base64.encode"})
"""Functions that always existed, but that one version took for fields of a resource."""
ONLY_0_7_1: Final = (parse_version("0.7.1"), parse_version("0.8.0"))
"""That version and the next one."""

OVERLOADS: Final = _by_name({"0.9.0": "list_a_index_of_int list_a_last_index_of_int"})
"""New overloads of functions that always existed, by cel-go's identifier."""

TWO_VARIABLE_MACROS: Final = parse_version("0.9.0")
"""`all`, `exists` and others with a variable for the index or key and one for the value."""

SAME_VARIABLE_IN_MACROS: Final = parse_version("0.9.0")
"""A macro inside another may have a variable of the same name, as in `list.filter(x, ...).map(x, ...)`."""

LATER_RESERVED_WORDS: Final = _by_name({"0.8.0": "each", "0.10.0": "graphengine"})
"""Names that became reserved for resources and iterators; the others are in `kro.identifiers`."""

EACH_RESERVED: Final = LATER_RESERVED_WORDS["each"]
EACH_FREE: Final = "each is free"
"""The feature of an analysis in which a resource may be called `each`."""

TYPES_HIDDEN: Final = parse_version("0.9.0")
"""A resource named like a CEL type hides the type; before, no expression beside it could be checked."""

CONDITIONS_SEE_RESOURCES: Final = parse_version("0.8.5")
"""Conditions are checked with all resources in scope; before, `readyWhen` saw one and `includeWhen` none."""
QUOTED_FIELDS: Final = BEFORE_0_9_4
"""A field in backticks, as in ``config.data.`a.b` ``, is CEL."""

SELECTOR_EXPRESSIONS: Final = parse_version("0.9.4")
"""The selector of an external reference, and the parts of one, may be an expression each."""
INSPECTED_PLACES: Final = MappingProxyType(
    {Place.READY_WHEN: parse_version("0.8.0"), Place.INCLUDE_WHEN: parse_version("0.8.5")}
)
"""Places where kro began to refuse unknown names; before, it checked only types."""
STATUS_PARTS_INSPECTED: Final = parse_version("0.8.0")
"""The same of the second and further `${...}` in a text of the status."""
LITERALS_INSPECTED: Final = parse_version("0.7.0")
"""The same for elements of a list, a map or a struct."""
INCLUDE_WHEN_RESOURCES: Final = parse_version("0.9.0")
"""`includeWhen` may name other resources."""
STATUS_SCHEMA: Final = parse_version("0.9.3")
"""Expressions of the status may name `schema`."""
CONDITIONS: Final = parse_version("0.9.3")
"""`status.conditions` is a list of conditions of the author's own; before, a status field like any other."""
PARTS_JOINED: Final = parse_version("0.9.0")
"""The expressions in a text are joined into one; before, each was checked and evaluated separately."""
SEPARATE_PARTS: Final = "separate parts"
"""The feature of an analysis in which each is an expression of its own."""
PLAIN_CONDITIONS: Final = "plain conditions"
"""The feature of an analysis in which it is a status field like any other."""
REFERENCE_NAMESPACE_OPTIONAL: Final = parse_version("0.7.0")
"""An external reference without a namespace means that of the instance."""
INSTANCE_NAMESPACE_READABLE: Final = parse_version("0.6.1")
"""`schema.metadata.namespace`; in 0.6.0 a field whose name is a word of CEL could not be selected."""
OBJECT_ELEMENTS: Final = parse_version("0.8.0")
"""`[]object` and `map[string]object`."""
FREE_TYPE_TEXTS: Final = parse_version("0.8.5")
"""White space in a type, as in `[] string`, and names of types that begin with `map`."""
NESTED_TYPES: Final = parse_version("0.8.0")
"""Custom types may name custom types."""
EXPRESSIONS_IN_CRDS: Final = parse_version("0.7.0")
"""A CustomResourceDefinition may hold expressions, in its metadata."""
TEXTS_IN_CRDS: Final = parse_version("0.8.0")
"""There may be text around them."""

GRAPHS: Final = since("0.10.0")
"""The kind Graph."""
SINGLE_QUOTES_SEEN: Final = parse_version("0.10.0")
"""The scan for the end of an expression takes single quotes for quotes, too."""
SINGLE_QUOTES: Final = "single quotes"
"""The feature of an analysis in which it does."""

EMPTY_GROUP_KEPT: Final = since("0.7.1")
"""`group: ""` is taken literally; before, it stood for kro's own group."""
SELECTORS_CHECKED: Final = since("0.9.4")
PLAIN_STATUS_REFUSED: Final = since("0.8.5")
KRO_LABELS_REFUSED: Final = since("0.8.5")
MAP_VALUES_CHECKED: Final = since("0.8.5")
"""The type of an expression is compared with that of a map's values; before, it could be any in and below a map."""
DOTTED_FIELDS_CHECKED: Final = since("0.8.5")
"""The same for a field whose name has a dot, and for fields below it."""
PATTERNS_COMPILED: Final = since("0.8.5")
"""Expressions are planned, which compiles literal patterns; before, patterns were compiled during evaluation."""
INTERNAL_LABELS_REFUSED: Final = Versions(since=BEFORE_0_9_4)
"""Labels with the prefix `internal.kro.run/`, and annotations with either prefix."""
EMPTY_REFERENCE_REFUSED: Final = since("0.9.0")
"""An empty name of an external reference."""
NAMESPACE_OF_CLUSTER_SCOPED_REFUSED: Final = since("0.8.0")
TYPE_NESTING_LIMITED: Final = since("0.8.5")
"""The most `[]` and `map[string]` around a type."""
DIMENSIONS_LIMITED: Final = since("0.9.0")
MARKER_WITHOUT_VALUE_REFUSED: Final = since("0.9.0")
ONLY_PART_OF_STATUS_CHECKED: Final = since("0.8.0")
"""The one expression in a text of the status gives text; before, it gave anything, as if it stood alone."""
UNTERMINATED_REFUSED: Final = since("0.10.0")
"""A `${` that is never closed; before, it was text."""
