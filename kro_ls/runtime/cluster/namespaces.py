"""Which namespaces a simulated cluster has: an object in another one is refused, and kro tries again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kro_ls.golang.quoting import go_quoted
from kro_ls.openapi.validation.objects.refusal import Refusal
from kro_ls.runtime.nodes.expansion import identity, metadata_text

if TYPE_CHECKING:
    from collections.abc import Container, Mapping

    from kro_ls.openapi.json_values import JsonObject

STANDARD: Final = frozenset({"default", "kube-system", "kube-public", "kube-node-lease"})
"""Those that every cluster has."""
FIELD: Final = ("metadata", "namespace")


def not_found(name: str, message: str) -> Refusal:
    """Return what the API server says of an object in a namespace that does not exist."""
    return Refusal(f"namespaces {go_quoted(name)} not found", FIELD, message)


class Namespaces:
    """Those that exist, as far as it is known: without `existing` only what the instance makes itself is."""

    def __init__(self, existing: frozenset[str] | None, instance: JsonObject) -> None:
        self._existing = existing
        self._always = STANDARD | {metadata_text(instance, "namespace") or "default"} | (existing or set())

    def refusal(
        self, value: JsonObject, there: Container[str], wanted: Mapping[str, object], *, is_known: bool
    ) -> Refusal | None:
        """Return why a new object is refused, None where its namespace exists, or may do.

        `there` and `wanted` name the objects that exist, and those that nodes want by now. `is_known` tells that the
        name of the namespace is not made up.
        """
        name = metadata_text(value, "namespace")
        key = identity({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
        if name in self._always or key in there:
            return None
        if wanted.get(key):
            return not_found(name, f"the namespace {name} is not there yet: it does not wait for it")
        if self._existing is not None and is_known:
            return not_found(name, f"there is no namespace {name}")
        return None
