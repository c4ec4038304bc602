"""Connects the official Kubernetes client, an extra, to the cluster of a kubeconfig or of the pod that it runs in."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from kro_ls.openapi.json_values import as_list, as_object, as_text
from kro_ls.workspace.gathering.part import UnusableError

if TYPE_CHECKING:
    from pathlib import Path

_NAMESPACE = "/var/run/secrets/kubernetes.io/serviceaccount/namespace"


class Connection(Struct, frozen=True):
    """A client (`kubernetes.client.ApiClient`), and the name and the namespace of its context."""

    client: Any
    context: str
    namespace: str


def connect(context: str = "", kubeconfig: Path | str | None = None) -> Connection:
    """Return a client for a context, by default the current one, or in a pod that of its service account.

    Nothing is requested yet. Raises UnusableError, which says what to do.
    """
    name = f"context {context!r}" if context else "the current context"
    try:
        from kubernetes import client, config
    except ImportError as error:
        reason = "the package kubernetes is not installed; the extra 'deploy' of kro-ls brings it"
        raise UnusableError(name, reason) from error
    configuration = client.Configuration()
    configuration.retries = False
    try:
        if "KUBERNETES_SERVICE_HOST" in os.environ and not context and kubeconfig is None:
            config.load_incluster_config(configuration)  # type: ignore[no-untyped-call] # the client is typed in part
            return Connection(client.ApiClient(configuration), "the service account", _own_namespace())
        file = os.environ.get("KUBECONFIG") if kubeconfig is None else str(kubeconfig)
        config.load_kube_config(  # type: ignore[no-untyped-call] # as above
            file, context or None, configuration, persist_config=False
        )
        known, current = config.list_kube_config_contexts(file)  # type: ignore[no-untyped-call] # as above
    except (config.ConfigException, OSError) as error:
        raise UnusableError(name, f"{error}; name a context of your kubeconfig, or set KUBECONFIG") from error
    chosen = context or as_text(as_object(current).get("name"))
    entry = next((each for each in map(as_object, as_list(known)) if each.get("name") == chosen), {})
    namespace = as_text(as_object(entry.get("context")).get("namespace")) or "default"
    return Connection(client.ApiClient(configuration), chosen, namespace)


def _own_namespace() -> str:
    try:
        with open(_NAMESPACE, encoding="utf-8") as file:
            return file.read().strip() or "default"
    except OSError:
        return "default"
