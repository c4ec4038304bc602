"""The user's current settings, those of folders, and the notification `kro/status`.

The status has the versions and kinds that the server uses, for clients that show them. A client that sets
`"experimental": {"kroStatus": true}` in its capabilities gets it when the workspace's kinds are known, and again
whenever it changes.
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from lsprotocol import types
from msgspec.structs import replace

import kro_ls
from kro_ls.server.connection.client import SECTION
from kro_ls.uris import file_path

if TYPE_CHECKING:
    from collections.abc import Callable

    from kro_ls.kro.versions.version import Version
    from kro_ls.rules.settings import Settings
    from kro_ls.server.connection.client import Client
    from kro_ls.server.documents.open_documents import Kinds
    from kro_ls.server.inputs.configuration import UserSettings
    from kro_ls.workspace.schemas import WorkspaceSchemas


logger = logging.getLogger(__name__)


class SettingsKeeper:
    """The settings that the client sends. `changed` is called with the old and the new ones when they change."""

    def __init__(self, client: Client, changed: Callable[[UserSettings, UserSettings], None]) -> None:
        self._client = client
        self._changed = changed
        self._settings: UserSettings | None = None
        self._toggled_values: bool | None = None
        self.initial: object = None
        """The settings that came with `initialize`."""

    @property
    def current(self) -> UserSettings:
        """The user's settings. Reading them imports every rule, which must not delay the answer to `initialize`."""
        return self._settings or self.configure(self.initial)

    def configure(self, value: object) -> UserSettings:
        """Use settings that the client sent, and warn about faults in them."""
        from kro_ls.rules.registry import RULES
        from kro_ls.server.inputs.configuration import read_settings

        settings, problems = read_settings(value, (rule.code for rule in RULES))
        for problem in problems:
            self._client.warn_user(problem)
        before, self._settings = self._settings, settings
        if before and settings.inlay_hints != before.inlay_hints:
            self._toggled_values = None
        if before:
            self._changed(before, settings)
        return settings

    async def pull(self) -> bool:
        """Request the settings from the client; return False if it does not support that."""
        workspace = self._client.client_capabilities.workspace
        if workspace is None or not workspace.configuration:
            return False
        params = types.ConfigurationParams([types.ConfigurationItem(section=SECTION)])
        try:
            (value,) = await self._client.workspace_configuration_async(params)
        except Exception:
            logger.exception("the client did not answer workspace/configuration; the settings stay as they are")
            return True
        if value is not None:
            self.configure(value)
        return True

    def of(self, uri: str) -> Settings:
        """Return the settings for a document; the nearest `.kro-ls.yaml` gives those that the user does not set."""
        from kro_ls.workspace.files import UnreadableFileError
        from kro_ls.workspace.kustomize import is_patch
        from kro_ls.workspace.project_file import project_settings

        settings = self.current
        path = file_path(uri)
        try:
            project = project_settings(Path(path), self._client.folders) if path else None
        except UnreadableFileError as error:
            self._client.warn_user(str(error))
            project = None
        chosen = (
            project.under(settings.analysis, names_version=settings.names_version) if project else settings.analysis
        )
        return replace(chosen, is_patch=True) if path and is_patch(Path(path)) else chosen

    @property
    def shows_values(self) -> bool:
        """Whether inlay hints show values, by the setting or as the user toggled them since."""
        return self.current.inlay_hints.values if self._toggled_values is None else self._toggled_values

    def toggle_values(self) -> bool:
        """Show or hide values in inlay hints; return whether they are shown now."""
        self._toggled_values = not self.shows_values
        self._client.refresh_inlay_hints()
        return self._toggled_values


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
    """Sends the settings in effect to a client that shows them, whenever they change."""

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
