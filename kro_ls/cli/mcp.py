"""`kro-ls mcp`: tools for assistants, by the Model Context Protocol."""

from __future__ import annotations

from pathlib import Path

import click

from kro_ls.cli.input_error import InputError
from kro_ls.garbage import importing

_MISSING = "packages for this command are missing: install kro-ls with the extra 'mcp' (pip install '.[mcp]')"


@click.command("mcp")
@click.option(
    "--root",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    default=Path(),
    show_default="the working folder",
    help="The workspace folder: no other file is read for a request, or written.",
)
@click.option("write", "--write", is_flag=True, help="Allow 'upgrade' and 'new' to write files in that folder.")
@click.option(
    "--seconds",
    type=click.FloatRange(1, 600),
    default=30.0,
    show_default=True,
    help="How long a request may take; then it is ended and answered with an error.",
)
def command(root: Path, write: bool, seconds: float) -> None:
    """Serve tools for assistants by the Model Context Protocol.

    The client starts this and speaks over standard input and output. The tools check, explain, complete, preview, diff
    and upgrade definitions, look up kinds and start definitions from manifests, with the same results as the other
    commands. Files are only read, unless --write is given. Nothing is contacted, and no command is run.
    """
    try:
        with importing():
            from kro_ls.agents.mcp_server import serve
    except ImportError as error:
        raise InputError(_MISSING) from error
    serve(root, seconds, may_write=write)
