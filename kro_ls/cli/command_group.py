"""A group of commands, each a module that is imported when it is used, so that it pays for nothing else."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, ClassVar

import click

from kro_ls.cli.input_error import input_errors
from kro_ls.garbage import importing
from kro_ls.printable import printable
from kro_ls.spelling import closest

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TextIO


class CommandGroup(click.Group):
    """Gives each of its commands the option `--color`, and the first sentence of its help as its short help."""

    modules: ClassVar[Mapping[str, str]]
    """The modules of the commands, by the names of these; each has a `command`."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (click's signature)
        """Return the names in the order of the help."""
        return list(self.modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 (as above)
        """Import a command."""
        if cmd_name not in self.modules:
            return None
        with importing():
            command: click.Command = import_module(self.modules[cmd_name]).command
        # The whole first sentence, which click would cut.
        command.short_help = (command.help or "").partition("\n\n")[0]
        if not any(each.name == COLOR.name for each in command.params):
            command.params.append(COLOR)
        return command

    def invoke(self, ctx: click.Context) -> object:
        """Run a command; an error about an input is shown without a traceback."""
        with input_errors():
            return super().invoke(ctx)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that the arguments start with; suggest a similar one if there is none."""
        name = args[0]
        if name not in self.modules and not name.startswith("-"):
            meant = closest(name, tuple(self.modules))
            advice = f"did you mean {meant!r}?" if meant else f"'{ctx.command_path} --help' lists them"
            raise click.UsageError(f"there is no command {printable(name)!r}; {advice}", ctx)
        return super().resolve_command(ctx, args)


def _use_color(context: click.Context, _option: click.Parameter, value: str | None) -> None:
    """Set the colours of a command and its subcommands; the option of a subcommand overrides that of `kro-ls`."""
    if value is not None:
        context.find_root().color = context.color = is_coloured(sys.stdout) if value == "auto" else value == "always"


COLOR = click.Option(
    ["--color", "wanted_color"],
    type=click.Choice(["auto", "always", "never"]),
    callback=_use_color,
    expose_value=False,
    is_eager=True,  # so that errors about other options are coloured alike
    help="When to colour; auto is on a terminal, unless NO_COLOR or FORCE_COLOR say otherwise.",
)


def is_coloured(stream: TextIO | None) -> bool:
    """Whether to colour: NO_COLOR and FORCE_COLOR decide; without them, only on a terminal."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"
