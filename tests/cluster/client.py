"""A small client of an API server: objects as mappings, and refusals as exceptions."""

from __future__ import annotations

import json
import ssl
import threading
from collections.abc import Mapping
from http.client import HTTPException, HTTPSConnection
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import urlencode

from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.text import Text

Object: TypeAlias = dict[str, Any]

JSON = "application/json"
APPLY = "application/apply-patch+yaml"
MERGE = "application/merge-patch+json"


class RefusedError(Exception):
    """The API server refused a request."""

    def __init__(self, code: int, status: Object) -> None:
        super().__init__(f"{code} {status.get('reason')}: {status.get('message')}")
        self.code = code
        self.reason: str = status.get("reason") or ""
        self.message: str = status.get("message") or ""


class Client:
    """A client with the rights of one user. Threads may share it: each has its own connection."""

    def __init__(self, port: int, token: str, authority: Path) -> None:
        self._port = port
        self._headers = {"Authorization": f"Bearer {token}", "Accept": JSON}
        self._tls = ssl.create_default_context(cafile=str(authority))
        self._own = threading.local()
        self._connections: list[HTTPSConnection] = []
        self._kinds: dict[str, dict[str, Object]] = {}

    def call(
        self, method: str, path: str, body: Any = None, query: Mapping[str, str] | None = None, content: str = JSON
    ) -> Any:
        """Return the answer to a request. Raises RefusedError."""
        address = f"{path}?{urlencode(query)}" if query else path
        data = None if body is None else json.dumps(body).encode()
        code, text = self._answer(method, address, data, content)
        value = json.loads(text) if text.startswith(b"{") else {"message": text.decode(errors="replace")}
        if code >= 400:
            raise RefusedError(code, value)
        return value

    def _answer(self, method: str, address: str, data: bytes | None, content: str) -> tuple[int, bytes]:
        headers = {**self._headers, "Content-Type": content}
        for last in (False, True):
            connection: HTTPSConnection | None = getattr(self._own, "connection", None)
            if connection is None:
                connection = HTTPSConnection("127.0.0.1", self._port, timeout=60, context=self._tls)
                self._own.connection = connection
                self._connections.append(connection)
            try:
                connection.request(method, address, data, headers)
                answer = connection.getresponse()
                return answer.status, answer.read()
            except (OSError, HTTPException):  # an idle connection may be closed
                connection.close()
                self._own.connection = None
                if last:
                    raise
        raise AssertionError

    def close(self) -> None:
        """Close the connections of all threads; the next request opens a new one."""
        while self._connections:
            self._connections.pop().close()

    def is_ready(self) -> bool:
        """Whether the API server reports that it is ready."""
        try:
            self.call("GET", "/readyz")
        except (OSError, HTTPException, RefusedError):
            return False
        return True

    def kind(self, api_version: str, kind: str) -> Object | None:
        """Return the discovery entry of a kind, None if there is none."""
        if kind not in self._kinds.get(api_version, {}):
            try:
                found = self.call("GET", _root(api_version))["resources"]
            except RefusedError:
                found = []
            self._kinds[api_version] = {each["kind"]: each for each in found if "/" not in each["name"]}
        return self._kinds[api_version].get(kind)

    def forget_kinds(self) -> None:
        """Drop the cached kinds, because definitions were added or removed."""
        self._kinds.clear()

    def path(self, value: Object) -> str:
        """Return the address of an object. Raises RefusedError if its kind does not exist."""
        metadata = value.get("metadata") or {}
        collection = self._collection(value["apiVersion"], value["kind"], metadata.get("namespace") or "default")
        return f"{collection}/{metadata['name']}"

    def _collection(self, api_version: str, kind: str, namespace: str = "") -> str:
        found = self.kind(api_version, kind)
        if found is None:
            raise RefusedError(404, {"reason": "NotFound", "message": f"no kind {kind} in {api_version}"})
        middle = f"/namespaces/{namespace}" if found["namespaced"] and namespace else ""
        return f"{_root(api_version)}{middle}/{found['name']}"

    def get(self, value: Object) -> Object | None:
        """Return an object from the cluster, None if it does not exist."""
        try:
            found: Object = self.call("GET", self.path(value))
        except RefusedError as refused:
            if refused.code == 404:
                return None
            raise
        return found

    def list(self, api_version: str, kind: str, namespace: str = "", labels: str = "") -> list[Object]:
        """Return the objects of a kind, with their apiVersion and kind, which a list leaves out."""
        query = {"labelSelector": labels} if labels else None
        items = self.call("GET", self._collection(api_version, kind, namespace), query=query)["items"] or []
        return [{"apiVersion": api_version, "kind": kind, **each} for each in items]

    def create(self, value: Object, **query: str) -> Object:
        """Create an object, as `kubectl create` does."""
        metadata = value.get("metadata") or {}
        collection = self._collection(value["apiVersion"], value["kind"], metadata.get("namespace") or "default")
        created: Object = self.call("POST", collection, value, query)
        return created

    def apply(self, value: Object, **query: str) -> Object:
        """Apply an object by server-side apply, and own its fields."""
        owner = {"fieldManager": "kro-ls-test", "force": "true", **query}
        applied: Object = self.call("PATCH", self.path(value), value, owner, APPLY)
        return applied

    def merge(self, value: Object, patch: Object, of: str = "") -> Object:
        """Merge a patch into an object, or into a subresource such as `/status`."""
        merged: Object = self.call("PATCH", self.path(value) + of, patch, content=MERGE)
        return merged

    def delete(self, value: Object) -> None:
        """Delete an object, if it exists."""
        try:
            self.call("DELETE", self.path(value), query={"propagationPolicy": "Background"})
        except RefusedError as refused:
            if refused.code != 404:
                raise


def read_objects(file: Path) -> list[Any]:
    """Return the documents of a file of YAML, as kubectl reads them."""
    documents = parse_stream(Text(file.read_text(encoding="utf-8"))).documents
    return [value for value in (each.to_python() for each in documents) if value]


def _root(api_version: str) -> str:
    return f"/apis/{api_version}" if "/" in api_version else f"/api/{api_version}"
