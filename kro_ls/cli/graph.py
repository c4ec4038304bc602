"""`kro-ls graph`: how the resources of a definition depend on one another."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kro_ls.cli.errors import InputError
from kro_ls.cli.formats.summary import count
from kro_ls.cli.inputs import read_text
from kro_ls.printable import printable, printable_lines
from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.rules.diagnostics import Severity
from kro_ls.workspace.files import UnreadableFileError

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import Analysis
    from kro_ls.yaml_positions.positions import Span


@click.command("graph")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--format",
    "output_format",
    type=click.Choice(["mermaid", "dot", "json", "html", "svg"]),
    default="mermaid",
    show_default=True,
    help="html is a page to explore, svg the same picture (needs Node.js); json also tells the order and waves.",
)
def command(file: Path, output_format: str) -> None:
    """Draw how the resources of a definition depend on one another.

    FILE holds one or more ResourceGraphDefinitions, or Graphs with their child graphs; - is standard input.

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
    click.echo(_render(file, analysis, output_format), nl=False)
    errors = sum(each.severity is Severity.ERROR for each in diagnosis.diagnostics)
    if errors:
        message = f"{file} has {count(errors, 'error')}, so the graph may lack something; see 'kro-ls check {file}'"
        click.echo(printable(message), err=True)


def _render(file: Path, analysis: Analysis, output_format: str) -> str:
    if output_format in ("html", "svg"):
        return _picture(file, analysis, output_format)
    if output_format == "json":
        from kro_ls.render import graph_json

        return graph_json.render(analysis.rgds)
    if output_format == "dot":
        from kro_ls.render import dot

        return dot.render(analysis.rgds)
    from kro_ls.render import mermaid

    return mermaid.render(analysis.rgds)


def _picture(file: Path, analysis: Analysis, output_format: str) -> str:
    from kro_ls.render import dot, graph_page, mermaid
    from kro_ls.render.graph_json import graph_data
    from kro_ls.render.view_files import ViewsNotBuiltError

    def to_range(span: Span) -> dict[str, object]:
        start, end = analysis.text.position(span.start), analysis.text.position(span.end)
        return {name: {"line": each.line, "character": each.column} for name, each in (("start", start), ("end", end))}

    graphs = [
        {
            "uri": "",
            "version": None,
            "definition": number,
            "definitions": [],
            **graph_data(each, to_range, with_fields=output_format == "html"),
        }
        for number, each in enumerate(analysis.rgds)
    ]
    names = [graph["name"] for graph in graphs]
    try:
        if output_format == "html":
            texts = [{"mermaid": mermaid.render((each,)), "dot": dot.render((each,))} for each in analysis.rgds]
            return graph_page.page(
                f"{file.name} – dependency graph", [{**each, "definitions": names} for each in graphs], texts
            )
        if len(graphs) > 1:
            raise InputError(f"{file} has {len(graphs)} definitions; an SVG shows one, a page ('--format html') all")
        return graph_page.svg(graphs[0])
    except (ViewsNotBuiltError, graph_page.NoPictureError) as error:
        raise InputError(printable_lines(str(error)), shown=True) from error
