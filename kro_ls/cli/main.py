"""The `kro-ls` command: finds its subcommands, decides about colour, and ends quietly after Ctrl-C."""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress
from types import MappingProxyType
from typing import NoReturn

import click

from kro_ls import __version__
from kro_ls.cli.command_group import COLOR, CommandGroup, is_coloured
from kro_ls.garbage import collect_rarely
from kro_ls.printable import printable

_COMMANDS = (
    "admission",
    "build",
    "check",
    "completion",
    "config",
    "crd",
    "diff",
    "example",
    "explain",
    "graph",
    "instance",
    "kinds",
    "mcp",
    "new",
    "plan",
    "preview",
    "rbac",
    "serve",
    "stubs",
    "test",
    "upgrade",
    "validate",
    "why",
)
_FAILED = 2
_NOBODY_READS = 1  # as click ends when it writes to a closed pipe
_INTERRUPTED = 130  # what a shell reports for a process that Ctrl-C ended


class _Commands(CommandGroup):
    modules = MappingProxyType({name: f"kro_ls.cli.{name}" for name in _COMMANDS})


@click.command("kro-ls", cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", prog_name="kro-ls", message="%(prog)s %(version)s")
@click.pass_context
def cli(context: click.Context) -> None:
    """Check, draw, preview and test kro ResourceGraphDefinitions offline, and serve editors.

    An error means that kro would refuse the definition. See `kro-ls COMMAND --help` for each command.
    """
    if context.color is None:
        context.color = is_coloured(sys.stdout)


cli.params.append(COLOR)


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
