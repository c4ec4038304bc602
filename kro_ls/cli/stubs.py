"""`kro-ls stubs`: what type checkers and editors read about custom kinds in Python."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kro_ls.authoring.known_kinds import kinds_below
from kro_ls.authoring.stubs.kind_stubs import custom_stub_files
from kro_ls.cli.formats.summary import count
from kro_ls.cli.input_error import InputError
from kro_ls.cli.known_kinds import crd_files
from kro_ls.cli.settings_options import CRDS_OPTION
from kro_ls.kro.rgd_schema import RGD
from kro_ls.openapi.kind_schema import Trust
from kro_ls.openapi.named_kind import named_kind
from kro_ls.printable import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.kind_schema import GroupVersionKind


@click.command("stubs")
@click.argument("names", metavar="[KIND...]", nargs=-1)
@click.option(
    "-o",
    "--output",
    "folder",
    metavar="FOLDER",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="Write into this folder: typings, where pyright looks.",
)
@CRDS_OPTION
def command(names: tuple[str, ...], folder: Path, crds: tuple[str, ...]) -> None:
    """Write stubs of custom kinds for mypy, pyright and editors.

    The stubs are those of modules in kro_ls.authoring.kinds.

    KIND is a kind, as with 'kro-ls kinds show', or a group with all its kinds. By default it is every kind that files
    below the working folder, its settings, --crds and your store define; kinds that come with kro-ls are to be named.
    Kubernetes' own kinds need no stubs: kro-ls brings them along.

    A file has the kinds of a group in one version. It is overwritten, so name all kinds that you use at once. pyright
    finds the stubs in the folder typings; for mypy, set mypy_path = typings.
    """
    index = kinds_below(Path.cwd(), tuple(crd_files(crds)))
    kinds = sorted({kind for name in names for kind in _named(index, name)} if names else _own(index), key=str)
    if not kinds:
        raise InputError(
            "no definition of a custom kind is here: give --crds, or name kinds that come with kro-ls, such as "
            "'kro-ls stubs -o typings cert-manager.io'"
        )
    files = custom_stub_files(index, kinds)
    for name, text in files.items():
        path = folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        except OSError as error:
            raise InputError(f"{path}: cannot be written: {error.strerror}") from error
        click.echo(printable(str(path)))
    click.echo(f"{count(len(kinds), 'kind')} in {count(len(files), 'file')}")


def _named(index: SchemaIndex, name: str) -> Iterator[GroupVersionKind]:
    found = [kind for kind in index.kinds() if kind.group == name]
    for kind in found or [named_kind(index, name).kind.name]:
        if index.is_kubernetes_group(kind.group, kind.version):
            raise InputError(f"{name}: the kinds of Kubernetes itself need no stubs, kro-ls brings them along")
        yield kind


def _own(index: SchemaIndex) -> Iterator[GroupVersionKind]:
    """Yield the kinds that the user has definitions of."""
    for kind in index.kinds():
        if kind == RGD or index.is_kubernetes_group(kind.group, kind.version):
            continue
        found = index.find(kind.group, kind.version, kind.kind)
        if found is not None and found.trust is Trust.FULL:
            yield kind
