"""Options that several commands have, and how a command gets some at once."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, TypeVar

import click

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

Function = TypeVar("Function", bound="Callable[..., Any]")


def together(*options: Callable[[Function], Function]) -> Callable[[Function], Function]:
    """Return a decorator that gives a command some options, the first one first in its help."""
    return lambda function: reduce(lambda decorated, option: option(decorated), reversed(options), function)


def text_or_json(help_text: str) -> Callable[[Function], Function]:
    """Return the option `--format` of a command that prints text or JSON."""
    formats = click.Choice(["text", "json"])
    return click.option("output_format", "--format", type=formats, default="text", show_default=True, help=help_text)
