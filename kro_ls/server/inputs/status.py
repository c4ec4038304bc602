"""The notification `kro/status`: the versions and kinds that the server uses, for clients that show them.

A client that sets `"experimental": {"kroStatus": true}` in its capabilities gets it when the workspace's kinds are
known, and again whenever it changes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

import kro_ls

if TYPE_CHECKING:
    from kro_ls.kro.versions.version import Version
    from kro_ls.server.connection.client import Client
    from kro_ls.server.documents.open_documents import Kinds
    from kro_ls.server.inputs.user_settings import SettingsKeeper
    from kro_ls.workspace.schemas import WorkspaceSchemas

METHOD = "kro/status"


class Status(TypedDict):
    """The notification's parameters."""

    serverVersion: str
    kroVersion: str
    """The version of kro that is set, such as `0.9.4`, by default the newest release."""
    kubernetes: str | None
    """The bundled minor in use, such as `1.37`; null where documents of a cluster are used instead."""
    crdKinds: int
    """The number of kinds that CustomResourceDefinitions declare."""
    instanceKinds: list[str]
    """The kinds that the workspace's RGDs declare, as `group/Kind`: their objects are instances."""


def status_of(schemas: WorkspaceSchemas, version: Version) -> Status:
    """Return the status with these kinds and this version of kro."""
    from kro_ls.openapi.sources.bundled import BundledKubernetes

    kubernetes = schemas.kubernetes
    return {
        "serverVersion": kro_ls.__version__,
        "kroVersion": str(version),
        "kubernetes": kubernetes.minor if isinstance(kubernetes, BundledKubernetes) else None,
        "crdKinds": len(tuple(schemas.crds.names())),
        "instanceKinds": sorted({f"{name.group}/{name.kind}" for name in schemas.generated.names()}),
    }


class StatusReporter:
    """Tells a client that shows it what the server goes by, unless it knows."""

    def __init__(self, client: Client, settings: SettingsKeeper, kinds: Kinds) -> None:
        self._client = client
        self._settings = settings
        self._kinds = kinds
        self._reported: Status | None = None

    def report(self) -> None:
        """Send the status unless the client has it."""
        schemas = self._kinds.current
        if schemas is None or not self._client.client_shows_status:
            return
        from kro_ls.workspace.project_file import PROJECT_FILE

        # The status is one for all documents: the first folder's project file counts.
        folder = self._client.root_uri
        settings = self._settings.of(f"{folder}/{PROJECT_FILE}") if folder else self._settings.current.analysis
        status = status_of(schemas, settings.version)
        if status != self._reported:
            self._reported = status
            self._client.protocol.notify(METHOD, status)
