"""`kro-ls new --from FILE --python`: a definition as a typed composition."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kro_ls.cli.formats.summary import count
from kro_ls.cli.input_error import InputError
from kro_ls.cli.inputs import read_text
from kro_ls.printable import printable

if TYPE_CHECKING:
    from collections.abc import Sequence


def python_program(file: Path, crds: Sequence[str]) -> str:
    """Return the program for the definition in a file, and print how much of it has no types. Raises InputError."""
    from kro_ls.analysis.analysis import analyze
    from kro_ls.authoring.known_kinds import kinds_below, using_kinds
    from kro_ls.authoring.to_python.python_program import program_of
    from kro_ls.authoring.to_python.resource_statements import CannotBePythonError

    text = read_text(file)
    kinds = kinds_below(Path.cwd(), tuple(map(Path, crds)))
    rgds = analyze(text, kinds).rgds
    if len(rgds) != 1:
        found = f"{len(rgds)} definitions" if rgds else "no ResourceGraphDefinition"
        raise InputError(printable(f"{file} has {found}; --python takes a file with one"))
    if rgds[0].rgd.document.errors:
        raise InputError(printable(f"{file} is not YAML as it stands; 'kro-ls check' shows where"))
    try:
        with using_kinds(kinds):
            made = program_of(rgds[0], kinds)
    except CannotBePythonError as error:
        raise InputError(printable(f"no composition builds {file}: {error}")) from error
    message = f"{count(made.expressions, 'expression')}"
    if made.texts:
        message += f", of which {made.texts} {'has' if made.texts == 1 else 'have'} CEL as text (cel.expression)"
    click.echo(f"{message}; the program builds an equal definition", err=True)
    return made.text
