"""The schema of CustomResourceDefinitions, whose schemas nest to any depth, and the keywords of these schemas.

The schema that Kubernetes publishes is cut where schemas nest, because it has no references, and so is kro's; but kro
reads no literal of such a template, and the API server does (k8s.io/apiextensions-apiserver,
pkg/apis/apiextensions/v1/types_jsonschema.go). Its keywords (`JSONSchemaProps`) have hardly any descriptions: what each
is for, its values, and where people write it, is a table here.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from kro_ls.openapi.json_values import HeldObject, as_object
from kro_ls.openapi.kind_schema import CRD
from kro_ls.openapi.sources.bundled import kubernetes
from kro_ls.openapi.validation.formats import CHECKS, NUMBER_FORMATS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.openapi.kind_schema import KindSchema


SCHEMA: Final = "openAPIV3Schema"

TYPES: Final = ("string", "object", "array", "integer", "boolean", "number")
"""The types that a schema can have, the most frequent first."""

JSON_TYPES: Final[Mapping[type, tuple[str, ...]]] = {
    str: ("string",),
    bool: ("boolean",),
    int: ("integer", "number"),
    float: ("number",),
    list: ("array",),
    dict: ("object",),
}
"""The types of a schema that a value fits, its own one first."""

INT_OR_STRING: Final = "x-kubernetes-int-or-string"
OPEN: Final = "x-kubernetes-preserve-unknown-fields"

LIST_TYPES: Final = ("atomic", "set", "map")
MAP_TYPES: Final = ("atomic", "granular")

UNSUPPORTED: Final = ("id", "$schema", "$ref", "patternProperties", "dependencies", "additionalItems", "definitions")
"""The keywords that Kubernetes knows and refuses."""

FORBIDDEN_IN_BRANCHES: Final = (
    *("type", "additionalProperties", "default", "title", "description", "nullable"),
    *("x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource", "x-kubernetes-int-or-string"),
    *("x-kubernetes-list-map-keys", "x-kubernetes-list-type", "x-kubernetes-map-type", "x-kubernetes-validations"),
)
"""The keywords that must not be in `allOf`, `anyOf`, `oneOf` and `not`, but around them."""

BRANCHES: Final = ("allOf", "anyOf", "oneOf")
"""The keywords that have a list of schemas."""

_ANYTHING: Final = ("description", "default", "nullable", "x-kubernetes-validations", "enum")
_SELDOM: Final = ("oneOf", "anyOf", "allOf", "not", "title", "example", "externalDocs")
_LIMITS: Final = ("minimum", "maximum", "default", "nullable", "x-kubernetes-validations", "multipleOf", "enum")
_EXCLUSIVE: Final = ("exclusiveMinimum", "exclusiveMaximum")

_USUAL: Final[Mapping[str, tuple[str, ...]]] = {
    "object": (
        *("properties", "description", "required", "additionalProperties", "x-kubernetes-map-type", "oneOf"),
        *("x-kubernetes-validations", "x-kubernetes-preserve-unknown-fields", "minProperties", "nullable"),
        *("maxProperties", "default", "x-kubernetes-embedded-resource", "anyOf", "allOf", "not"),
    ),
    "array": (
        *("items", "description", "x-kubernetes-list-type", "maxItems", "x-kubernetes-list-map-keys", "minItems"),
        *("x-kubernetes-validations", "nullable", "default"),
    ),
    "string": (
        *("description", "maxLength", "pattern", "minLength", "enum", "default", "format", "x-kubernetes-validations"),
        "nullable",
    ),
    "integer": ("format", "description", *_LIMITS, *_EXCLUSIVE),
    "number": ("description", "format", *_LIMITS, *_EXCLUSIVE),
    "boolean": ("description", "default", "nullable", "x-kubernetes-validations"),
    INT_OR_STRING: ("description", "anyOf", "pattern", *_ANYTHING, "minimum", "maximum"),
    OPEN: ("description", "nullable", "default", "x-kubernetes-validations"),
    "branch": ("required", "not", "anyOf", "properties", "enum", "oneOf", "allOf", "minimum", "maximum", "pattern"),
    "": (
        *("type", "description", "properties", "items", "required", "format", "x-kubernetes-list-type"),
        *("additionalProperties", "pattern", "maxLength", "minLength", "x-kubernetes-map-type", "enum", "default"),
    ),
}
"""The keywords that people write, by what kind of schema it is, the most frequent first."""

_IMPLIED: Final[Mapping[str, str]] = {
    **dict.fromkeys(("properties", "required", "additionalProperties", "minProperties", "maxProperties"), "object"),
    **dict.fromkeys(("items", "minItems", "maxItems", "x-kubernetes-list-type", "x-kubernetes-list-map-keys"), "array"),
    **dict.fromkeys(("pattern", "minLength", "maxLength"), "string"),
    **dict.fromkeys(("minimum", "maximum", "multipleOf"), "integer"),
    "x-kubernetes-map-type": "object",
}
"""The type that a keyword restricts."""


def implied_type(keywords: Mapping[str, object]) -> str:
    """Return the type that the keywords of a schema without a type imply; empty where they imply none."""
    return next((_IMPLIED[each] for each in keywords if each in _IMPLIED), "")


def usual_keywords(kind: str) -> tuple[str, ...]:
    """Return the usual keywords of a kind of schema, the most frequent first, then those that any can have.

    A kind is a type, a keyword in the place of one (`INT_OR_STRING`, `OPEN`), `branch` for a schema in `allOf`, `not`
    and so on, or empty for an unknown one.
    """
    return tuple(dict.fromkeys((*_USUAL.get(kind, _USUAL[""]), *(_ANYTHING if kind != "branch" else ()), *_SELDOM)))


def formats_of(type_name: str) -> tuple[str, ...]:
    """Return the formats that the API server knows for a type, the most frequent first; all where it is empty."""
    if type_name in NUMBER_FORMATS:
        return NUMBER_FORMATS[type_name]
    if type_name not in ("", "string"):
        return ()
    texts = tuple(dict.fromkeys((*_USUAL_FORMATS, *(each for each in CHECKS if each not in _WITHOUT_DASHES))))
    return texts if type_name else (*(each for names in NUMBER_FORMATS.values() for each in names), *texts)


_USUAL_FORMATS: Final = ("date-time", "byte", "cidr", "duration", "date", "hostname", "ipv4", "ipv6", "uri", "email")
_WITHOUT_DASHES: Final = frozenset({"datetime", "k8slongname", "k8sshortname"})


def _described(description: str, *enum: str | bool) -> JsonObject:
    return {"description": description, "enum": [*enum]} if enum else {"description": description}


KEYWORDS: Final[Mapping[str, JsonObject]] = {
    "type": _described("The JSON type of the value.", *TYPES),
    "description": _described("What the field is for; `kubectl explain` shows it."),
    "properties": _described("The fields of an object, each with the schema of its value."),
    "required": _described("The fields that the object must have."),
    "items": _described("The schema of each item of a list."),
    "additionalProperties": _described(
        "The schema of the values of a map, whose keys are free. An object has either this or `properties`."
    ),
    "enum": _described("The only values allowed."),
    "default": _described("The value that the API server fills in where there is none."),
    "format": _described("What a text or number has to look like, such as `date-time` or `int64`."),
    "pattern": _described("A regular expression (RE2) that the text must match somewhere; `^` and `$` bind it."),
    "nullable": _described("Whether `null` is a value of its own. Otherwise it counts as absent."),
    "title": _described("A short name of the field."),
    "example": _described("A value to show to people. Kubernetes makes no use of it."),
    "externalDocs": _described("Where more is written about the field."),
    "minimum": _described("The least number allowed."),
    "maximum": _described("The greatest number allowed."),
    "exclusiveMinimum": _described("Whether the number must be greater than `minimum`, not just equal to it."),
    "exclusiveMaximum": _described("Whether the number must be less than `maximum`, not just equal to it."),
    "multipleOf": _described("The number must be a multiple of this one."),
    "minLength": _described("The least number of characters."),
    "maxLength": _described("The greatest number of characters. It also makes rules in CEL cheaper."),
    "minItems": _described("The least number of items."),
    "maxItems": _described("The greatest number of items. It also makes rules in CEL cheaper."),
    "minProperties": _described("The least number of fields or keys."),
    "maxProperties": _described("The greatest number of fields or keys. It also makes rules in CEL cheaper."),
    "uniqueItems": _described("Kubernetes refuses `true`; use `x-kubernetes-list-type: set`."),
    "allOf": _described("Restrictions that must all hold. They add no fields and no types."),
    "anyOf": _described("Restrictions of which at least one must hold. They add no fields and no types."),
    "oneOf": _described("Restrictions of which exactly one must hold. They add no fields and no types."),
    "not": _described("A restriction that must not hold."),
    OPEN: _described("`true` keeps fields that the schema does not declare; otherwise they are dropped.", True),
    INT_OR_STRING: _described("`true` allows integers and strings, as for ports; the schema then has no `type`.", True),
    "x-kubernetes-embedded-resource": _described(
        "`true` makes the value an object of Kubernetes, with `apiVersion`, `kind` and `metadata`.", True
    ),
    "x-kubernetes-list-type": _described(
        "How lists are merged by server-side apply: `atomic` as a whole, `set` by value, `map` by the keys in "
        "`x-kubernetes-list-map-keys`.",
        *LIST_TYPES,
    ),
    "x-kubernetes-list-map-keys": _described("The fields of the items that tell them apart, for the list type `map`."),
    "x-kubernetes-map-type": _described(
        "How objects are merged by server-side apply: `granular` field by field, `atomic` as a whole.",
        *MAP_TYPES,
    ),
    "x-kubernetes-validations": _described("Rules in CEL that the value must keep; `self` is the value."),
}
"""The description and the values of each keyword."""


_WAY: Final = ("properties", "spec", "properties", "versions", "items", "properties", "schema", "properties")
_DESCRIPTION: Final = "A schema: what a value must be like."


def full_schema(kind: KindSchema) -> JsonObject:
    """Return the schema of a kind; that of CustomResourceDefinitions refers to itself, so it is endless."""
    return definition_schema(HeldObject(kind.schema)) if kind.name == CRD else kind.schema


@lru_cache(maxsize=8)  # one for each minor of Kubernetes in use
def definition_schema(published: HeldObject) -> JsonObject:
    """Return a published schema of CustomResourceDefinitions in which schemas nest to any depth."""
    return _with_nested(published.value, _WAY)


def newest_schema() -> JsonObject:
    """Return the schema of CustomResourceDefinitions in the newest bundled Kubernetes."""
    kind = kubernetes().find(CRD)
    return full_schema(kind) if kind else {}


def _with_nested(schema: JsonObject, way: tuple[str, ...]) -> JsonObject:
    if way:
        return {**schema, way[0]: _with_nested(as_object(schema.get(way[0])), way[1:])}
    return {**schema, SCHEMA: _nested(as_object(schema.get(SCHEMA)))}


def _nested(cut: JsonObject) -> JsonObject:
    """Return the schema of schemas, which refers to itself wherever the published one is cut."""
    known = as_object(cut.get("properties"))
    keywords: JsonObject = {}
    nested: JsonObject = {**cut, "description": _DESCRIPTION, "type": "object", "properties": keywords}
    map_of: JsonObject = {"type": "object", "additionalProperties": nested}
    list_of: JsonObject = {"type": "array", "items": nested}
    forms: dict[str, JsonObject] = {
        "properties": map_of,
        "items": nested,
        "not": nested,
        "additionalProperties": {"oneOf": [{"type": "object"}, {"type": "boolean"}], "properties": keywords},
        "default": {OPEN: True},
        "example": {OPEN: True},
        "enum": {"type": "array", "items": {OPEN: True}},
        **dict.fromkeys(BRANCHES, list_of),
    }
    for name in dict.fromkeys((*KEYWORDS, *known)):
        form: JsonValue = forms.get(name) or known.get(name)
        if isinstance(form, dict):
            keywords[name] = {**form, **KEYWORDS.get(name, {})}
    return nested
