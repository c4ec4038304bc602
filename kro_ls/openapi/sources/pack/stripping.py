"""Strips a CustomResourceDefinition down to what types, completion, checks and previews use.

Of each description the first sentence stays. This module uses only the standard library, as `container` does.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kro_ls.openapi.json_values import as_list, as_object

if TYPE_CHECKING:
    from collections.abc import Callable

    from kro_ls.openapi.json_values import JsonObject, JsonValue

_DROPPED = frozenset({"example", "externalDocs", "id", "title", "$schema"})
_ONE_SCHEMA = ("items", "additionalProperties", "not")
_SCHEMAS = ("allOf", "anyOf", "oneOf")
_SENTENCE = re.compile(r"(?:[^.]|\.(?!\s))*\.(?=\s|$)")
_ABBREVIATION = re.compile(r"(?:\b[A-Z]|\be\.g|\bi\.e|\betc|\bvs)\.$")
_VERSION_FIELDS = ("name", "served", "storage", "deprecated", "deprecationWarning", "subresources")
_NAME_FIELDS = ("kind", "plural", "singular", "shortNames")


def stripped_definition(definition: JsonObject) -> JsonObject:
    """Return a definition (`apiextensions.k8s.io/v1`) without what kro-ls does not use."""
    spec = as_object(definition.get("spec"))
    names = as_object(spec.get("names"))
    return {
        "apiVersion": definition.get("apiVersion"),
        "kind": definition.get("kind"),
        "metadata": {"name": as_object(definition.get("metadata")).get("name")},
        "spec": {
            "group": spec.get("group"),
            "names": {name: names[name] for name in _NAME_FIELDS if name in names},
            "scope": spec.get("scope"),
            "versions": [_stripped_version(as_object(version)) for version in as_list(spec.get("versions"))],
        },
    }


def _stripped_version(version: JsonObject) -> JsonObject:
    stripped: JsonObject = {
        name: version[name] for name in _VERSION_FIELDS if version.get(name) not in (None, False, {})
    }
    stripped["served"] = version.get("served") is True
    columns: list[JsonValue] = [
        {name: value for name, value in as_object(column).items() if name in ("name", "type", "jsonPath")}
        for column in as_list(version.get("additionalPrinterColumns"))
    ]
    if columns:
        stripped["additionalPrinterColumns"] = columns
    schema = as_object(version.get("schema")).get("openAPIV3Schema")
    if isinstance(schema, dict):
        stripped["schema"] = {"openAPIV3Schema": stripped_schema(schema)}
    return stripped


def stripped_schema(schema: JsonObject) -> JsonObject:
    """Return a schema with the first sentences of its descriptions, and without examples and titles."""
    stripped = {keyword: value for keyword, value in schema.items() if keyword not in _DROPPED}
    description = stripped.get("description")
    if isinstance(description, str):
        stripped["description"] = first_sentence(description)
    return map_schemas(stripped, stripped_schema)


def map_schemas(schema: JsonObject, change: Callable[[JsonObject], JsonObject]) -> JsonObject:
    """Return a copy of a schema in which `change` is applied to each schema directly in it."""

    def changed(child: JsonValue) -> JsonValue:
        return change(child) if isinstance(child, dict) else child

    result = dict(schema)
    for keyword, value in schema.items():
        if keyword == "properties" and isinstance(value, dict):
            result[keyword] = {name: changed(child) for name, child in value.items()}
        elif keyword in _ONE_SCHEMA:
            result[keyword] = changed(value)
        elif keyword in _SCHEMAS and isinstance(value, list):
            result[keyword] = [changed(child) for child in value]
    return result


def schemas_in(schema: JsonObject) -> list[JsonObject]:
    """Return the schemas directly in a schema."""
    found: list[JsonObject] = []

    def take(child: JsonObject) -> JsonObject:
        found.append(child)
        return child

    map_schemas(schema, take)
    return found


def first_sentence(text: str) -> str:
    """Return the first sentence of a text, on one line."""
    words = " ".join(text.split())
    end = 0
    while found := _SENTENCE.match(words, end):
        end = found.end()
        if not _ABBREVIATION.search(words[:end]):
            return words[:end]
    return words
