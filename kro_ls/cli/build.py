"""`kro-ls build`: definitions from a program in Python. The only command that runs code of the user."""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from msgspec import Struct

from kro_ls.authoring.compositions.definition_text import joined_text
from kro_ls.authoring.compositions.user_program import ProgramError, built_compositions
from kro_ls.cli.formats.summary import count
from kro_ls.cli.formats.text import block
from kro_ls.cli.input_error import InputError
from kro_ls.cli.report import Checked, CheckedFile, fails
from kro_ls.printable import printable, printable_lines
from kro_ls.workspace.files import YAML_SUFFIXES, read
from kro_ls.workspace.program_lines import BEGIN
from kro_ls.workspace.rewriting import write
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from kro_ls.authoring.compositions.composition import Composition

_MOST_WATCHED: Final = 1000
_NOT_WATCHED: Final = frozenset({"node_modules", "site-packages", "__pycache__", "venv"})


class _Output(Struct, frozen=True):
    """A text with the definitions of some compositions; `path` is None for standard output."""

    path: Path | None
    text: str
    compositions: tuple[Composition[Any, Any], ...]


@click.command("build")
@click.argument("program", metavar="PROGRAM")
@click.option(
    "-o",
    "--output",
    metavar="PATH",
    type=click.Path(path_type=Path),
    help="Write to a file, or into a folder: a file for each definition, by its name. Without it, to standard output.",
)
@click.option("--watch", is_flag=True, help="Build again whenever a Python file beside or below it changes.")
@click.option("--check", "is_checked", is_flag=True, help="Check the definitions as 'kro-ls check' does.")
@click.pass_context
def command(context: click.Context, program: str, output: Path | None, watch: bool, is_checked: bool) -> None:
    """Build the definitions of a program in Python.

    PROGRAM is a file or the name of a module. THIS RUNS ITS CODE, as 'python PROGRAM' would, with your permissions: no
    other command of kro-ls runs code of yours or of others. Build programs that you trust.

    Every @composition in the program becomes a ResourceGraphDefinition. The last line of the output says which lines of
    Python its lines are from; check, preview, test and editors report these.

    \b
    Exit codes:
      0  the definitions are built
      1  with --check: they have errors or warnings
      2  wrong usage, a program that cannot be run or raises an error, a file that cannot be written
    """
    if not watch:
        context.exit(_build(program, output, is_checked=is_checked))
    from kro_ls.cli.watching import keep_running

    keep_running(lambda: _build(program, output, is_checked=is_checked), watched_files(program), ())


def _build(program: str, output: Path | None, *, is_checked: bool) -> int:
    """Build, write, check if wanted, and return the exit code."""
    try:
        outputs = list(_outputs(built_compositions(program), output))
    except ProgramError as error:
        raise InputError(printable_lines(str(error)), shown=True) from error
    for each in outputs:
        if each.path is None:
            click.echo(each.text, nl=False)
        else:
            _write(each.path, each.text)
            click.echo(f"{printable(str(each.path))}: {_named(each.compositions)}", err=True)
    return int(any([_has_faults(each) for each in outputs])) if is_checked else 0  # noqa: C419 # show those of all


def _outputs(compositions: Sequence[Composition[Any, Any]], output: Path | None) -> Iterator[_Output]:
    if output is not None and (output.is_dir() or output.suffix not in YAML_SUFFIXES):
        for each in compositions:
            yield _Output(output / f"{each.name}.yaml", each.to_yaml(str(output)), (each,))
        return
    folder = str(output.parent) if output else None
    yield _Output(output, joined_text([each.definition for each in compositions], folder), tuple(compositions))


def _named(compositions: Sequence[Composition[Any, Any]]) -> str:
    kinds = ", ".join(each.kind for each in compositions)
    return f"{count(len(compositions), 'definition')} ({kinds})"


def _write(path: Path, text: str) -> None:
    """Write a definition. Raises InputError for a file that was written by hand."""
    try:
        if path.is_file() and BEGIN not in read(path).decode("utf-8", "replace"):
            raise InputError(f"{path} was not written by 'kro-ls build'; name another file, or remove this one")
        path.parent.mkdir(parents=True, exist_ok=True)
        write(path, text)
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from error


def _has_faults(output: _Output) -> bool:
    """Show the problems of a text, and return whether a check fails."""
    from kro_ls.authoring.compositions.explaining import check_text

    name = str(output.path or "-")
    text = Text(output.text)
    texts = {used: yaml for each in output.compositions for used, yaml in each.texts().items()}
    found = check_text(name, text, texts)
    file = CheckedFile(name, text, Checked(diagnostics=found))
    for each in found:
        if fails(each):
            click.echo("\n".join(block(file, each, ())) + "\n", err=True)
    failing = [each for each in found if fails(each)]
    if not failing:
        click.echo(f"checked {_named(output.compositions)}: neither errors nor warnings", err=True)
    return bool(failing)


def watched_files(program: str) -> tuple[Path, ...]:
    """Return the Python files beside and below a program, which it may import."""
    path = Path(program)
    folder = path.parent if path.suffix == ".py" else Path.cwd()
    return (*((path,) if path.suffix == ".py" else ()), *islice(_python_files(folder), _MOST_WATCHED))


def _python_files(folder: Path) -> Iterator[Path]:
    for name, folders, files in os.walk(folder):
        folders[:] = sorted(each for each in folders if not each.startswith(".") and each not in _NOT_WATCHED)
        yield from (Path(name) / each for each in sorted(files) if each.endswith(".py"))
