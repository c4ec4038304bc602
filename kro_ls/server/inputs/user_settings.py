"""The user's settings as they are now, and those of folders."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from kro_ls.uris import file_path

if TYPE_CHECKING:
    from collections.abc import Callable

    from kro_ls.rules.settings import Settings
    from kro_ls.server.connection.client import Client
    from kro_ls.server.inputs.configuration import UserSettings


class SettingsKeeper:
    """Takes settings that the client sends. `changed` is called with the old and the new ones, if there were any."""

    def __init__(self, client: Client, changed: Callable[[UserSettings, UserSettings], None]) -> None:
        self._client = client
        self._changed = changed
        self._settings: UserSettings | None = None
        self._toggled_values: bool | None = None
        self.initial: object = None
        """What the client said at `initialize`."""

    @property
    def current(self) -> UserSettings:
        """The user's settings. Reading them loads every rule, so `initialize` is answered before that."""
        return self._settings or self.configure(self.initial)

    def configure(self, value: object) -> UserSettings:
        """Take settings that the client sent, and tell the user what is wrong with them."""
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

    def of(self, uri: str) -> Settings:
        """Return the settings for a document; the nearest `.kro-ls.yaml` tells what the user does not."""
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
        """Whether inlay hints show values: as the setting says, until the user toggles them."""
        return self.current.inlay_hints.values if self._toggled_values is None else self._toggled_values

    def toggle_values(self) -> bool:
        """Show values in inlay hints if they were not shown, and the other way round; return whether they are now."""
        self._toggled_values = not self.shows_values
        self._client.refresh_inlay_hints()
        return self._toggled_values
