"""Reads and applies the objects of a cluster through the official client; each request has a timeout."""

from __future__ import annotations

import json
import time
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote, urlencode

from msgspec import Struct

from kro_ls.deploying.deployment_error import DeploymentError, RefusedRequestError, UnreachableError, refused_request
from kro_ls.openapi.json_values import as_list, as_object, as_text
from kro_ls.runtime.passes.reasons import object_name
from kro_ls.workspace.gathering.kubernetes_client import connect
from kro_ls.workspace.gathering.part import UnusableError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.runtime.nodes.compiled import CompiledNode


REQUEST_SECONDS: Final = 30.0
_PAUSES: Final = (0.5, 1.0, 2.0)
_PAGE: Final = 500
_APPLY: Final = "application/apply-patch+yaml"


class ServedKind(Struct, frozen=True):
    """How the API server serves a kind."""

    plural: str
    namespaced: bool


class ClusterApi:
    """A cluster as one context shows it. Threads may share it."""

    def __init__(
        self, context: str = "", kubeconfig: Path | str | None = None, *, request_timeout: float = REQUEST_SECONDS
    ) -> None:
        """Raises DeploymentError if no configuration names a cluster."""
        try:
            connection = connect(context, kubeconfig)
        except UnusableError as error:
            raise DeploymentError(str(error)) from error
        from kubernetes.dynamic import DynamicClient

        self.context = connection.context
        self.namespace = connection.namespace
        self._seconds = request_timeout, request_timeout  # to connect and to read; older clients ignore a float
        # Its own discovery asks without a timeout, and writes files.
        self._client: Any = DynamicClient(connection.client, discoverer=lambda *_: None)  # type: ignore[no-untyped-call]
        self._kinds: dict[str, dict[str, ServedKind]] = {}

    def close(self) -> None:
        """Close the connections; a further request opens one again."""
        self._client.client.rest_client.pool_manager.clear()

    @cached_property
    def minor(self) -> str:
        """The version of Kubernetes, such as `1.36`; empty if it is not reported. Raises DeploymentError."""
        found = self.ask("GET", "/version", what="read the version of the cluster")
        return ".".join(as_text(found.get("gitVersion")).removeprefix("v").split(".")[:2])

    def get(self, path: str) -> JsonObject:
        """Return what the API server answers. Raises UnusableError, as the readers of the workspace expect."""
        try:
            return self.ask("GET", path, what=f"read {path}")
        except DeploymentError as error:
            reason = "NotFound" if isinstance(error, RefusedRequestError) and error.is_not_found else str(error)
            raise UnusableError(self.context, reason) from error

    def ask(
        self,
        method: str,
        path: str,
        body: JsonObject | None = None,
        query: Mapping[str, str] | None = None,
        *,
        what: str,
        content: str = "application/json",
    ) -> JsonObject:
        """Return the answer to a request; if the server is unreachable, it is repeated. Raises DeploymentError."""
        address = f"{path}{'&' if '?' in path else '?'}{urlencode(query)}" if query else path
        for pause in (*_PAUSES, None):
            try:
                return self._answer(method, address, body, what, content)
            except UnreachableError:
                if pause is None:
                    raise
                time.sleep(pause)
        raise AssertionError

    def _answer(self, method: str, address: str, body: JsonObject | None, what: str, content: str) -> JsonObject:
        from kubernetes.client.exceptions import ApiException
        from kubernetes.dynamic.exceptions import DynamicApiError
        from urllib3.exceptions import HTTPError

        try:
            answer = self._client.request(
                method, address, body, content_type=content, serialize=False, _request_timeout=self._seconds
            )
            return as_object(json.loads(answer.data))
        except (ApiException, DynamicApiError) as error:
            if not error.status:
                raise self._unreachable(what, str(error.reason)) from None
            raise refused_request(error.status, error.body, what) from None
        except (HTTPError, OSError) as error:
            raise self._unreachable(what, _plainly(error, self._seconds[0])) from None
        except ValueError:
            message = "the answer is no JSON; check the address in the kubeconfig"
            raise DeploymentError(f"cannot {what}: {message}") from None

    def _unreachable(self, what: str, reason: str) -> UnreachableError:
        host = self._client.configuration.host
        advice = f"check that the cluster of context {self.context!r} runs at {host}, and the network"
        return UnreachableError(f"cannot {what}: {reason}; {advice}")

    def kind(self, api_version: str, kind: str, *, anew: bool = False) -> ServedKind | None:
        """Return how a kind is served, None where it is not. Raises DeploymentError."""
        if anew or kind not in self._kinds.get(api_version, {}):
            try:
                found = self.ask("GET", _root(api_version), what=f"read which kinds {api_version} has")
            except RefusedRequestError as error:
                if not error.is_not_found:
                    raise
                found = {}
            self._kinds[api_version] = {
                as_text(each.get("kind")): ServedKind(as_text(each.get("name")), each.get("namespaced") is True)
                for each in map(as_object, as_list(found.get("resources")))
                if "/" not in as_text(each.get("name"))
            }
        return self._kinds[api_version].get(kind)

    def find(self, value: JsonObject) -> JsonObject | None:
        """Return an object as it is in the cluster, None where it is not. Raises DeploymentError."""
        try:
            return self.ask("GET", self._path(value), what=f"read {object_name(value)}")
        except RefusedRequestError as error:
            if error.is_not_found:
                return None
            raise

    def listed(self, api_version: str, kind: str, namespace: str = "", **query: str) -> Iterator[JsonObject]:
        """Yield the objects of a kind; `query` may have labelSelector and fieldSelector. Raises DeploymentError."""
        path = self._collection(api_version, kind, namespace)
        following: dict[str, str] = {}
        while True:
            asked = {**query, **following, "limit": str(_PAGE)}
            page = self.ask("GET", path, query=asked, what=f"list objects of kind {kind}")
            for each in map(as_object, as_list(page.get("items"))):
                yield {**each, "apiVersion": api_version, "kind": kind}
            token = as_text(as_object(page.get("metadata")).get("continue"))
            if not token:
                return
            following = {"continue": token}

    def apply(self, value: JsonObject, manager: str, *, force: bool = False, dry_run: bool = False) -> JsonObject:
        """Apply an object on the server's side, and return what it is then. Raises DeploymentError."""
        query = {"fieldManager": manager, "force": str(force).lower(), **({"dryRun": "All"} if dry_run else {})}
        return self.ask("PATCH", self._path(value), value, query, what=f"apply {object_name(value)}", content=_APPLY)

    def delete(self, value: JsonObject) -> bool:
        """Delete an object, and of one with a uid no other; whether it was there. Raises DeploymentError."""
        uid = as_object(value.get("metadata")).get("uid")
        body: JsonObject = {"kind": "DeleteOptions", "apiVersion": "v1", "propagationPolicy": "Background"}
        if uid:
            body["preconditions"] = {"uid": uid}
        try:
            self.ask("DELETE", self._path(value), body, what=f"delete {object_name(value)}")
        except RefusedRequestError as error:
            if error.is_not_found:
                return False
            raise
        return True

    def _path(self, value: JsonObject) -> str:
        metadata = as_object(value.get("metadata"))
        if not metadata.get("name"):
            raise DeploymentError(f"an object of kind {value.get('kind')} has no name; write metadata.name")
        api_version, kind = as_text(value.get("apiVersion")), as_text(value.get("kind"))
        collection = self._collection(api_version, kind, as_text(metadata.get("namespace")) or self.namespace)
        return f"{collection}/{quote(as_text(metadata.get('name')), safe='')}"

    def _collection(self, api_version: str, kind: str, namespace: str) -> str:
        served = self.kind(api_version, kind)
        if served is None:
            text = f"the cluster of context {self.context!r} has no kind {kind} in {api_version}"
            raise RefusedRequestError(f"{text}; install its CustomResourceDefinition, or mend the name", 404, text)
        place = f"/namespaces/{quote(namespace, safe='')}" if served.namespaced and namespace else ""
        return f"{_root(api_version)}{place}/{served.plural}"


def _root(api_version: str) -> str:
    return f"/apis/{api_version}" if "/" in api_version else f"/api/{api_version}"


def _plainly(error: Exception, seconds: float) -> str:
    text = str(error)
    if "timed out" in text:
        return f"no answer within {seconds:g} seconds"
    if "refused" in text:
        return "the connection is refused"
    if "resolve" in text or "Name or service" in text:
        return "the name of its host is not known"
    return text.rpartition(": ")[2] or type(error).__name__


_FORMS = {"In": "{} in ({})", "NotIn": "{} notin ({})", "Exists": "{}", "DoesNotExist": "!{}"}


def external_objects(api: ClusterApi, node: CompiledNode, reference: JsonObject) -> list[JsonObject] | None:
    """Return the objects of an external reference; None if a named object is missing. Raises DeploymentError."""
    if not node.is_list:
        found = api.find(reference)
        return None if found is None else [found]
    metadata = as_object(reference.get("metadata"))
    selector = _selector(as_object(metadata.get("selector")))
    query = {"labelSelector": selector} if selector else {}
    named = as_text(reference.get("apiVersion")), as_text(reference.get("kind"))
    return list(api.listed(*named, as_text(metadata.get("namespace")), **query))


def _selector(selector: JsonObject) -> str:
    """Return a label selector as a query has it."""
    parts = [f"{name}={value}" for name, value in as_object(selector.get("matchLabels")).items()]
    for each in map(as_object, as_list(selector.get("matchExpressions"))):
        operator, values = as_text(each.get("operator")), map(as_text, as_list(each.get("values")))
        if operator not in _FORMS:
            raise DeploymentError(f"a selector has no operator {operator!r}; write {', '.join(_FORMS)}")
        parts.append(_FORMS[operator].format(each.get("key"), ",".join(values)))
    return ",".join(parts)
