"""`kro-ls kinds list`: the kinds that files use, where their definitions are from, and which are unknown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import Struct

from kro_ls.cli.checking import read_sources
from kro_ls.cli.file_check import Options
from kro_ls.cli.options import text_or_json
from kro_ls.cli.progress import Progress
from kro_ls.cli.settings_options import CRDS_OPTION
from kro_ls.graphs import frames_in
from kro_ls.printable import printable, printable_literals, unicode_text
from kro_ls.rules.diagnosis import DEFAULT_SETTINGS
from kro_ls.workspace.check import file_document
from kro_ls.workspace.gathering.releases import fetchable
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.facts import KindName
    from kro_ls.workspace.files import UnreadableFileError

_MOST_GROUPS = 5


class _Use(Struct):
    """A kind that definitions use: the source of its definition (None if no source has it), and the files that use it.

    `is_group_known`: some source has kinds of its group.
    """

    source: str | None
    files: list[str]
    is_group_known: bool


@click.command("list")
@click.argument("paths", metavar="[PATH...]", nargs=-1, type=click.Path(path_type=Path, allow_dash=True))
@click.option("only_unknown", "--unknown", is_flag=True, help="List only the kinds that no source has.")
@text_or_json("How to print them.")
@CRDS_OPTION
@click.pass_context
def command(
    context: click.Context,
    paths: tuple[Path, ...],
    only_unknown: bool,
    output_format: str,
    crds: tuple[str, ...],
) -> None:
    """List the kinds that definitions use, and where each is known from.

    PATH is a file, a folder, or - for standard input; the working folder by default. Kinds come from the same places
    as with 'kro-ls check'.

    \b
    Exit codes:
      0  every kind is known, or --unknown is not given
      1  with --unknown: some kind is unknown
      2  wrong usage, or a PATH that cannot be read; the others are still searched
    """
    options = Options(DEFAULT_SETTINGS, crds)
    unreadable: list[UnreadableFileError] = []
    used = _used(paths or (Path(),), options, unreadable)
    shown = {name: use for name, use in sorted(used.items()) if not only_unknown or use.source is None}
    click.echo(_as_json(shown) if output_format == "json" else _as_text(shown, only_unknown=only_unknown), nl=False)
    for error in unreadable:
        click.echo(f"error: {error}", err=True)
    context.exit(2 if unreadable else 1 if only_unknown and shown else 0)


def _used(paths: tuple[Path, ...], options: Options, unreadable: list[UnreadableFileError]) -> dict[KindName, _Use]:
    progress = Progress()
    projects, sources = read_sources(paths, options, None, progress, unreadable)
    kinds = sources.read(unreadable.append)
    found: dict[KindName, _Use] = {}
    for path, text in progress.of("Searching", sources.texts.items(), len(sources.texts)):
        settings = options.settings_in(projects.get(Path(path).parent))
        for rgd in frames_in(file_document(path, Text(text), settings, kinds).analysis):
            for name in rgd.table.kinds:
                use = found.get(name)
                if use is None:
                    use = found[name] = _use(rgd, name)
                if use.files[-1:] != [path]:
                    use.files.append(path)
    return found


def _use(rgd: RgdAnalysis, name: KindName) -> _Use:
    kind = rgd.schemas.find_api_version(*name)
    if kind is not None:
        return _Use(kind.source, [], is_group_known=True)
    group = name[0].rpartition("/")[0]
    return _Use(None, [], is_group_known=any(each.group == group for each in rgd.schemas.kinds()))


def _as_text(used: dict[KindName, _Use], *, only_unknown: bool) -> str:
    if not used:
        return "every kind is known\n" if only_unknown else "no kind is used\n"
    names = {name: printable(" ".join(name)) for name in used}
    width = max(map(len, names.values()))
    lines = [
        f"{names[name]:{width}}  {_files(use.files):>10}  "
        + (printable(use.source) if use.source else click.style("unknown", fg="yellow"))
        for name, use in used.items()
    ]
    unknown = sum(use.source is None for use in used.values())
    kinds = f"{len(used)} {'kind' if len(used) == 1 else 'kinds'}"
    lines.append(kinds if only_unknown else f"{kinds}, {unknown} unknown")
    return "\n".join([*lines, *_advice(used), ""])


def _advice(used: dict[KindName, _Use]) -> Iterator[str]:
    groups = {api_version.rpartition("/")[0] for (api_version, _), use in used.items() if not use.is_group_known}
    found = sorted(groups.intersection(fetchable())) if groups else []
    if found:
        shown = " ".join(found[:_MOST_GROUPS]) + (" ..." if len(found) > _MOST_GROUPS else "")
        yield f"their projects publish some: kro-ls kinds fetch {shown}"


def _files(files: list[str]) -> str:
    return f"{len(files)} {'file ' if len(files) == 1 else 'files'}"


def _as_json(used: dict[KindName, _Use]) -> str:
    data = [
        {
            "apiVersion": api_version,
            "kind": kind,
            "source": use.source and unicode_text(use.source),
            "files": list(map(unicode_text, use.files)),
        }
        for (api_version, kind), use in used.items()
    ]
    return printable_literals(json.dumps(data, indent=2)) + "\n"
