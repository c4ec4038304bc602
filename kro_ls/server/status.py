"""What the server goes by, for a client that shows it: versions, where kinds come from, which kinds are instances.

A client that sets `"experimental": {"kroStatus": true}` in its capabilities gets it as the notification `kro/status`,
first when the workspace's kinds are known and again when something of it changes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

import kro_ls

if TYPE_CHECKING:
    from kro_ls.workspace.schemas import WorkspaceSchemas

METHOD = "kro/status"


class Status(TypedDict):
    """The notification's parameters."""

    serverVersion: str
    kubernetes: str | None
    """The bundled minor that is used, such as `1.37`; null where a cluster's own documents are used instead."""
    crdKinds: int
    """The number of kinds that CustomResourceDefinitions declare."""
    instanceKinds: list[str]
    """The kinds that the workspace's RGDs declare, as `group/Kind`: their objects are instances."""


def status_of(schemas: WorkspaceSchemas) -> Status:
    """Return what is true while these kinds are known."""
    from kro_ls.openapi.sources.bundled import BundledKubernetes

    kubernetes = schemas.kubernetes
    return {
        "serverVersion": kro_ls.__version__,
        "kubernetes": kubernetes.minor if isinstance(kubernetes, BundledKubernetes) else None,
        "crdKinds": len(tuple(schemas.crds.names())),
        "instanceKinds": sorted({f"{name.group}/{name.kind}" for name in schemas.generated.names()}),
    }
