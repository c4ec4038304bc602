"""`kro-ls upgrade`: rewrites definitions for another version of kro."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kro_ls.cli.checking import read_sources
from kro_ls.cli.file_check import Options
from kro_ls.cli.formats.difference import difference
from kro_ls.cli.inputs import STANDARD_INPUT, folders_of, position_text
from kro_ls.cli.options import VersionType
from kro_ls.cli.progress import Progress
from kro_ls.cli.settings_options import CRDS_OPTION
from kro_ls.kro.versions.version import NEWEST
from kro_ls.printable import printable
from kro_ls.repairs.upgrade import upgrade
from kro_ls.rules.settings import Settings
from kro_ls.shortening import shortened
from kro_ls.workspace.check import file_document
from kro_ls.workspace.rewriting import UnwritableFileError, rewrite
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.kro.versions.version import Version
    from kro_ls.openapi.json_values import JsonValue
    from kro_ls.repairs.upgrade import Upgrade
    from kro_ls.workspace.files import UnreadableFileError


@click.command("upgrade")
@click.argument(
    "paths", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, allow_dash=True)
)
@click.option(
    "--to", "version", type=VersionType(), default=NEWEST, show_default=True, help="The version to upgrade to."
)
@click.option(
    "--from",
    "source",
    type=VersionType(),
    help="The version that the files were written for.  [default: for each file, the newest that accepts it]",
)
@click.option("--diff", "only_shows", is_flag=True, help="Show the changes and write nothing.")
@CRDS_OPTION
@click.pass_context
def command(
    context: click.Context,
    paths: tuple[Path, ...],
    version: Version,
    source: Version | None,
    only_shows: bool,
    crds: tuple[str, ...],
) -> None:
    """Rewrite definitions so that a version of kro accepts them.

    Old forms are rewritten in place where a new form has the same meaning; comments and everything else stay. What you
    have to decide is listed with the choices, and so are differences in the instances' schema between the versions.
    FILE may be a folder, or - for standard input, whose new text goes to standard output.

    \b
    Exit codes:
      0  the version accepts all files
      1  something is left to decide
      2  wrong usage, or a FILE that cannot be read or written; the others are still rewritten
    """
    unreadable: list[UnreadableFileError] = []
    _, sources = read_sources(paths, Options(Settings(version=version), crds), None, Progress(), unreadable)
    kinds = sources.read(unreadable.append)
    failed: list[Exception] = [*unreadable]
    is_done, is_any = True, False
    folders = folders_of(paths)
    written: set[str] = set()  # a file and a link to it are one
    for path, text in ((Path(name), Text(content)) for name, content in sources.texts.items()):
        real = os.path.realpath(path)
        if real in written:
            continue
        found = upgrade(file_document(str(path), text, Settings(version=version), kinds), source)
        if found.document.analysis.rgds:
            is_any = True
            if path == STANDARD_INPUT and not only_shows:
                click.echo(found.text.content, nl=False)
            elif not only_shows and found.text.content != text.content:
                written.add(real)
                try:
                    rewrite(path, text.content, found.text.content, folders)
                except UnwritableFileError as error:
                    failed.append(error)
                    continue
            is_done = is_done and not found.is_to_decide
            for line in _report(path, text, found, version):
                click.echo(printable(line), err=path == STANDARD_INPUT and not only_shows)
            if only_shows and not found.refused:
                click.echo(difference(str(path), text.content, found.text.content), nl=False)
    _show_failures(failed, is_any=is_any)
    context.exit(2 if failed else 0 if is_done else 1)


def _show_failures(failed: list[Exception], *, is_any: bool) -> None:
    """Print the files that could not be read or written, or that no file has a definition."""
    if not is_any and not failed:
        click.echo("no ResourceGraphDefinition found", err=True)
    for each in failed:
        click.echo(f"error: {each}", err=True)


def _report(path: Path, text: Text, found: Upgrade, version: Version) -> Iterator[str]:
    """Yield lines that list the changes in a file and the errors that remain."""
    for diagnostic in found.refused:
        yield f"{position_text(path, text, diagnostic.span.start)}: {diagnostic.message}"
    if found.refused:
        advice = "name the version that took it, or leave out --from"
        reason = f"kro {found.source} refuses it, so its meaning is not clear"
        yield f"{path}: not changed: {reason}; {advice}"
        return
    for step in found.steps:
        yield f"{path}: {step.title}: {step.message}"
    for diagnostic in found.left:
        choices = "; ".join(fix.title for fix in diagnostic.fixes)
        message = diagnostic.message + (f"; choices: {choices}" if choices else "")
        yield f"{position_text(path, found.text, diagnostic.span.start)}: left: {message}"
    for change in found.changes:
        old, new = (_shown(value) for value in (change.before, change.after))
        yield f"{path}: changes: {change.path} is {old} in kro {found.source}, and {new} in kro {version}"
    verdict = f"{len(found.left)} left to decide" if found.left else f"kro {version} accepts it"
    yield f"{path}: {len(found.steps)} changed, {verdict}"


def _shown(value: JsonValue) -> str:
    return "absent" if value is None else shortened(json.dumps(value, ensure_ascii=False))
