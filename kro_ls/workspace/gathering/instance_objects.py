"""Reads the objects of a cluster that explain why an instance is stuck."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol
from urllib.parse import quote

from kro_ls.golang.plural import plural
from kro_ls.kro import labels
from kro_ls.kro.controller import AGGREGATION_LABEL
from kro_ls.kro.forms import API_VERSION, DEFAULT_GROUP, KIND
from kro_ls.openapi.json_values import as_list, as_object, as_text
from kro_ls.workspace.gathering.part import UnusableError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.json_values import JsonObject

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
