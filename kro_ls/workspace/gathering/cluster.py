"""The kinds of a cluster: its CustomResourceDefinitions, or else those in `/openapi/v3`."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from msgspec import Struct

from kro_ls.openapi.json_values import as_list, as_object, as_text
from kro_ls.openapi.sources.bundled import kubernetes
from kro_ls.openapi.sources.crds.served_kinds import API_VERSION, KIND, served_versions
from kro_ls.openapi.sources.dump import DumpedKubernetes
from kro_ls.openapi.sources.pack.stripping import stripped_definition
from kro_ls.openapi.sources.provenance import Provenance
from kro_ls.openapi.sources.store import home_of
from kro_ls.workspace.gathering.kubectl import ForbiddenError
from kro_ls.workspace.gathering.part import Gathered, UnusableError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.kind_schema import KindSchema
    from kro_ls.workspace.gathering.kubectl import Kubectl

_CRDS: Final = f"/apis/{API_VERSION}/customresourcedefinitions"
_AT_ONCE: Final = 200
_DOCUMENT: Final = re.compile(r"apis/([^/]+)/([^/]+)")
_KRO: Final = "/apis/apps/v1/deployments?labelSelector=" + quote("app.kubernetes.io/name=kro", safe="")
_VERSION: Final = re.compile(r"v?(\d+\.\d+\.\d+\S*)")


class Group(Struct, frozen=True):
    """A group that is not Kubernetes' own, with the addresses of its OpenAPI documents by version.

    `digest` stays the same as long as none of the documents changes.
    """

    name: str
    documents: dict[str, str]
    digest: str


class Cluster:
    """A cluster as one context shows it."""

    def __init__(self, kubectl: Kubectl) -> None:
        """Raises UnusableError where the cluster does not answer."""
        self._kubectl = kubectl
        self.name = kubectl.context
        self.version = as_text(kubectl.get("/version").get("gitVersion")).removeprefix("v")
        self.groups = {group.name: group for group in _groups(as_object(kubectl.get("/openapi/v3").get("paths")))}

    def kro_version(self) -> str:
        """Return the version of kro that runs there, empty if there is none or it cannot be read."""
        try:
            deployments = self._kubectl.get(_KRO)
        except UnusableError:
            return ""
        for deployment in map(as_object, as_list(deployments.get("items"))):
            labels = as_object(as_object(deployment.get("metadata")).get("labels"))
            found = _VERSION.fullmatch(as_text(labels.get("app.kubernetes.io/version")))
            if found:
                return found[1]
        return ""

    def definitions(self) -> Iterator[Gathered]:
        """Yield the CustomResourceDefinitions. Raises UnusableError, ForbiddenError where they cannot be read."""
        for definition in self._kubectl.listed(_CRDS, at_once=_AT_ONCE):
            # The items of a list lack their kind.
            whole: JsonObject = {**definition, "apiVersion": API_VERSION, "kind": KIND}
            for name, _ in served_versions(whole):
                if home_of(name.group, name.kind):
                    yield self._gathered(whole, name.group)
                    break

    def every_definition(
        self,
        on_forbidden: Callable[[], None] = lambda: None,
        is_known: Callable[[Group], bool] = lambda _: False,
    ) -> Iterator[Gathered]:
        """Yield the definition of each custom kind: as written, or else as OpenAPI documents describe it.

        `on_forbidden` is called if definitions cannot be read. Documents of known groups are not requested. Raises
        UnusableError.
        """
        groups = dict(self.groups)
        try:
            for each in self.definitions():
                groups.pop(each.group, None)
                yield each
        except ForbiddenError:
            on_forbidden()
        for _, group in sorted(groups.items()):
            if not is_known(group):
                yield from self.described(group)

    def described(self, group: Group) -> Iterator[Gathered]:
        """Yield a group's kinds as its OpenAPI documents describe them. Raises UnusableError."""
        documents = [(address, json.dumps(self._kubectl.get(address))) for address in group.documents.values()]
        dumped = DumpedKubernetes(documents)
        found: dict[str, list[KindSchema]] = {}
        for name in dumped.names():
            kind = dumped.find(name)
            if kind is not None and name.group == group.name and home_of(name.group, name.kind):
                found.setdefault(name.kind, []).append(kind)
        for kinds in found.values():
            yield self._gathered(_definition(kinds), group.name)

    def _gathered(self, definition: JsonObject, group: str) -> Gathered:
        known = self.groups.get(group)
        return Gathered(stripped_definition(definition), self.origin(known.digest if known else ""))

    def origin(self, digest: str) -> Provenance:
        """Return the origin of the kinds of a group with a digest."""
        return Provenance(f"cluster {self.name}", digest=digest)


def _groups(paths: JsonObject) -> Iterator[Group]:
    """Yield the groups of the paths of `/openapi/v3`; the address of a document has its hash."""
    own = {name.group for name in kubernetes().names()}
    found: dict[str, dict[str, str]] = {}
    for path, described in paths.items():
        match = _DOCUMENT.fullmatch(path)
        address = as_text(as_object(described).get("serverRelativeURL"))
        if match and address and match[1] not in own:
            found.setdefault(match[1], {})[match[2]] = address
    for group, documents in found.items():
        digest = sha256("\n".join(sorted(documents.values())).encode()).hexdigest()
        yield Group(group, documents, f"openapi-v3:{digest}")


def _definition(kinds: list[KindSchema]) -> JsonObject:
    """Return a definition of a kind with the versions that a cluster publishes."""
    first = kinds[0]
    return {
        "apiVersion": API_VERSION,
        "kind": KIND,
        "metadata": {"name": f"{first.plural}.{first.name.group}"},
        "spec": {
            "group": first.name.group,
            "names": {"kind": first.name.kind, "plural": first.plural},
            "scope": "Namespaced" if first.namespaced else "Cluster",
            "versions": [
                {
                    "name": kind.name.version,
                    "served": True,
                    "storage": kind is first,
                    "subresources": {name: {} for name in kind.subresources},
                    "schema": {"openAPIV3Schema": _declared(kind.schema)},
                }
                for kind in kinds
            ],
        },
    }


def _declared(published: JsonObject) -> JsonObject:
    """Return a published schema without the additions of the API server."""
    properties = as_object(published.get("properties"))
    kept = {name: each for name, each in properties.items() if name not in ("apiVersion", "kind", "metadata")}
    declared = {name: each for name, each in published.items() if name != "x-kubernetes-group-version-kind"}
    return {**declared, "properties": {**kept, "metadata": {"type": "object"}}} if properties else declared
