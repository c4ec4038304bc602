"""`kro-ls test`: unit tests for definitions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kro_ls.cli.input_error import InputError, input_errors
from kro_ls.cli.inputs import shown_name
from kro_ls.cli.options import text_or_json
from kro_ls.cli.testing import find_test_files, root_of, run_file
from kro_ls.printable import printable, printable_lines, printable_literals, unicode_text
from kro_ls.workspace.rewriting import write

if TYPE_CHECKING:
    from kro_ls.cli.testing import TestResult


@click.command("test")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(path_type=Path, allow_dash=True))
@click.option(
    "--update",
    is_flag=True,
    help="Update the test files and snapshots to match the results.",
)
@text_or_json("What to print; json is one object for editors.")
@click.option(
    "--root",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="The folder in which test files may name other files; by default the working folder, or a PATH outside of it.",
)
@click.option("--junit", type=click.Path(path_type=Path, dir_okay=False), help="Write a JUnit report to this file.")
@click.pass_context
def command(
    context: click.Context,
    paths: tuple[Path, ...],
    update: bool,
    root: Path | None,
    output_format: str,
    junit: Path | None,
) -> None:
    """Run tests: an instance, and what is expected of it.

    PATH is a test file, - for standard input, or a folder, in which all files ending in .test.yaml or .test.yml are
    run. Each test simulates a cluster of its own, as 'kro-ls preview' does. Nothing is contacted.

    \b
    Exit codes:
      0  all tests passed, or were updated
      1  some test failed
      2  wrong usage, no tests, or a file that cannot be used; the others are still run
    """
    results: list[TestResult] = []
    broken: list[tuple[Path, str]] = []
    for path in find_test_files(paths):
        try:
            with input_errors():
                for result in run_file(path, root or root_of(path, paths), update=update):
                    results.append(result)
                    if output_format == "text":
                        _show(result)
        except InputError as error:
            broken.append((path, error.message))
            if output_format == "text":
                word = click.style("ERROR", fg="red", bold=True)
                click.echo(f"{word} {shown_name(path)}\n{_indented(error.message)}")
    if output_format == "json":
        click.echo(_as_json(results, broken))
    failed = sum(bool(each.messages) for each in results)
    updated = sum(bool(each.changes) and not each.messages for each in results)
    if output_format == "text" and (results or broken):
        counts = {"passed": len(results) - failed - updated, "failed": failed}
        counts |= {word: number for word, number in (("updated", updated), ("could not be run", len(broken))) if number}
        text = ", ".join(f"{number} {word}" for word, number in counts.items())
        click.echo(click.style(text, bold=True, fg="red" if failed or broken else None))
    if junit is not None:
        _write_report(junit, results, broken)
    if not results and not broken:
        click.echo("no test found", err=True)
    context.exit(2 if broken or not results else 1 if failed else 0)


def _write_report(path: Path, results: list[TestResult], broken: list[tuple[Path, str]]) -> None:
    from kro_ls.cli.formats.junit import report

    # A link in a folder from a stranger is not followed; `/dev/stdout` is a link, too, but a safe one.
    if path.is_symlink() and path.absolute().parent != Path("/dev"):
        raise InputError(f"{path} is a symbolic link, which may lead anywhere; name the file that it leads to")
    write(path, report(results, broken))


def _as_json(results: list[TestResult], broken: list[tuple[Path, str]]) -> str:
    import json

    report = json.dumps(
        {
            "results": [
                {
                    "file": unicode_text(each.file),
                    "name": each.name,
                    "messages": [unicode_text(click.unstyle(message)) for message in each.messages],
                    "updated": each.is_changed,
                    "changes": unicode_text(each.changes),
                }
                for each in results
            ],
            "broken": [
                {"file": unicode_text(path), "message": unicode_text(click.unstyle(message))}
                for path, message in broken
            ],
        }
    )
    return printable_literals(report)


def _show(result: TestResult) -> None:
    word = click.style("PASS", fg="green")
    if result.messages:
        word = click.style("FAIL", fg="red", bold=True)
    elif result.changes:
        word = click.style("UPDATED", fg="yellow", bold=True)
    more = " (snapshot written)" if result.updated else ""
    click.echo(f"{word} {shown_name(result.file)}: {printable(result.name)}{more}")
    for line in printable_lines(result.changes).splitlines():
        click.echo(_indented(click.style(line, fg={"-": "red", "+": "green"}.get(line[:1], "cyan"))))
    for message in result.messages:
        click.echo(_indented(message))


def _indented(text: str) -> str:
    return "\n".join(f"  {line}".rstrip() for line in text.splitlines())
