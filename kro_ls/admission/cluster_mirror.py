"""Keeps the definitions of a cluster in a folder, by the official client of Kubernetes: it lists, then watches."""

from __future__ import annotations

import os
import re
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from kro_ls.kro import labels
from kro_ls.kro.forms import API_VERSION, GROUP, KIND, VERSION
from kro_ls.openapi.json_values import as_object, as_text
from kro_ls.openapi.sources.crds import served_kinds
from kro_ls.openapi.sources.pack.stripping import stripped_definition
from kro_ls.render.yaml_text import to_yaml
from kro_ls.workspace.files import warn
from kro_ls.workspace.gathering.kubernetes_client import connect
from kro_ls.workspace.gathering.part import UnusableError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from kro_ls.openapi.json_values import JsonObject

_NAME: Final = re.compile(r"[a-z0-9]([-a-z0-9.]*[a-z0-9])?")
_PAGE: Final = 100
_WATCH_SECONDS: Final = 240
_SHORTEST_PAUSE: Final = 1.0
_LONGEST_PAUSE: Final = 60.0
_GONE: Final = 410


class ClusterError(Exception):
    """No cluster can be read; the message says why."""


class _Resource(Struct, frozen=True):
    """A resource of the API, and a function that strips an object of it, or returns None if it is not needed."""

    group: str
    version: str
    plural: str
    stripped: Callable[[JsonObject], JsonObject | None]

    @property
    def arguments(self) -> tuple[str, str, str]:
        return self.group, self.version, self.plural


def _stripped_definition(value: JsonObject) -> JsonObject:
    metadata = as_object(value.get("metadata"))
    return {
        "apiVersion": API_VERSION,
        "kind": KIND,
        "metadata": {"name": metadata.get("name")},
        "spec": value.get("spec"),
    }


def _stripped_crd(value: JsonObject) -> JsonObject | None:
    """Return a CustomResourceDefinition; none of kro itself, nor one that kro generates from a definition."""
    spec, metadata = as_object(value.get("spec")), as_object(value.get("metadata"))
    if spec.get("group") == GROUP or as_object(metadata.get("labels")).get(labels.OWNED) == "true":
        return None
    return stripped_definition({**value, "apiVersion": served_kinds.API_VERSION, "kind": served_kinds.KIND})


_RESOURCES: Final = (
    _Resource(GROUP, VERSION, "resourcegraphdefinitions", _stripped_definition),
    _Resource("apiextensions.k8s.io", "v1", "customresourcedefinitions", _stripped_crd),
)


class ClusterMirror:
    """Writes each definition of a cluster into a file of a folder, in threads of its own."""

    def __init__(self, folder: Path) -> None:
        """Raises ClusterError where neither a service account nor a kubeconfig names a cluster."""
        try:
            connection = connect()
        except UnusableError as error:
            raise ClusterError(str(error)) from error
        from kubernetes import client

        self.folder = folder
        self.failures = 0
        self._api = client.CustomObjectsApi(connection.client)
        self._is_closed = threading.Event()
        self._listed = {each.plural: threading.Event() for each in _RESOURCES}
        for resource in _RESOURCES:
            (folder / resource.plural).mkdir(parents=True, exist_ok=True)

    def start(self) -> None:
        """Begin to list and watch."""
        for resource in _RESOURCES:
            threading.Thread(target=self._follow, args=(resource,), name=resource.plural, daemon=True).start()

    def wait(self, seconds: float) -> None:
        """Wait until everything was listed once, or could not be."""
        for listed in self._listed.values():
            listed.wait(seconds)

    def close(self) -> None:
        """Stop asking; threads that wait for the cluster end with the process."""
        self._is_closed.set()

    def _follow(self, resource: _Resource) -> None:
        pause = _SHORTEST_PAUSE
        while not self._is_closed.is_set():
            try:
                version = self._list(resource)
                self._listed[resource.plural].set()
                pause = _SHORTEST_PAUSE
                while not self._is_closed.is_set():
                    version = self._watch(resource, version)
            except Exception as error:  # whatever the network or the client raises, the cluster is asked again
                if getattr(error, "status", None) != _GONE:
                    self.failures += 1
                    reason = getattr(error, "reason", None) or error
                    warn("cannot read %s of the cluster, asking again in %s s: %s", resource.plural, pause, reason)
                    self._listed[resource.plural].set()
                    self._is_closed.wait(pause)
                    pause = min(2 * pause, _LONGEST_PAUSE)

    def _list(self, resource: _Resource) -> str:
        """Write all objects, and return the version of the list, from which to watch."""
        names: set[str] = set()
        following: str | None = ""
        version = ""
        while following is not None:
            page: Any = self._api.list_cluster_custom_object(
                *resource.arguments, limit=_PAGE, _continue=following, _request_timeout=_WATCH_SECONDS
            )
            names.update(filter(None, (self._write(resource, each) for each in page["items"])))
            version = page["metadata"]["resourceVersion"]
            following = page["metadata"].get("continue") or None
        for path in (self.folder / resource.plural).iterdir():
            if path.name not in names:
                _remove(path)
        return version

    def _watch(self, resource: _Resource, version: str) -> str:
        """Write what changes for some minutes, and return the version of the last change."""
        for kind, value in self._events(resource, version):
            version = as_text(as_object(value.get("metadata")).get("resourceVersion")) or version
            if kind == "DELETED":
                _remove(self._path(resource, value))
            elif kind in ("ADDED", "MODIFIED"):
                self._write(resource, value)
        return version

    def _events(self, resource: _Resource, version: str) -> Iterator[tuple[str, JsonObject]]:
        from kubernetes import watch

        stream = watch.Watch().stream(  # type: ignore[no-untyped-call] # as above
            self._api.list_cluster_custom_object,
            *resource.arguments,
            resource_version=version,
            allow_watch_bookmarks=True,
            timeout_seconds=_WATCH_SECONDS,
            _request_timeout=2 * _WATCH_SECONDS,
        )
        yield from ((event["type"], event["object"]) for event in stream)

    def _write(self, resource: _Resource, value: JsonObject) -> str | None:
        """Write an object, and return the name of its file; None for an object that is not needed."""
        path, stripped = self._path(resource, value), resource.stripped(value)
        if stripped is None or not _NAME.fullmatch(path.stem):
            _remove(path)
            return None
        text = to_yaml(stripped)
        with suppress(OSError):
            if path.read_text(encoding="utf-8") == text:
                return path.name  # only fields that controllers write have changed
        new = path.with_suffix(".new")
        new.write_text(text, encoding="utf-8")
        os.replace(new, path)
        return path.name

    def _path(self, resource: _Resource, value: JsonObject) -> Path:
        name = os.path.basename(as_text(as_object(value.get("metadata")).get("name")))
        return self.folder / resource.plural / f"{name}.yaml"


def _remove(path: Path) -> None:
    path.unlink(missing_ok=True)
