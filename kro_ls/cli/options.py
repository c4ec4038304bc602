"""Options that several commands share, and the types of those that take versions of kro."""

from __future__ import annotations

import json
from functools import reduce
from typing import TYPE_CHECKING, TypeVar

import click

from kro_ls.kro.versions.version import Version, parse_version
from kro_ls.printable import printable_literals

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


Function = TypeVar("Function", bound="Callable[..., Any]")


def together(*options: Callable[[Function], Function]) -> Callable[[Function], Function]:
    """Return a decorator that adds options to a command; its help lists them in this order."""
    return lambda function: reduce(lambda decorated, option: option(decorated), reversed(options), function)


def format_option(help_text: str, *formats: str) -> Callable[[Function], Function]:
    """Return the option `--format` of a command, by default the first of the formats."""
    return click.option(
        "output_format", "--format", type=click.Choice(formats), default=formats[0], show_default=True, help=help_text
    )


def echo_json(value: object) -> None:
    """Print a value as JSON that a terminal can show."""
    click.echo(printable_literals(json.dumps(value, indent=2, ensure_ascii=False)))


def text_or_json(help_text: str) -> Callable[[Function], Function]:
    """Return the option `--format` of a command that prints text or JSON."""
    return format_option(help_text, "text", "json")


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
