"""The CustomResourceDefinition that kro creates for the instances of an RGD (kro pkg/graph/crd).

Where SimpleSchema is in error, the schema for the check of expressions takes anything, so that one fault is reported
once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from kro_ls.golang.plural import plural
from kro_ls.kro.forms import DEFAULT_GROUP, DEFAULT_SCOPE

if TYPE_CHECKING:
    from kro_ls.analysis.simpleschema.results import SchemaResult
    from kro_ls.openapi.json_values import JsonValue


Json = dict[str, Any]

_STRING = {"type": "string"}

STATE_SCHEMA: Json = {"type": "string"}
"""The schema of `status.state`, which kro adds where the author has no such field."""

CONDITIONS_SCHEMA: Json = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "type": _STRING,
            "status": _STRING,
            "reason": _STRING,
            "message": _STRING,
            "lastTransitionTime": _STRING,
            "observedGeneration": {"type": "integer"},
        },
    },
}
"""The schema of `status.conditions`."""

_DEFAULT_PRINTER_COLUMNS: tuple[Json, ...] = (
    {
        "name": "State",
        "type": "string",
        "jsonPath": ".status.state",
        "description": "The state of a ResourceGraphDefinition instance",
    },
    {
        "name": "Ready",
        "type": "string",
        "jsonPath": '.status.conditions[?(@.type=="Ready")].status',
        "description": "Whether a ResourceGraphDefinition instance is ready",
    },
    {
        "name": "Age",
        "type": "date",
        "jsonPath": ".metadata.creationTimestamp",
        "description": "Age of the resource",
    },
)


def generate_crd(schema_section: Mapping[str, Any], spec_schema: Json, status_schema: Json | None = None) -> Json:
    """Return the CRD for the `spec.schema` section of an RGD, as JSON.

    `spec_schema` is what SimpleSchema builds, `status_schema` what the status expressions give; None stands for no
    status fields. Group and scope get the defaults that the API server would have set. Values of a wrong type are
    left out, so that half-written sections give a CRD as well. The schemas become part of the result, uncopied.
    """
    kind = _text(schema_section.get("kind"))
    group = _text(schema_section.get("group"), DEFAULT_GROUP)
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": _metadata(f"{plural(kind)}.{group}", schema_section.get("metadata")),
        "spec": {
            "group": group,
            "names": _names(kind, schema_section),
            "scope": "Cluster" if schema_section.get("scope") == "Cluster" else DEFAULT_SCOPE,
            "versions": [
                {
                    "name": _text(schema_section.get("apiVersion")),
                    "served": True,
                    "storage": True,
                    "schema": {"openAPIV3Schema": instance_schema(spec_schema, status_schema)},
                    "subresources": {"status": {}},
                    "additionalPrinterColumns": _printer_columns(schema_section.get("additionalPrinterColumns")),
                }
            ],
        },
    }


def instance_schema(spec_schema: Json, status_schema: Json | None = None) -> Json:
    """Return the OpenAPI schema of a whole instance; `spec` is not required, and the status has kro's own fields."""
    status = dict(status_schema or {"type": "object"})
    properties = dict(status.get("properties", {}))
    properties.setdefault("state", STATE_SCHEMA)
    properties.setdefault("conditions", CONDITIONS_SCHEMA)
    status["properties"] = properties
    return {
        "type": "object",
        "properties": {
            "apiVersion": _STRING,
            "kind": _STRING,
            "metadata": {"type": "object"},
            "spec": spec_schema,
            "status": status,
        },
    }


def _names(kind: str, schema_section: Mapping[str, Any]) -> Json:
    names: Json = {"kind": kind, "listKind": f"{kind}List", "plural": plural(kind), "singular": kind.lower()}
    for field in ("shortNames", "categories"):
        values = schema_section.get(field)
        if isinstance(values, Sequence) and not isinstance(values, str):
            texts = [value for value in values if isinstance(value, str)]
            if texts:
                names[field] = texts
    return names


def _metadata(name: str, section: object) -> Json:
    metadata: Json = {"name": name}
    if isinstance(section, Mapping):
        for field in ("labels", "annotations"):
            values = section.get(field)
            if isinstance(values, Mapping) and values:
                metadata[field] = dict(values)
    return metadata


def _printer_columns(section: object) -> list[Json]:
    """Return the author's columns with their valid and non-empty fields, or kro's own if there are none."""
    columns: list[Json] = []
    if isinstance(section, Sequence) and not isinstance(section, str):
        for column in section:
            if isinstance(column, Mapping):
                fields = {field: column.get(field) or "" for field in ("name", "type", "jsonPath")}
                fields |= {field: column[field] for field in ("description", "format", "priority") if column.get(field)}
                columns.append(fields)
    return columns or [dict(column) for column in _DEFAULT_PRINTER_COLUMNS]


def _text(value: object, default: str = "") -> str:
    return value if isinstance(value, str) else default


ANYTHING: Json = {"x-kubernetes-int-or-string": True}
"""A schema that kro reads as `dyn`. kro hides a field without a type from expressions."""


def checkable_schema(result: SchemaResult, anything: Json = ANYTHING) -> Json:
    """Return the schema of `spec` for checking expressions; a field with an error accepts anything."""
    return opened(result.recovered, anything) if result.errors else result.recovered


def opened(schema: Json, anything: Json) -> Json:
    """Return a schema with `anything` for the parts without a type. A part without any stays the same object."""
    return _Opening(anything).opened(schema)


def holds_broken_fields(schema: JsonValue, anything: Json = ANYTHING) -> bool:
    """Whether some part of a schema was in error and is `anything`. Shared parts are looked at once."""
    seen: set[int] = set()
    pending = [schema]
    while pending:
        schema = pending.pop()
        if not isinstance(schema, dict) or id(schema) in seen:
            continue
        if schema == anything:
            return True
        seen.add(id(schema))
        properties = schema.get("properties")
        pending.extend(properties.values() if isinstance(properties, dict) else ())
        pending.extend((schema.get("items"), schema.get("additionalProperties")))
    return False


class _Opening:
    """Parts that are shared are looked at once and stay shared, so the schema stays small."""

    def __init__(self, anything: Json) -> None:
        self._anything = anything
        self._done: dict[int, Json] = {}

    def opened(self, schema: Json) -> Json:
        found = self._done.get(id(schema))
        if found is None:
            found = self._done[id(schema)] = self._open(schema)
        return found

    def _open(self, schema: Json) -> Json:
        if "type" not in schema:
            return self._anything
        changed: Json = {}
        for name in ("items", "additionalProperties"):
            if isinstance(schema.get(name), dict) and (inner := self.opened(schema[name])) is not schema[name]:
                changed[name] = inner
        members = schema.get("properties") or {}
        opened = {name: self.opened(member) for name, member in members.items()}
        if any(opened[name] is not member for name, member in members.items()):
            changed["properties"] = opened
        return {**schema, **changed} if changed else schema
