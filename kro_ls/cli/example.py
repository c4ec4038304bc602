"""`kro-ls example`: a small definition to start with, and its instance and tests."""

from __future__ import annotations

from pathlib import Path

import click

from kro_ls.authoring.from_template import template_text
from kro_ls.cli.input_error import InputError

_SOURCES = Path(__file__).parent / "example_files"
_FILES = {
    "definition": ("web-app.yaml", "a definition that kro accepts"),
    "instance": ("shop.yaml", "an instance of it"),
    "test": ("web-app.test.yaml", "tests of it"),
    "broken": ("broken.yaml", "a definition with four mistakes"),
}


@click.command("example")
@click.argument("folder", type=click.Path(path_type=Path), default=Path("kro-example"))
@click.option(
    "--print",
    "printed",
    type=click.Choice(list(_FILES)),
    help="Write one of the files to standard output instead of creating files.",
)
def command(folder: Path, printed: str | None) -> None:
    """Write an example to try things with into a folder.

    It has a definition with an instance and tests, and another definition with mistakes. FOLDER is created;
    files that exist are never overwritten. - writes the definition to standard output instead.
    """
    if printed is None and str(folder) == "-":
        printed = "definition"
    if printed:
        click.echo(example_text(_FILES[printed][0]), nl=False)
        return
    existing = [name for name, _ in _FILES.values() if (folder / name).exists()]
    if existing:
        raise InputError(
            f"{folder / existing[0]} exists already; name another folder, as in 'kro-ls example my-example'"
        )
    folder.mkdir(parents=True, exist_ok=True)
    for name, description in _FILES.values():
        with (folder / name).open("x", encoding="utf-8", newline="\n") as file:
            file.write(example_text(name))
        click.echo(f"{folder / name}: {description}")
    click.echo(f"Now try:  kro-ls check {folder}")


def example_text(name: str) -> str:
    """Return the text of a file of the example."""
    if name == _FILES["definition"][0]:
        return template_text(Path(name).stem)
    return (_SOURCES / name).read_text(encoding="utf-8")
