"""The shape of a ResourceGraphDefinition's own fields, made once from its schema in the form that the rules need."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kro_ls.kro.rgd_schema import RGD_SCHEMA
from kro_ls.openapi.json_values import as_object, as_text, as_texts

if TYPE_CHECKING:
    from kro_ls.openapi.json_values import JsonObject, JsonValue


@dataclass(frozen=True, slots=True)
class Shape:
    """What the API server asks of one field; a limit that is None is not set.

    `properties` are the known fields of an object. An `open` object takes any field unchecked, and `values` is the
    shape of the values of an object whose keys are free. `required` leaves out what has a default.
    """

    type: str
    description: str = ""
    properties: dict[str, Shape] = field(default_factory=dict)
    required: tuple[str, ...] = ()
    open: bool = False
    values: Shape | None = None
    items: Shape | None = None
    unique: bool = False
    enum: tuple[str, ...] = ()
    pattern: re.Pattern[str] | None = None
    shortest: int | None = None
    longest: int | None = None
    fewest: int | None = None
    most: int | None = None


def _shape(schema: JsonObject) -> Shape:
    properties = as_object(schema.get("properties"))
    defaulted = {name for name, each in properties.items() if "default" in as_object(each)}
    pattern = as_text(schema.get("pattern"))
    return Shape(
        type=as_text(schema.get("type")),
        description=as_text(schema.get("description")),
        properties={name: _shape(as_object(each)) for name, each in properties.items()},
        required=tuple(name for name in as_texts(schema.get("required")) if name not in defaulted),
        open=schema.get("x-kubernetes-preserve-unknown-fields") is True,
        values=_optional_shape(schema.get("additionalProperties")),
        items=_optional_shape(schema.get("items")),
        unique=schema.get("x-kubernetes-list-type") == "set",
        enum=as_texts(schema.get("enum")),
        pattern=re.compile(pattern, re.ASCII) if pattern else None,
        shortest=_integer(schema, "minLength"),
        longest=_integer(schema, "maxLength"),
        fewest=_integer(schema, "minProperties"),
        most=_integer(schema, "maxProperties", "maxItems"),
    )


def _optional_shape(schema: JsonValue) -> Shape | None:
    return _shape(schema) if isinstance(schema, dict) else None


def _integer(schema: JsonObject, *names: str) -> int | None:
    return next((value for name in names if isinstance(value := schema.get(name), int)), None)


_STRING_MAP = Shape("object", values=Shape("string"))
_OPEN_LIST = Shape("array", items=Shape("object", open=True))

METADATA = Shape(
    "object",
    properties={
        "annotations": _STRING_MAP,
        "creationTimestamp": Shape("string"),
        "deletionGracePeriodSeconds": Shape("integer"),
        "deletionTimestamp": Shape("string"),
        "finalizers": Shape("array", items=Shape("string")),
        "generateName": Shape("string"),
        "generation": Shape("integer"),
        "labels": _STRING_MAP,
        "managedFields": _OPEN_LIST,
        "name": Shape("string"),
        "namespace": Shape("string"),
        "ownerReferences": _OPEN_LIST,
        "resourceVersion": Shape("string"),
        "selfLink": Shape("string"),
        "uid": Shape("string"),
    },
)
"""The metadata of the RGD itself, as Kubernetes' ObjectMeta has it."""

RGD = _shape(RGD_SCHEMA)
SPEC = RGD.properties["spec"]
SCHEMA = SPEC.properties["schema"]
RESOURCES = SPEC.properties["resources"]
RESOURCE = RESOURCES.items or Shape("object")
REFERENCE_METADATA = RESOURCE.properties["externalRef"].properties["metadata"]

RESOURCE_FIELDS = frozenset(RESOURCE.properties)
REFERENCE_METADATA_FIELDS = frozenset(REFERENCE_METADATA.properties)
