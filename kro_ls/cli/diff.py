"""`kro-ls diff`: what changed definitions mean for the instances that exist."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kro_ls.cli.input_error import InputError
from kro_ls.cli.inputs import committed_files, position_text, texts_in
from kro_ls.cli.known_kinds import folder_schemas
from kro_ls.cli.options import echo_json, text_or_json
from kro_ls.cli.settings_options import CRDS_OPTION
from kro_ls.printable import printable
from kro_ls.rules.diagnosis import DEFAULT_SETTINGS
from kro_ls.workspace.check import file_document
from kro_ls.workspace.evolution import declared_in, evolutions
from kro_ls.workspace.evolution_json import changes_json, evolutions_json
from kro_ls.workspace.files import UnreadableFileError, decode
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kro_ls.workspace.evolution import Declared, Evolution
    from kro_ls.workspace.schemas import WorkspaceSchemas


@click.command("diff")
@click.argument("paths", metavar="OLD NEW | [PATH...]", nargs=-1, type=click.Path(path_type=Path))
@click.option("--git", "ref", metavar="REF", help="Compare the PATHs with what they are in this commit, such as HEAD.")
@text_or_json("How.")
@CRDS_OPTION
@click.option(
    "--instances",
    metavar="PATH",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A file or folder with instances, besides those in NEW or the PATHs. May be repeated.",
)
@click.pass_context
def command(
    context: click.Context,
    paths: tuple[Path, ...],
    ref: str | None,
    output_format: str,
    crds: tuple[str, ...],
    instances: tuple[Path, ...],
) -> None:
    """Show how kinds change, and which instances that affects.

    OLD and NEW are two files or two folders. With --git the files in the PATHs (this folder without any) are compared
    with a commit; git's plumbing reads it, and nothing that the repository configures is run. kro applies no breaking
    change to a CustomResourceDefinition unless the definition allows it, the API server no other kind, group, version
    or scope of a definition. It also lists what kro deletes at once: objects that no resource makes any more.

    \b
    Exit codes:
      0  nothing breaks
      1  breaking changes or refused instances that nothing allows, a removed kind, or values that cannot be changed
      2  wrong usage, or files that cannot be read or compared
    """
    if ref is None and len(paths) != 2:
        raise click.UsageError("name OLD and NEW, or a commit with --git REF.")
    if ref is None:
        old_texts, new_texts = (list(texts_in([path], skips_unreadable=True)) for path in paths)
    else:
        paths = paths or (Path(),)
        old_texts, new_texts = list(_texts_in_commit(ref, paths)), list(texts_in(paths, skips_unreadable=True))
    old, _ = _declared(old_texts, crds)
    new, kinds = _declared([*new_texts, *texts_in(instances, skips_unreadable=True)], crds)
    found = list(evolutions(old, new, kinds.instances.texts))
    if not old and not new:
        raise InputError("no ResourceGraphDefinition found")
    if output_format == "json":
        echo_json({"kinds": evolutions_json(found)})
    else:
        click.echo(_text(found), nl=False)
    context.exit(1 if any(each.is_refused for each in found) else 0)


def _texts_in_commit(ref: str, paths: Sequence[Path]) -> Iterator[tuple[Path, Text]]:
    for path, content in committed_files(ref, paths, "compare two files or folders instead"):
        with suppress(UnreadableFileError):  # not a definition
            yield path, Text(decode(path, content))


def _declared(texts: list[tuple[Path, Text]], crds: tuple[str, ...]) -> tuple[list[Declared], WorkspaceSchemas]:
    file = texts[0][0] if texts else Path()
    kinds = folder_schemas(file, crds, ((str(path), text.content) for path, text in texts))
    found: list[Declared] = []
    for path, text in texts:
        found += declared_in(str(path), file_document(str(path), text, DEFAULT_SETTINGS, kinds).analysis)
    return found, kinds


def _text(found: list[Evolution]) -> str:
    lines = []
    for each in found:
        group, kind = each.declared.kind
        lines.append(f"{click.style(printable(f'{kind} ({group})'), bold=True)}: {printable(each.summary)}")
        for change, is_breaking in changes_json(each):
            word = click.style("breaking", fg="red") if is_breaking else "changed "
            place = f"{change['file']}:{change['line']}:{change['column']}"
            about = f"{change['field']}: " if change["field"] else ""
            shown = printable(f"{about}{change['message']}")
            lines.append(f"  {word} {printable(place)}: {shown} [{change['type']}]")
        own = each.declared
        places = [("refused ", "red", own.path, own.text, one.offset, one.message) for one in each.frozen]
        places += [("deletes ", "yellow", own.path, own.text, one.offset, one.message) for one in each.pruned]
        places += [("instance", "red", hit.path, hit.text, hit.offset, hit.message) for hit in each.hits]
        for word, colour, path, text, offset, message in places:
            padding = " " * (len(word) - len(word.rstrip()))
            shown = printable(f"{position_text(path, text, offset)}: {message}")
            lines.append(f"  {click.style(word.rstrip(), fg=colour)}{padding} {shown}")
    if not found:
        lines.append("no kind changed")
    return "\n".join(lines) + "\n"
