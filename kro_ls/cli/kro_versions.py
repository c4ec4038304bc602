"""The types of options that take versions of kro."""

from __future__ import annotations

import click

from kro_ls.kro.versions.version import Version, parse_version


class VersionType(click.ParamType[Version]):
    """A version of kro, such as 0.9.4 or 0.9."""

    name = "VERSION"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Version:
        """Return the version that `value` names."""
        if isinstance(value, Version):
            return value
        try:
            return parse_version(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)


class VersionsType(click.ParamType[tuple[Version, ...]]):
    """Versions of kro, separated by commas."""

    name = "VERSION[,VERSION...]"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> tuple[Version, ...]:
        """Return the versions that `value` names, each once."""
        if isinstance(value, tuple):
            return value
        return tuple(dict.fromkeys(VersionType().convert(each, param, ctx) for each in str(value).split(",")))
