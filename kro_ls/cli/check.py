"""`kro-ls check`: every fault in files and folders, in the format of a person, a program or a CI service."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import Struct

from kro_ls.cli.checking import Options, check_files
from kro_ls.cli.inputs import STANDARD_INPUT
from kro_ls.cli.kro_versions import VersionsType
from kro_ls.cli.report import LEVELS
from kro_ls.cli.rule_codes import complete_codes, find_rule
from kro_ls.cli.selection import CodesType, Selection
from kro_ls.kro.feature_gates import FEATURE_GATES
from kro_ls.kro.versions.version import NEWEST
from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.settings import Settings

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from kro_ls.cli.file_check import FileCheck
    from kro_ls.cli.report import Report
    from kro_ls.kro.versions.version import Version

_OFF = "off"
_FORMATS = ("text", "concise", "json", "sarif", "github", "gitlab", "junit")


class _SeverityOfRule(click.ParamType[tuple[str, Severity | None]]):
    """`CODE=SEVERITY`, both known."""

    name = "CODE=SEVERITY"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, Severity | None]:
        code, separator, severity = str(value).partition("=")
        if not separator or severity not in _SEVERITIES:
            self.fail(f"{value!r} is not CODE=SEVERITY with one of {', '.join(_SEVERITIES)}.", param, ctx)
        try:
            rule = find_rule(code)
        except LookupError as error:
            self.fail(str(error), param, ctx)
        return rule.code, None if severity == _OFF else Severity(severity)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002 (click's signature)
        from click.shell_completion import CompletionItem

        code, separator, begun = incomplete.partition("=")
        if separator:
            return [CompletionItem(f"{code}={each}") for each in _SEVERITIES if each.startswith(begun)]
        return complete_codes(incomplete)


_SEVERITIES = (*(each.value for each in Severity), _OFF)


class _Wish(Struct, frozen=True):
    """What a run is asked to do with what it finds."""

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
    type=click.Choice(_FORMATS),
    default="text",
    show_default=True,
    help="How to print what was found: for people (text, concise), programs, or a CI service.",
)
@click.option(
    "--select",
    "selected",
    type=CodesType(),
    multiple=True,
    help="Report only these rules: codes, or beginnings of codes. May be repeated.",
)
@click.option(
    "--ignore",
    "ignored",
    type=CodesType(),
    multiple=True,
    help="Do not report these rules: codes, or beginnings of codes. May be repeated.",
)
@click.option(
    "severities",
    "--severity",
    type=_SeverityOfRule(),
    multiple=True,
    help="Give a rule another severity: error, warning, information, hint, or off. May be repeated.",
)
@click.option(
    "--show",
    "level",
    type=click.Choice(tuple(LEVELS)),
    default="information",
    show_default=True,
    help="The least that text, concise and github print; hints never fail a check.",
)
@click.option("--statistics", is_flag=True, help="Count what each rule found, in place of showing it.")
@click.option("fixes", "--fix", is_flag=True, help="Write the fixes that are certain first, and report what is left.")
@click.option("--diff", "only_shows_fixes", is_flag=True, help="Show what --fix would change, and write nothing.")
@click.option("--watch", is_flag=True, help="Check again whenever a file changes, until Ctrl-C.")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 also where there are errors or warnings.")
@click.option("-q", "--quiet", is_flag=True, help="Print what was found and nothing else.")
@click.option(
    "--stdin-filename",
    "stdin_name",
    metavar="PATH",
    type=click.Path(path_type=Path),
    help="The file that standard input stands for: its folder decides about settings.",
)
@click.option(
    "feature_gates",
    "--feature-gate",
    type=click.Choice(tuple(FEATURE_GATES)),
    multiple=True,
    help="A feature gate of kro that is on in your cluster. May be repeated.",
)
@click.option(
    "crds",
    "--crds",
    metavar="PATH",
    multiple=True,
    help="A file, folder or glob with CustomResourceDefinitions of kinds that the definitions use. May be repeated.",
)
@click.option(
    "--kubernetes-version",
    metavar="MINOR",
    help="The Kubernetes whose own kinds are known, such as 1.36; the newest known one by default.",
)
@click.option(
    "versions",
    "--kro-version",
    type=VersionsType(),
    default=(),
    help="The version of kro that you run; of several a table tells which ones accept what. "
    f"Without it a .kro-ls.yaml decides, else {NEWEST}.",
)
@click.pass_context
def command(
    context: click.Context,
    paths: tuple[Path, ...],
    output_format: str,
    selected: tuple[tuple[str, ...], ...],
    ignored: tuple[tuple[str, ...], ...],
    severities: tuple[tuple[str, Severity | None], ...],
    level: str,
    statistics: bool,
    fixes: bool,
    only_shows_fixes: bool,
    watch: bool,
    exit_zero: bool,
    quiet: bool,
    stdin_name: Path | None,
    feature_gates: tuple[str, ...],
    crds: tuple[str, ...],
    kubernetes_version: str | None,
    versions: tuple[Version, ...],
) -> None:
    """Report the faults in ResourceGraphDefinitions.

    PATH is a file, a folder (its .yaml and .yml files, .gitignore respected), or - for standard input. Files without
    ResourceGraphDefinitions and CustomResourceDefinitions are skipped.

    --select and --ignore take codes and beginnings of codes; the longest that fits a code decides, and --ignore wins a
    tie. They count more than a .kro-ls.yaml; comments in files silence what is selected, too. What is ignored although
    kro refuses it is counted in the last line.

    With --fix the definitions are rewritten where that is certain: where a rule knows one fix and no error comes by it.

    Custom kinds are known from the CustomResourceDefinitions and ResourceGraphDefinitions in the PATHs and in --crds.
    Templates of other kinds are not checked; with --severity unknown-kind=error a kind that is not known fails.

    \b
    Exit codes:
      0  neither errors nor warnings (hints do not fail), or --exit-zero; with --diff: nothing to fix
      1  errors or warnings; with --diff: something to fix
      2  wrong usage, or a PATH that cannot be read or written; the others are still checked
    """
    if len(versions) > 1 and (output_format != "text" or statistics or only_shows_fixes):
        raise click.UsageError("several versions of kro are compared in a table, which is a text")
    if statistics and output_format not in ("text", "concise", "json"):
        raise click.UsageError(f"--statistics has no form for --format {output_format}; use text or json")
    options = Options(
        Settings(severities, frozenset(feature_gates), versions[0] if versions else NEWEST),
        crds,
        kubernetes_version,
        names_version=bool(versions),
        selection=Selection(tuple(chain(*selected)), tuple(chain(*ignored))),
        stdin_name=stdin_name,
        is_quiet=quiet,
    )
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
    if wish.fixes:
        from kro_ls.cli.fixing import fix_files

        stdin = options.stdin_name or STANDARD_INPUT
        fixed = fix_files(report, check, wish.paths, stdin, is_quiet=options.is_quiet)
        failures += fixed.failed
        if fixed.is_any:
            report, check = check_files(wish.paths, options)
    failures += report.unreadable
    if len(wish.versions) > 1:
        from kro_ls.cli.formats import version_table

        table, failed = version_table.render(report, check, options.settings, wish.versions)
        click.echo(table, nl=False)
    else:
        click.echo(_render(report, check, wish), nl=False)
        failed = report.failed
    _show_failures(failures)
    if not report.files and not failures and not options.is_quiet:
        click.echo("no ResourceGraphDefinition found", err=True)
    return 2 if failures else 1 if failed and not wish.exits_with_zero else 0


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
    output_format = wish.output_format
    if output_format == "json":
        from kro_ls.cli.formats import json_report, statistics

        return statistics.render_json(report) if wish.with_statistics else json_report.render(report)
    if output_format == "sarif":
        from kro_ls.cli.formats import sarif

        return sarif.render(report)
    if output_format == "gitlab":
        from kro_ls.cli.formats import gitlab

        return gitlab.render(report)
    if output_format == "junit":
        from kro_ls.cli.formats import junit_check

        return junit_check.render(report)
    found = _rendered_for_people(report, check, wish)
    if not report.files or wish.options.is_quiet:
        return found
    from kro_ls.cli.formats.summary import summary

    return f"{found}{click.style(summary(report, wish.level), bold=output_format != 'github')}\n"


def _rendered_for_people(report: Report, check: FileCheck, wish: _Wish) -> str:
    if wish.with_statistics:
        from kro_ls.cli.formats import statistics

        return statistics.render(report, wish.level)
    if wish.output_format == "github":
        from kro_ls.cli.formats import github

        return github.render(report, wish.level)
    if wish.output_format == "concise":
        from kro_ls.cli.formats import concise

        return concise.render(report, wish.level)
    from kro_ls.cli.formats import text

    return text.render(report, wish.level, check)
