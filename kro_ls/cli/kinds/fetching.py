"""`kro-ls kinds fetch`: the definitions of well-known projects, from where these publish them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kro_ls.cli.input_error import InputError
from kro_ls.cli.kinds.collecting import Collection, collecting_options
from kro_ls.cli.progress import Progress
from kro_ls.openapi.sources.provenance import title_of_project
from kro_ls.spelling import closest
from kro_ls.workspace.gathering.download import fetched, is_url
from kro_ls.workspace.gathering.part import UnusableError
from kro_ls.workspace.gathering.releases import HOST, fetchable, groups_of, pinned_files, releases

if TYPE_CHECKING:
    from pathlib import Path

    from click.shell_completion import CompletionItem

    from kro_ls.workspace.gathering.releases import PinnedFile

_MOST_GROUPS = 4


def _complete(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    return [CompletionItem(name) for name in fetchable() if name.startswith(incomplete)]


@click.command("fetch")
@click.argument("names", metavar="[GROUP | PROJECT]...", nargs=-1, shell_complete=_complete)
@click.option(
    "--mirror",
    metavar="URL",
    envvar="KRO_LS_MIRROR",
    default=HOST,
    show_default=True,
    show_envvar=True,
    help="A copy of that host, such as your company's.",
)
@collecting_options
@click.pass_context
def command(context: click.Context, names: tuple[str, ...], mirror: str, folder: Path | None, quiet: bool) -> None:
    """Fetch the CustomResourceDefinitions of well-known projects.

    GROUP is an API group, such as iam.services.k8s.aws, PROJECT the name of a project, such as flux. Without either,
    the projects are listed, and nothing is contacted.

    What is fetched is pinned: each file at a commit of its project's repository, with its SHA-256. Anything else is
    refused. HTTPS_PROXY, NO_PROXY and SSL_CERT_FILE count.
    """
    if not names:
        click.echo(_listing(), nl=False)
        return
    if not is_url(mirror):
        raise click.UsageError(f"--mirror takes an address of HTTP or HTTPS, not {mirror!r}")
    files = {file.path: file for name in names for file in _files(name)}
    collection = Collection(folder, quiet)
    try:
        parts = fetched(list(files.values()), mirror)
        for part in Progress(is_quiet=quiet).of("Fetching", parts, len(files)):
            collection.take([part])
    except UnusableError as error:
        collection.problems.append(error)
    context.exit(collection.finish())


def _files(name: str) -> list[PinnedFile]:
    found = pinned_files(name)
    if not found:
        meant = closest(name, fetchable())
        advice = f"did you mean {meant!r}?" if meant else "'kro-ls kinds fetch' lists those that are"
        raise InputError(f"{name!r} is no group or project that can be fetched; {advice}")
    return found


def _listing() -> str:
    rows = [("PROJECT", "", "VERSION", "GROUPS")]
    for name in dict.fromkeys(release.project for release in releases()):
        own = [release for release in releases() if release.project == name]
        groups = groups_of(name)
        version = own[0].version if len(own) == 1 else f"{len(own)} releases"
        shown = ", ".join(groups) if len(groups) <= _MOST_GROUPS else f"{len(groups)} groups"
        rows.append((name, title_of_project(name), version, shown))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ("  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)) for row in rows)
    return "".join(f"{line.rstrip()}\n" for line in lines)
