"""Reads the definitions of a cluster, their instances, and what kro made for these."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from kro_ls.golang.plural import plural
from kro_ls.kro import labels
from kro_ls.kro.forms import API_VERSION, DEFAULT_GROUP, KIND
from kro_ls.openapi.json_values import as_object, as_text
from kro_ls.openapi.written_fields import LAST_APPLIED
from kro_ls.workspace.gathering.instance_objects import DEFINITIONS, path_of, resources_of
from kro_ls.workspace.gathering.part import UnusableError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.workspace.gathering.kubectl import Kubectl

_SERVER_FIELDS: Final = (
    "managedFields",
    "resourceVersion",
    "creationTimestamp",
    "selfLink",
    "generation",
    "finalizers",
)
_WRITTEN_LABELS: Final = (*labels.RESERVED_PREFIXES, "applyset.kubernetes.io/")
_WRITTEN_ANNOTATIONS: Final = ("internal.kro.run/", "applyset.kubernetes.io/", LAST_APPLIED)
"""The prefixes of labels and annotations that kro and kubectl write on instances and definitions."""


def live_definitions(kubectl: Kubectl) -> list[JsonObject]:
    """Return the definitions of a cluster, as they were written. Raises UnusableError."""
    return [_as_written({**each, "apiVersion": API_VERSION, "kind": KIND}) for each in kubectl.listed(DEFINITIONS)]


def live_instances(kubectl: Kubectl, definition: JsonObject) -> Iterator[tuple[JsonObject, JsonObject]]:
    """Yield the instances of a definition, without what kro and the API server wrote; none if it is not served.

    Each comes with the manifest that `kubectl apply` left in it, which is empty if another tool applied it. Child
    instances are left out. Raises UnusableError.
    """
    schema = as_object(as_object(definition.get("spec")).get("schema"))
    group, kind = as_text(schema.get("group")) or DEFAULT_GROUP, as_text(schema.get("kind"))
    api_version = f"{group}/{as_text(schema.get('apiVersion'))}"
    try:
        found = list(kubectl.listed(f"/apis/{api_version}/{plural(kind)}"))
    except UnusableError as error:
        if "NotFound" in str(error):  # kro has not accepted it
            return
        raise
    for each in found:
        if labels.INSTANCE_ID not in as_object(as_object(each.get("metadata")).get("labels")):
            yield _as_written({**each, "apiVersion": api_version, "kind": kind}), _last_applied(each)


def _last_applied(value: JsonObject) -> JsonObject:
    annotations = as_object(as_object(value.get("metadata")).get("annotations"))
    try:
        return as_object(json.loads(as_text(annotations.get(LAST_APPLIED)) or "{}"))
    except (ValueError, RecursionError):
        return {}


def live_objects(kubectl: Kubectl, definition: JsonObject, kinds: SchemaIndex) -> Iterator[JsonObject]:
    """Yield the objects that kro made from the templates of a definition; unreadable kinds are left out."""
    seen = set()
    for resource in resources_of(definition):
        template = as_object(resource.get("template"))
        path = path_of(template, kinds)
        if template and path not in seen:
            seen.add(path)
            named: JsonObject = {name: template.get(name) for name in ("apiVersion", "kind")}
            selector = f"labelSelector={quote(labels.INSTANCE_ID, safe='')}&"
            try:
                yield from ({**each, **named} for each in kubectl.listed(path, selector))
            except UnusableError:
                continue


class ExternalObjects:
    """The objects that definitions refer to by a literal name, each requested once."""

    def __init__(self, kubectl: Kubectl, kinds: SchemaIndex) -> None:
        self._kubectl = kubectl
        self._kinds = kinds
        self._found: dict[str, JsonObject | None] = {}

    def of(self, definition: JsonObject, namespace: str) -> Iterator[tuple[str, JsonObject | None]]:
        """Yield the ids of external references with their objects, None for a missing one.

        Those with expressions in their names, and those that cannot be read, are left out.
        """
        for resource in resources_of(definition):
            reference = as_object(resource.get("externalRef"))
            metadata = as_object(reference.get("metadata"))
            name, place = as_text(metadata.get("name")), as_text(metadata.get("namespace")) or namespace
            if not name or "${" in f"{name}{place}":
                continue
            path = path_of({**reference, "metadata": {"name": name, "namespace": place}}, self._kinds, named=True)
            try:
                if path not in self._found:
                    self._found[path] = self._kubectl.get(path)
            except UnusableError as error:
                if "NotFound" not in str(error):
                    continue
                self._found[path] = None
            yield as_text(resource.get("id")), self._found[path]


def _as_written(value: JsonObject) -> JsonObject:
    """Return an object without what the API server, kubectl and kro write on it, except its uid."""
    metadata = {name: each for name, each in as_object(value.get("metadata")).items() if name not in _SERVER_FIELDS}
    for part, prefixes in (("labels", _WRITTEN_LABELS), ("annotations", _WRITTEN_ANNOTATIONS)):
        kept = {name: each for name, each in as_object(metadata.get(part)).items() if not name.startswith(prefixes)}
        if kept:
            metadata[part] = kept
        else:
            metadata.pop(part, None)
    return {name: each for name, each in {**value, "metadata": metadata}.items() if name != "status"}
