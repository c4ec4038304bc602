"""`kro-ls graph`: how the resources of a definition depend on one another."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kro_ls.cli.formats.summary import count
from kro_ls.cli.input_error import InputError
from kro_ls.cli.inputs import read_snapshot
from kro_ls.cli.options import format_option
from kro_ls.printable import printable, printable_lines
from kro_ls.render.graph_changes import compared, previous_definition
from kro_ls.render.graph_view import GroupBy, view
from kro_ls.rules.diagnostics import Severity
from kro_ls.workspace.snapshot import committed_document

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import Analysis, RgdAnalysis
    from kro_ls.render import page_data
    from kro_ls.render.graph_view import GraphView
    from kro_ls.rules.diagnosis import Diagnosis
    from kro_ls.workspace.documents import Document


_GROUPS = {"namespace": GroupBy.NAMESPACE, "api-group": GroupBy.API_GROUP, "prefix": GroupBy.PREFIX}


@click.command("graph")
@click.argument("file", type=click.Path(path_type=Path))
@format_option(
    "html is a page to explore, svg the same picture (needs Node.js); json also has the order, passes and waves.",
    "mermaid",
    "dot",
    "json",
    "html",
    "svg",
)
@click.option(
    "--git",
    "ref",
    metavar="REF",
    help="Show what was added, removed and changed since this commit, such as HEAD.",
)
@click.option(
    "--group",
    type=click.Choice([*_GROUPS, "none"]),
    help="Draw resources of one namespace, of one API group, or with the same first word in their ids, in a frame. "
    "Without it, html and svg do so by themselves where boxes would be too small to read.",
)
def command(file: Path, output_format: str, ref: str | None, group: str | None) -> None:
    """Draw how the resources of a definition depend on one another.

    FILE holds one or more ResourceGraphDefinitions, or Graphs with their child graphs; - is standard input.

    An arrow leads from a resource to the resources that read it, so kro creates from the top to the bottom; a dashed
    red arrow is part of a cycle, which kro refuses. Of a definition with errors, the readable part is drawn.

    With --git, FILE is compared with its version in a commit: + marks additions, ~ marks changes, and removed resources
    are drawn dashed. git's plumbing reads the commit, and nothing that the repository configures is run.
    """
    if group and output_format == "json":
        raise click.UsageError("--group is about pictures: json has no groups.")
    document = read_snapshot(file).document
    diagnosis, analysis = document.diagnosis, document.analysis
    if not analysis.rgds:
        raise InputError(f"no ResourceGraphDefinition found in {file}")
    previous = _before(document, file, ref) if ref is not None else None
    views = tuple(
        view(each) if previous is None else compared(view(each), previous_definition(number, analysis.rgds, previous))
        for number, each in enumerate(analysis.rgds)
    )
    group_by = _GROUPS.get(group or "")
    if output_format in ("html", "svg"):
        chosen = group_by.value if group_by else group or "auto"
        drawing = _picture(file, diagnosis, views, output_format, ref, chosen)
    else:
        drawing = _text(views, output_format, group_by)
    click.echo(drawing, nl=False)
    errors = sum(each.severity is Severity.ERROR for each in diagnosis.diagnostics)
    if errors:
        message = f"{file} has {count(errors, 'error')}, so the graph may lack something; see 'kro-ls check {file}'"
        click.echo(printable(message), err=True)


def _before(document: Document, file: Path, ref: str) -> tuple[RgdAnalysis, ...]:
    """Return the definitions that a file holds in a commit; print a note if there are none."""
    if str(file) == "-":
        raise click.UsageError("--git needs the name of a file: standard input is in no commit.")
    committed = committed_document(document, file, ref)
    if committed is None:
        click.echo(printable(f"{file} is not in {ref}, so all of it is new"), err=True)
        return ()
    found: Analysis = committed.analysis
    return found.rgds


def _text(views: tuple[GraphView, ...], output_format: str, group_by: GroupBy | None) -> str:
    from kro_ls.render import dot, graph_json, mermaid

    if output_format == "json":
        return graph_json.render(views)
    return dot.render(views, group_by) if output_format == "dot" else mermaid.render(views, group_by)


def _picture(
    file: Path, diagnosis: Diagnosis, views: tuple[GraphView, ...], output_format: str, ref: str | None, group_by: str
) -> str:
    from kro_ls.render import dot, mermaid, pictures
    from kro_ls.render.graph_json import graph_data

    position = diagnosis.analysis.text.position
    graphs: list[page_data.Graph] = [
        {
            "uri": "",
            "version": None,
            "definition": number,
            "definitions": [],
            **graph_data(each, diagnosis.diagnostics, position, with_fields=output_format == "html"),
        }
        for number, each in enumerate(views)
    ]
    if ref is not None:
        for graph in graphs:
            graph["comparison"] = {"ref": ref, "message": None}
    names = [graph["name"] for graph in graphs]
    try:
        if output_format == "html":
            texts = [{"mermaid": mermaid.render((each,)), "dot": dot.render((each,))} for each in views]
            return pictures.page(
                f"{file.name} – dependency graph", [{**each, "definitions": names} for each in graphs], texts, group_by
            )
        if len(graphs) > 1:
            raise InputError(f"{file} has {len(graphs)} definitions; an SVG shows one, a page ('--format html') all")
        return pictures.svg(graphs[0], group_by)
    except (pictures.ViewsNotBuiltError, pictures.NoPictureError) as error:
        raise InputError(printable_lines(str(error)), shown=True) from error
