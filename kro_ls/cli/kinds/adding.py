"""`kro-ls kinds add`: definitions from files, folders, charts, URLs and standard input."""

from __future__ import annotations

import sys
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kro_ls.cli.inputs import STANDARD_INPUT
from kro_ls.cli.kinds.collecting import Collection, collecting_options
from kro_ls.openapi.sources.provenance import Provenance
from kro_ls.workspace.gathering.download import download, is_url, without_secrets
from kro_ls.workspace.gathering.inputs import parts_of_content, parts_of_path
from kro_ls.workspace.gathering.part import LARGEST_INPUT, UnusableError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.workspace.gathering.part import OnProblem, Part


@click.command("add")
@click.argument("inputs", metavar="INPUT...", nargs=-1, required=True, type=click.Path())
@collecting_options
@click.pass_context
def command(context: click.Context, inputs: tuple[str, ...], folder: Path | None, quiet: bool) -> None:
    """Add the CustomResourceDefinitions of files, charts and URLs.

    INPUT is a file in YAML or JSON, with any number of documents and lists; a folder with such files; a Helm chart, as
    .tgz or folder; an OCI layout on disk; a URL of any such file; or - for standard input:
    kubectl get crds -o yaml | kro-ls kinds add -

    Only what kro-ls uses is kept: of each description the first sentence, and no examples. An INPUT that cannot be used
    or defines no kind is reported; the others are still added.
    """
    collection = Collection(folder, quiet)
    for each in inputs:
        problems = len(collection.problems)
        try:
            number = collection.take(_parts(each, collection.problems.append))
        except UnusableError as error:
            collection.problems.append(error)
            continue
        if not number and len(collection.problems) == problems:
            name = "standard input" if each == str(STANDARD_INPUT) else each
            collection.problems.append(UnusableError(name, "no CustomResourceDefinition in it"))
    context.exit(collection.finish())


def _parts(name: str, on_problem: OnProblem) -> Iterator[Part]:
    if name == str(STANDARD_INPUT):
        yield from parts_of_content("standard input", _standard_input())
    elif is_url(name):
        shown = without_secrets(name)
        content = download(name)
        yield from parts_of_content(
            shown, content, Provenance(location=shown, digest=f"sha256:{sha256(content).hexdigest()}")
        )
    elif name.startswith("oci://"):
        raise UnusableError(name, f"a registry; use 'helm pull {name}' and add the file that it writes")
    else:
        yield from parts_of_path(Path(name), on_problem)


def _standard_input() -> bytes:
    if sys.stdin is None:
        raise UnusableError("standard input", "is closed")
    try:
        content = sys.stdin.buffer.read(LARGEST_INPUT + 1)
    except OSError as error:
        raise UnusableError("standard input", f"cannot be read: {error.strerror}") from error
    if len(content) > LARGEST_INPUT:
        raise UnusableError("standard input", f"larger than {LARGEST_INPUT // 1024**2} MiB")
    return content
