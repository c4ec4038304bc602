"""Reads the definitions of a cluster, their instances, what kro made for these, and what explains a stuck one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, Protocol
from urllib.parse import quote

from kro_ls.golang.plural import plural
from kro_ls.kro import labels
from kro_ls.kro.controller import AGGREGATION_LABEL
from kro_ls.kro.forms import API_VERSION, DEFAULT_GROUP, KIND
from kro_ls.openapi.json_values import as_list, as_object, as_text
from kro_ls.openapi.written_fields import LAST_APPLIED
from kro_ls.workspace.gathering.part import UnusableError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.workspace.gathering.kubectl import Kubectl


DEFINITIONS = f"/apis/{API_VERSION}/resourcegraphdefinitions"
"""The path of the API for the definitions."""
_MOST_DEPTH = 5


class Reader(Protocol):
    """What can read a cluster: the user's kubectl, or the official client."""

    def get(self, path: str) -> JsonObject:
        """Return the API server's answer to a request. Raises UnusableError."""


def objects_around(cluster: Reader, named: JsonObject, kinds: SchemaIndex) -> Iterator[JsonObject]:
    """Yield the named object as it is in the cluster, the definitions, what kro made, pods, events and roles.

    Raises UnusableError if the object cannot be read; others that cannot be read are left out.
    """
    subject = {**named, **cluster.get(path_of(named, kinds, named=True))}
    yield subject
    definitions = list(_listed(cluster, DEFINITIONS, API_VERSION, KIND))
    yield from definitions
    yield from _listed(
        cluster,
        f"/apis/rbac.authorization.k8s.io/v1/clusterroles?labelSelector={quote(f'{AGGREGATION_LABEL}=true', safe='')}",
        "rbac.authorization.k8s.io/v1",
        "ClusterRole",
    )
    namespaces: dict[str, None] = {}
    yield from _below(cluster, subject, definitions, kinds, namespaces, 0)
    for namespace in namespaces:
        place = f"/namespaces/{quote(namespace, safe='')}"
        yield from _listed(cluster, f"/apis/apps/v1{place}/replicasets", "apps/v1", "ReplicaSet")
        yield from _listed(cluster, f"/api/v1{place}/pods", "v1", "Pod")
        yield from _listed(cluster, f"/api/v1{place}/events", "v1", "Event")


def _below(
    cluster: Reader,
    instance: JsonObject,
    definitions: list[JsonObject],
    kinds: SchemaIndex,
    namespaces: dict[str, None],
    depth: int,
) -> Iterator[JsonObject]:
    """Yield what kro made for an instance, its external objects, and the same of its child instances."""
    definition = next((each for each in definitions if _declares(each, instance)), None)
    metadata = as_object(instance.get("metadata"))
    own = as_text(metadata.get("namespace"))
    namespaces.setdefault(own or "default")
    selector = quote(f"{labels.INSTANCE_ID}={as_text(metadata.get('uid'))}", safe="")
    seen = set()
    for resource in resources_of(definition or {}):
        template, reference = as_object(resource.get("template")), as_object(resource.get("externalRef"))
        value = template or reference
        kind = as_text(value.get("apiVersion")), as_text(value.get("kind"))
        if template and kind not in seen:
            seen.add(kind)
            for child in _listed(cluster, f"{path_of(value, kinds)}?labelSelector={selector}", *kind):
                yield child
                namespaces.setdefault(as_text(as_object(child.get("metadata")).get("namespace")) or "default")
                if depth < _MOST_DEPTH and any(_declares(each, child) for each in definitions):
                    yield from _below(cluster, child, definitions, kinds, namespaces, depth + 1)
        name = as_text(as_object(reference.get("metadata")).get("name"))
        if name and "${" not in name:
            place = as_text(as_object(reference.get("metadata")).get("namespace")) or own
            yield from _one(cluster, {**reference, "metadata": {"name": name, "namespace": place}}, kinds)


def resources_of(definition: JsonObject) -> Iterator[JsonObject]:
    """Return the resources of a definition."""
    return map(as_object, as_list(as_object(definition.get("spec")).get("resources")))


def _declares(definition: JsonObject, value: JsonObject) -> bool:
    schema = as_object(as_object(definition.get("spec")).get("schema"))
    group = as_text(schema.get("group")) or DEFAULT_GROUP
    api_version = as_text(value.get("apiVersion"))
    return (group, schema.get("kind")) == (api_version.rpartition("/")[0], value.get("kind"))


def path_of(value: JsonObject, kinds: SchemaIndex, *, named: bool = False) -> str:
    """Return the path in the API of the objects of a kind in all namespaces, or of the named one."""
    api_version, kind = as_text(value.get("apiVersion")), as_text(value.get("kind"))
    known = kinds.find_api_version(api_version, kind)
    resource = known.plural if known else plural(kind)
    start = f"/apis/{api_version}" if "/" in api_version else f"/api/{api_version}"
    if not named:
        return f"{start}/{resource}"
    metadata = as_object(value.get("metadata"))
    namespace, name = as_text(metadata.get("namespace")), as_text(metadata.get("name"))
    in_namespace = known.namespaced if known else bool(namespace)
    place = f"/namespaces/{quote(namespace or 'default', safe='')}" if in_namespace else ""
    return f"{start}{place}/{resource}/{quote(name, safe='')}"


def _one(cluster: Reader, value: JsonObject, kinds: SchemaIndex) -> Iterator[JsonObject]:
    try:
        yield cluster.get(path_of(value, kinds, named=True))
    except UnusableError:
        return


def _listed(cluster: Reader, path: str, api_version: str, kind: str) -> Iterator[JsonObject]:
    """Yield the objects of a list with their kind, which items lack; none if it cannot be read."""
    try:
        found = cluster.get(path)
    except UnusableError:
        return
    for item in map(as_object, as_list(found.get("items"))):
        yield {**item, "apiVersion": api_version, "kind": kind}


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
