"""The `kro-ls` command: finds its subcommands, decides about colour, and ends quietly after Ctrl-C."""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, NoReturn

import click

from kro_ls import __version__
from kro_ls.cli.garbage import collect_rarely, importing
from kro_ls.printable import printable
from kro_ls.spelling import closest

if TYPE_CHECKING:
    from typing import TextIO

_COMMANDS = (
    "check",
    "completion",
    "config",
    "crd",
    "diff",
    "example",
    "explain",
    "graph",
    "instance",
    "preview",
    "serve",
    "test",
    "upgrade",
)
_FAILED = 2
_NOBODY_READS = 1  # as click ends when it writes to a closed pipe
_INTERRUPTED = 130  # what a shell reports for a process that Ctrl-C ended


class _Commands(click.Group):
    """Imports a command when it is used, so that a command pays only for what it needs."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (click's signature)
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 (as above)
        if cmd_name not in _COMMANDS:
            return None
        with importing():
            command: click.Command = import_module(f"kro_ls.cli.{cmd_name}").command
        # The whole first sentence, which click would cut.
        command.short_help = (command.help or "").partition("\n\n")[0]
        if not any(each.name == _COLOR.name for each in command.params):
            command.params.append(_COLOR)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that the arguments start with; suggest a similar one if there is none."""
        name = args[0]
        if name not in _COMMANDS and not name.startswith("-"):
            meant = closest(name, _COMMANDS)
            advice = f"did you mean {meant!r}?" if meant else "'kro-ls --help' lists them"
            raise click.UsageError(f"there is no command {printable(name)!r}; {advice}", ctx)
        return super().resolve_command(ctx, args)


def _use_color(context: click.Context, _option: click.Parameter, value: str | None) -> None:
    """Set the colours of a command and its subcommands; the option of a subcommand overrides that of `kro-ls`."""
    if value is not None:
        context.find_root().color = context.color = _is_coloured(sys.stdout) if value == "auto" else value == "always"


_COLOR = click.Option(
    ["--color", "wanted_color"],
    type=click.Choice(["auto", "always", "never"]),
    callback=_use_color,
    expose_value=False,
    is_eager=True,  # so that errors about other options are coloured alike
    help="When to colour; auto is on a terminal, unless NO_COLOR or FORCE_COLOR say otherwise.",
)


@click.command(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", prog_name="kro-ls", message="%(prog)s %(version)s")
@click.pass_context
def cli(context: click.Context) -> None:
    """Check, draw, preview and test kro ResourceGraphDefinitions offline, and serve editors.

    An error means that kro would refuse the definition. See `kro-ls COMMAND --help` for each command.
    """
    if context.color is None:
        context.color = _is_coloured(sys.stdout)


def _is_coloured(stream: TextIO | None) -> bool:
    """Whether to colour: NO_COLOR and FORCE_COLOR decide; without them, only on a terminal."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"


cli.params.append(_COLOR)


def main() -> NoReturn:
    """Run the command line with the process's arguments, and end the process."""
    collect_rarely()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal that cannot show a character shows its escape; that is no reason to fail.
            stream.reconfigure(errors="backslashreplace")
    if sys.stdout is None and sys.argv[1:2] != ["serve"]:
        _end("Error: standard output is closed", _FAILED)
    try:
        code = cli.main(prog_name="kro-ls", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
    except click.ClickException as error:
        code = error.exit_code
        with suppress(OSError):
            error.show()
    except (click.Abort, KeyboardInterrupt):
        code = _INTERRUPTED
    except BrokenPipeError:
        _end("", _NOBODY_READS)
    except OSError as error:  # a full disk, a name that no file can have
        place = f"{printable(str(error.filename)[:80])}: " if error.filename else ""
        _end(f"Error: {place}{(error.strerror or str(error)).lower()}", _FAILED)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # ValueError: it is closed
            if stream is not None:
                stream.flush()
    _end("", code if isinstance(code, int) else 0)


def _end(message: str, code: int) -> NoReturn:
    """End the process without retrying failed writes, and without destroying every object."""
    with suppress(OSError):
        if message:
            click.echo(message, err=True)
    os._exit(code)
