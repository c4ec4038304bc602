"""Asks a real API server about changed objects, and records its answers in `recorded/`.

It needs a separate control plane (etcd and kube-apiserver, no controllers) that knows none of the objects:
`python -m tests.openapi.validation.objects.record https://127.0.0.1:PORT TOKEN [SEED...]`
"""

from __future__ import annotations

import json
import ssl
import sys
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from http.client import HTTPSConnection
from threading import local
from typing import Any
from urllib.parse import quote, urlsplit

from kro_ls.openapi.json_values import JsonObject
from tests.openapi.validation.objects.answers import (
    LONGEST,
    Recorded,
    documents,
    kind_of,
    plain_mutations,
    recorded,
    seed_name,
    seeds,
    write,
)
from tests.openapi.validation.objects.mutations import Change, changed, changes

_PLACES = {"Endpoints": "endpoints", "Ingress": "ingresses", "NetworkPolicy": "networkpolicies"}


class Server:
    """An API server that is asked what it would do, as kro asks: server-side apply by one manager, by force."""

    def __init__(self, address: str, token: str) -> None:
        self._address, self._token = urlsplit(address), token
        self._connections = local()

    def answer(self, value: JsonObject, *, really: bool = False) -> str:
        """Return the API server's text for an object, empty where it takes it."""
        query = f"?fieldManager=kro-ls&force=true{'' if really else '&dryRun=All'}"
        status, body = self.request("PATCH", f"{self.place(value)}{query}", value)
        return "" if status < 300 else str(body.get("message"))

    def place(self, value: JsonObject) -> str:
        """Return the path of an object."""
        metadata: Any = value.get("metadata") or {}
        kind = str(value["kind"])
        plural = _PLACES.get(kind) or (f"{kind.lower()}es" if kind.endswith("s") else f"{kind.lower()}s")
        if plural.endswith("ys"):
            plural = f"{plural[:-2]}ies"
        version = str(value["apiVersion"])
        known = kind_of(value)
        inside = f"/namespaces/{metadata.get('namespace') or 'ns'}" if known is None or known.namespaced else ""
        name = quote(str(metadata.get("name") or "none"), safe="")
        return f"/{'apis' if '/' in version else 'api'}/{version}{inside}/{plural}/{name}"

    def request(
        self, method: str, path: str, value: JsonObject | None = None, kind: str = "apply-patch+yaml"
    ) -> tuple[int, JsonObject]:
        """Return the status and the body of an answer."""
        connection = getattr(self._connections, "of_thread", None)
        if connection is None:
            context = ssl._create_unverified_context()
            connection = HTTPSConnection(self._address.hostname or "", self._address.port, context=context)
            self._connections.of_thread = connection
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": f"application/{kind}"}
        connection.request(method, path, json.dumps(value) if value is not None else None, headers)
        response = connection.getresponse()
        return response.status, json.loads(response.read())


def prepare(server: Server) -> None:
    """Make what the objects need: a namespace, its account, and the custom kinds."""
    for value in (
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "ns"}},
        {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "default", "namespace": "ns"}},
        *documents("kinds.yaml"),
    ):
        said = server.answer(value, really=True)
        if said:
            raise SystemExit(said)
    for _ in range(100):  # a new kind is served a moment later
        if all(server.request("GET", server.place(each).rpartition("/")[0])[0] < 300 for each in seeds()):
            return
        time.sleep(0.1)
    raise SystemExit("not all kinds are served")


def record(server: Server, seed: JsonObject) -> Iterator[Recorded]:
    """Yield the answers about one object, and about edits of it."""
    kind = kind_of(seed)
    assert kind is not None, seed_name(seed)
    name = seed_name(seed)
    if server.request("GET", server.place(seed))[0] != HTTPStatus.NOT_FOUND:
        raise SystemExit(f"{name} is there already")
    said = server.answer(seed)
    if said:
        raise SystemExit(f"{name} is refused: {said}")
    generated = changes(seed, kind.declared_schema or kind.schema)
    named = list(_unique([*(each for each in generated if _is_of_interest(name, each)), *plain_mutations(name)]))
    with ThreadPoolExecutor(4) as pool:
        for change, answer in zip(named, pool.map(lambda each: _answer(server, seed, each), named), strict=True):
            yield Recorded(name, "create", change, answer)
        if server.answer(seed, really=True):
            raise SystemExit(f"{name} cannot be made")
        edits = [each for each in named if _is_edit(each)] if name != "Pod/full" else []
        for change, answer in zip(edits, pool.map(lambda each: _answer(server, seed, each), edits), strict=True):
            yield Recorded(name, "edit", change, answer)
    server.request("DELETE", f"{server.place(seed)}?gracePeriodSeconds=0&propagationPolicy=Background")
    # no controller is there that would take its finalizers away
    server.request("PATCH", server.place(seed), {"metadata": {"finalizers": None}}, "merge-patch+json")


def _answer(server: Server, seed: JsonObject, change: Change) -> str:
    said = server.answer(changed(seed, change))
    said = said.partition("\n")[0] if "may not change fields other than" in said else said
    return said if len(said) <= LONGEST else f"{said[:LONGEST]}…"


def _is_of_interest(name: str, change: Change) -> bool:
    """Return whether a change is about more than metadata that all kinds share, and can be asked for by a name."""
    path, how, new = change
    if path.startswith("metadata/namespace"):
        return False
    if path.endswith("/nodePort"):
        return False  # a dry run allocates no ports, and so does not miss those out of range
    if path.endswith(("/creationTimestamp", "/deletionTimestamp", "/deletionGracePeriodSeconds", "/generation")):
        return False  # these do not occur in templates
    if path.startswith("metadata/name"):
        return how == "set" and new != "" and "/" not in new
    if path in ("metadata", "metadata/uid"):
        return False
    return not path.startswith("metadata") or name == "ConfigMap/config"


def _is_edit(change: Change) -> bool:
    """Return whether a change is one that says something of edits: of a text or a number for another good one."""
    path, how, new = change
    return not path.startswith("metadata") and new not in ("Bad_Value!", "-x", "a b") and (how == "remove" or new != {})


def _unique(found: Iterable[Change]) -> Iterator[Change]:
    seen = set()
    for each in found:
        shown = json.dumps(each)
        if shown not in seen:
            seen.add(shown)
            yield each


def main() -> None:
    """Record the answers about all objects, or those that are named."""
    address, token, *names = sys.argv[1:]
    server = Server(address, token)
    prepare(server)
    rows = list(recorded()) if names else []
    for seed in seeds():
        name = seed_name(seed)
        if names and not any(each in name for each in names):
            continue
        rows = [each for each in rows if each.seed != name]
        found = list(record(server, seed))
        rows += found
        print(f"{name}: {len(found)}, refused {sum(bool(each.answer) for each in found)}", flush=True)
    write(rows)


if __name__ == "__main__":
    main()
