"""`kro-ls serve`: the language server."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from kro_ls.cli.input_error import InputError
from kro_ls.garbage import importing

_PORT = click.IntRange(1, 65535)


@click.command("serve")
@click.option("--stdio", is_flag=True, help="Speak over standard input and output. This is the default.")
@click.option("--tcp", "tcp_port", metavar="PORT", type=_PORT, help="Wait for one client on a TCP port.")
@click.option("--ws", "ws_port", metavar="PORT", type=_PORT, help="Wait for one client on a WebSocket port.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on with --tcp and --ws.")
@click.option(
    "--allow-origin",
    "origins",
    metavar="ORIGIN",
    multiple=True,
    help="A web page that may connect to --ws, such as https://editor.example; by default none may. May be repeated.",
)
@click.option(
    "--token",
    envvar="KRO_LS_TOKEN",
    show_envvar=True,
    help="What a client must know to connect to --ws: as ?token=... or 'Authorization: Bearer ...'.",
)
@click.option(
    "--log-file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the log to a file instead of standard error.",
)
@click.option(
    "--log-level",
    type=click.Choice(["error", "warning", "info", "debug"]),
    default="info",
    show_default=True,
    help="What to log; debug includes the texts of your documents.",
)
def command(
    stdio: bool,
    tcp_port: int | None,
    ws_port: int | None,
    host: str,
    origins: tuple[str, ...],
    token: str | None,
    log_file: Path | None,
    log_level: str,
) -> None:
    """Start the language server; editors do this themselves.

    Other processes of this computer can connect to a port before your editor does; standard input and output are
    safest.
    """
    if sum((stdio, tcp_port is not None, ws_port is not None)) > 1:
        raise click.UsageError("--stdio, --tcp and --ws exclude one another; give one of them.")
    if origins and not ws_port:
        raise click.UsageError("--allow-origin is about --ws.")

    with importing():
        from kro_ls.server.main import Transport, serve

    name: Literal["stdio", "tcp", "ws"] = "tcp" if tcp_port else "ws" if ws_port else "stdio"
    try:
        serve(Transport(name, host, tcp_port or ws_port or 0, origins, token or None), log_file, log_level)
    except OSError as error:
        # The port is taken, the host is not ours, or the log file cannot be written.
        raise InputError(f"cannot start the server: {error}") from error
