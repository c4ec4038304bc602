"""`kro-ls graph`: how the resources of a definition depend on one another."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kro_ls.cli.errors import InputError
from kro_ls.cli.formats.summary import count
from kro_ls.cli.inputs import read_text
from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.rules.diagnostics import Severity
from kro_ls.workspace.files import UnreadableFileError

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import RgdAnalysis


@click.command("graph")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--format",
    "output_format",
    type=click.Choice(["mermaid", "dot", "json"]),
    default="mermaid",
    show_default=True,
    help="mermaid and dot are drawings; json also tells the order and the apply waves.",
)
def command(file: Path, output_format: str) -> None:
    """Draw how the resources of a definition depend on one another.

    FILE holds one or more ResourceGraphDefinitions; - is standard input.

    An arrow leads from a resource to what it depends on, so kro creates from the top to the bottom; a dashed red arrow
    is part of a cycle, which kro refuses. Of a definition with errors, what can be read is drawn.
    """
    try:
        text = read_text(file)
    except UnreadableFileError as error:
        raise InputError(str(error)) from error
    diagnosis = diagnose_text(text)
    analysis = diagnosis.analysis
    if not analysis.rgds:
        raise InputError(f"no ResourceGraphDefinition found in {file}")
    click.echo(_render(analysis.rgds, output_format), nl=False)
    errors = sum(each.severity is Severity.ERROR for each in diagnosis.diagnostics)
    if errors:
        message = f"{file} has {count(errors, 'error')}, so the graph may lack something; see 'kro-ls check {file}'"
        click.echo(message, err=True)


def _render(definitions: tuple[RgdAnalysis, ...], output_format: str) -> str:
    if output_format == "json":
        from kro_ls.render import graph_json

        return graph_json.render(definitions)
    if output_format == "dot":
        from kro_ls.render import dot

        return dot.render(definitions)
    from kro_ls.render import mermaid

    return mermaid.render(definitions)
