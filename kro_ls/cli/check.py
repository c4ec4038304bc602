"""`kro-ls check`: every fault in files and folders, in a format for people, programs or CI services."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click
from msgspec import Struct

from kro_ls.cli.checking import check_files
from kro_ls.cli.file_check import Options
from kro_ls.cli.formats import FORMATS, rendered
from kro_ls.cli.inputs import STANDARD_INPUT
from kro_ls.cli.report import LEVELS
from kro_ls.cli.settings_options import chosen_selection, chosen_settings, settings_options
from kro_ls.openapi.sources.pack.policy import PackPolicy
from kro_ls.rules.diagnostics import Severity

if TYPE_CHECKING:
    from kro_ls.cli.file_check import FileCheck
    from kro_ls.cli.report import Report
    from kro_ls.cli.settings_options import GivenSettings
    from kro_ls.kro.versions.version import Version

_FOR_PROGRAMS = ("json", "sarif", "gitlab")


class _Level(click.Choice[str]):
    """One of the LEVELS; the plural is understood, too."""

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        one = str(value).removesuffix("s")
        return super().convert(one if one in self.choices else value, param, ctx)


class _Shard(click.ParamType[tuple[int, int]]):
    """`NUMBER/COUNT`: which of how many parts."""

    name = "NUMBER/COUNT"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        if isinstance(value, tuple):
            return value
        number, _, count = str(value).partition("/")
        if not (number.isdecimal() and count.isdecimal() and 1 <= int(number) <= int(count)):
            self.fail(f"{value!r} is not NUMBER/COUNT, such as 1/4 for the first of four parts.", param, ctx)
        return int(number), int(count)


class _Wish(Struct, frozen=True):
    """What a run does with what it finds."""

    paths: tuple[Path, ...]
    options: Options
    versions: tuple[Version, ...]
    output_format: str
    level: str
    with_statistics: bool
    fixes: bool
    only_shows_fixes: bool
    exits_with_zero: bool


@click.command("check")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(path_type=Path, allow_dash=True))
@click.option(
    "--format",
    "--output-format",
    "output_format",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="How to print what was found: for people (text, concise), programs, or a CI service.",
)
@click.option(
    "--show",
    "level",
    type=_Level(tuple(LEVELS)),
    help="The least severity that is printed; the exit code stays.  "
    "[default: information for people; hint in json, sarif and gitlab]",
)
@click.option("--statistics", is_flag=True, help="Count what each rule found, in place of showing it.")
@click.option("fixes", "--fix", is_flag=True, help="Write the fixes that are certain first, and report what is left.")
@click.option("--diff", "only_shows_fixes", is_flag=True, help="Show what --fix would change, and write nothing.")
@click.option("--watch", is_flag=True, help="Check again whenever a file changes, until Ctrl-C.")
@click.option(
    "--shard", type=_Shard(), default="1/1", help="Check only one of several equal parts of the files, such as 2/4."
)
@click.option("--exit-zero", is_flag=True, help="Exit with 0 also where there are errors or warnings.")
@click.option("-q", "--quiet", is_flag=True, help="Print what was found and nothing else.")
@click.option(
    "--stdin-filename",
    "stdin_name",
    metavar="PATH",
    type=click.Path(path_type=Path),
    help="The file that standard input stands for: its folder decides about settings.",
)
@settings_options
@click.pass_context
def command(
    context: click.Context,
    paths: tuple[Path, ...],
    output_format: str,
    level: str | None,
    statistics: bool,
    fixes: bool,
    only_shows_fixes: bool,
    watch: bool,
    shard: tuple[int, int],
    exit_zero: bool,
    quiet: bool,
    stdin_name: Path | None,
    **given: Unpack[GivenSettings],
) -> None:
    """Report the faults in ResourceGraphDefinitions.

    PATH is a file, a folder (its .yaml and .yml files, .gitignore respected), or - for standard input. Files with
    ResourceGraphDefinitions, CustomResourceDefinitions, instances of the former, and tests for 'kro-ls test' are
    checked; others are skipped.

    --select and --ignore take codes and prefixes of codes; the longest that matches a code decides, and --ignore wins a
    tie. They override .kro-ls.yaml; comments in files silence selected rules, too. The last line counts ignored errors
    for which kro still refuses the definition.

    --fix rewrites definitions where the fix is certain: where a rule has one fix and it introduces no error.
    The new text of standard input goes to standard output, and remaining diagnostics go to standard error.

    Custom kinds come from the CustomResourceDefinitions and ResourceGraphDefinitions in the PATHs and in --crds.
    Kinds of well-known projects come with kro-ls; what rests on them alone is at most a warning and does not fail,
    unless --kinds strict says that your cluster has them like this. Templates of other kinds are not checked; with
    --severity unknown-kind=error an unknown kind is an error.

    \b
    Exit codes:
      0  neither errors nor warnings (hints do not fail), or --exit-zero; with --diff: nothing to fix
      1  errors or warnings; with --diff: something to fix
      2  wrong usage, or a PATH that cannot be read or written; the others are still checked
    """
    versions, crds = given["versions"], given["crds"]
    if len(versions) > 1 and (output_format != "text" or statistics or only_shows_fixes):
        raise click.UsageError("several versions of kro are compared in a table, which is a text")
    if statistics and output_format not in ("text", "concise", "json"):
        raise click.UsageError(f"--statistics has no form for --format {output_format}; use text or json")
    options = Options(
        chosen_settings(given),
        crds,
        given["kubernetes_version"],
        names_version=bool(versions),
        selection=chosen_selection(given),
        stdin_name=stdin_name,
        is_quiet=quiet,
        well_known=PackPolicy.of(dict(given["well_known"])),
        shard=shard,
    )
    level = level or (Severity.HINT if output_format in _FOR_PROGRAMS else Severity.INFORMATION).value
    wish = _Wish(paths, options, versions, output_format, level, statistics, fixes, only_shows_fixes, exit_zero)
    if not watch:
        context.exit(_run(wish))
    if fixes or only_shows_fixes or STANDARD_INPUT in paths:
        raise click.UsageError("--watch only looks at files: it goes with neither --fix, nor --diff, nor -")
    from kro_ls.cli.watching import keep_running

    keep_running(lambda: _run(wish), paths, crds)


def _run(wish: _Wish) -> int:
    """Check, print what was found, and return the exit code."""
    options = wish.options
    report, check = check_files(wish.paths, options)
    failures: list[Exception] = []
    if wish.only_shows_fixes:
        return _show_differences(report, check)
    prints_text = wish.fixes and STANDARD_INPUT in wish.paths
    if wish.fixes:
        from kro_ls.cli.fixing import fix_files

        stdin = options.stdin_name or STANDARD_INPUT
        fixed = fix_files(report, check, wish.paths, stdin, is_quiet=options.is_quiet)
        failures += fixed.failed
        stdin_text = check.sources.texts.get(str(stdin), "") if fixed.stdin is None else fixed.stdin
        if prints_text:
            click.echo(stdin_text.encode(), nl=False)
        if fixed.is_any:
            report, check = check_files(wish.paths, options, stdin_text if prints_text else None)
    failures += report.unreadable
    if len(wish.versions) > 1:
        from kro_ls.cli.formats import version_table

        table, failed = version_table.render(report, check, options.settings, wish.versions)
        click.echo(table, nl=False, err=prints_text)
    else:
        click.echo(_render(report, check, wish), nl=False, err=prints_text)
        failed = report.failed
    _show_failures(failures)
    if not report.files and not failures and not options.is_quiet:
        click.echo("no ResourceGraphDefinition found", err=True)
        _show_broken_yaml(wish.paths)
    return 2 if failures else 1 if failed and not wish.exits_with_zero else 0


def _show_broken_yaml(paths: tuple[Path, ...]) -> None:
    """Print why the named files are not valid YAML, which may be why nothing is found in them."""
    from kro_ls.cli.inputs import position_text, read_text
    from kro_ls.printable import printable
    from kro_ls.yaml_positions.documents.stream import parse_stream

    for path in paths:
        if path == STANDARD_INPUT or not path.is_file():
            continue
        text = read_text(path)
        error = next((each for document in parse_stream(text).documents for each in document.errors), None)
        if error is not None and not text.contains("{{"):  # a template becomes YAML when it is filled in
            where = position_text(path, text, error.start)
            click.echo(printable(f"{where}: YAML cannot read this: {error.message}"), err=True)


def _show_differences(report: Report, check: FileCheck) -> int:
    from kro_ls.cli.fixing import differences

    is_any = False
    for difference in differences(report, check):
        is_any = True
        click.echo(difference, nl=False)
    _show_failures(report.unreadable)
    return 2 if report.unreadable else 1 if is_any else 0


def _show_failures(failures: tuple[Exception, ...] | list[Exception]) -> None:
    for error in failures:
        click.echo(f"error: {error}", err=True)


def _render(report: Report, check: FileCheck, wish: _Wish) -> str:
    """Return what to print; every format is imported only when it is used."""
    output_format, level = wish.output_format, wish.level
    if wish.with_statistics:
        from kro_ls.cli.formats import statistics

        found = (statistics.render_json if output_format == "json" else statistics.render)(report, level)
    elif output_format == "text":
        from kro_ls.cli.formats import text

        found = text.render(report, level, check)
    else:
        found = rendered(report, level, output_format)
    if output_format in _FOR_PROGRAMS or output_format == "junit" or not report.files or wish.options.is_quiet:
        return found
    from kro_ls.cli.formats.summary import summary

    return f"{found}{click.style(summary(report, level), bold=output_format != 'github')}\n"
