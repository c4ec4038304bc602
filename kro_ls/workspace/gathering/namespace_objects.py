"""The objects of a namespace that people made; those of controllers and of the cluster itself are left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from msgspec import Struct

from kro_ls.kro import labels
from kro_ls.openapi.json_values import as_list, as_object, as_text
from kro_ls.workspace.gathering.kubectl import ForbiddenError
from kro_ls.workspace.gathering.part import UnusableError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.workspace.gathering.kubectl import Kubectl

_OF_CONTROLLERS: Final = frozenset({"Event", "Endpoints", "EndpointSlice", "Lease", "ControllerRevision", "PodMetrics"})
_OF_EACH_NAMESPACE: Final = frozenset(
    {("ConfigMap", "kube-root-ca.crt"), ("ServiceAccount", "default"), ("Service", "kubernetes")}
)


class NamespaceObjects(Struct, frozen=True):
    """The objects, the names of the Secrets, and the kinds that the user may not list."""

    objects: tuple[JsonObject, ...]
    secrets: tuple[str, ...]
    forbidden: tuple[str, ...]


def namespace_objects(kubectl: Kubectl, namespace: str, selector: str = "") -> NamespaceObjects:
    """Return the objects of all kinds that people made in a namespace, or those whose labels match a selector.

    Of Secrets only the names are returned. Raises UnusableError, also for a missing namespace.
    """
    kubectl.get(f"/api/v1/namespaces/{quote(namespace, safe='')}")
    found: list[JsonObject] = []
    secrets: list[str] = []
    forbidden: list[str] = []
    query = f"labelSelector={quote(selector, safe='')}&" if selector else ""
    for api_version, kind, plural in _kinds(kubectl):
        root = "/api" if "/" not in api_version else "/apis"
        path = f"{root}/{api_version}/namespaces/{quote(namespace, safe='')}/{plural}"
        try:
            values = [{**each, "apiVersion": api_version, "kind": kind} for each in kubectl.listed(path, query)]
        except ForbiddenError:
            forbidden.append(kind)
            continue
        for value in values:
            name = as_text(as_object(value.get("metadata")).get("name"))
            if _is_made(value, kind, name):
                continue
            if kind == "Secret":
                secrets.append(name)
            else:
                found.append(value)
    return NamespaceObjects(tuple(found), tuple(secrets), tuple(forbidden))


def _kinds(kubectl: Kubectl) -> Iterator[tuple[str, str, str]]:
    """Yield the API version, kind and plural of the kinds that can be listed in namespaces, each in one version."""
    groups = as_list(kubectl.get("/apis").get("groups"))
    preferred = [as_object(as_object(each).get("preferredVersion")).get("groupVersion") for each in groups]
    for api_version in ("v1", *map(as_text, preferred)):
        root = "/api" if "/" not in api_version else "/apis"
        try:
            resources = as_list(kubectl.get(f"{root}/{api_version}").get("resources"))
        except UnusableError:
            continue  # of an aggregated API server that does not answer
        for each in map(as_object, resources):
            kind, plural = as_text(each.get("kind")), as_text(each.get("name"))
            can_be_listed = "list" in as_list(each.get("verbs")) and "create" in as_list(each.get("verbs"))
            if each.get("namespaced") is True and can_be_listed and "/" not in plural and kind not in _OF_CONTROLLERS:
                yield api_version, kind, plural


def _is_made(value: JsonObject, kind: str, name: str) -> bool:
    """Whether a controller, kro, Helm or the cluster itself made an object."""
    metadata = as_object(value.get("metadata"))
    owners = map(as_object, as_list(metadata.get("ownerReferences")))
    return (
        any(each.get("controller") is True for each in owners)
        or labels.INSTANCE_ID in as_object(metadata.get("labels"))
        or (kind, name) in _OF_EACH_NAMESPACE
        or (
            kind == "Secret"
            and as_text(value.get("type")).startswith(("helm.sh/", "kubernetes.io/service-account-token"))
        )
    )
