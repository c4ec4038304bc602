"""`kro-ls check`: every fault in files and folders, in the format of a person, a program or a CI service."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kro_ls.cli.checking import check_files
from kro_ls.cli.kro_versions import VersionsType
from kro_ls.cli.rule_codes import find_rule
from kro_ls.kro.feature_gates import FEATURE_GATES
from kro_ls.kro.versions.version import NEWEST
from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.settings import Settings

if TYPE_CHECKING:
    from kro_ls.cli.checking import Report
    from kro_ls.kro.versions.version import Version


_OFF = "off"


class _SeverityOfRule(click.ParamType[tuple[str, Severity | None]]):
    """`CODE=SEVERITY`, both known."""

    name = "CODE=SEVERITY"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, Severity | None]:
        code, separator, severity = str(value).partition("=")
        allowed = (*(each.value for each in Severity), _OFF)
        if not separator or severity not in allowed:
            self.fail(f"{value!r} is not CODE=SEVERITY with one of {', '.join(allowed)}.", param, ctx)
        try:
            rule = find_rule(code)
        except LookupError as error:
            self.fail(str(error), param, ctx)
        return rule.code, None if severity == _OFF else Severity(severity)


@click.command("check")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--format",
    "output_format",
    type=click.Choice(["text", "json", "sarif", "github"]),
    default="text",
    show_default=True,
    help="How to print what was found.",
)
@click.option(
    "severities",
    "--severity",
    type=_SeverityOfRule(),
    multiple=True,
    help="Give a rule another severity: error, warning, information, hint, or off. May be repeated.",
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
@click.option(
    "fixes",
    "--fix",
    is_flag=True,
    help="Write the fixes that are certain into the files first, and report what is left.",
)
@click.pass_context
def command(
    context: click.Context,
    paths: tuple[Path, ...],
    output_format: str,
    severities: tuple[tuple[str, Severity | None], ...],
    feature_gates: tuple[str, ...],
    crds: tuple[str, ...],
    kubernetes_version: str | None,
    versions: tuple[Version, ...],
    fixes: bool,
) -> None:
    """Report the faults in ResourceGraphDefinitions.

    PATH is a file, a folder (its .yaml and .yml files, .gitignore respected), or - for standard input. Files without
    ResourceGraphDefinitions and CustomResourceDefinitions are skipped.

    With --fix the definitions are rewritten where that is certain: where a rule knows one fix and no error comes by it.

    Custom kinds are known from the CustomResourceDefinitions and ResourceGraphDefinitions in the PATHs and in --crds.
    Templates of other kinds are not checked; with --severity unknown-kind=error a kind that is not known fails.

    \b
    Exit codes:
      0  neither errors nor warnings (hints do not fail; json and sarif list them)
      1  errors or warnings
      2  wrong usage, or a PATH that cannot be read or written; the others are still checked
    """
    if len(versions) > 1 and output_format != "text":
        raise click.UsageError("several versions of kro are compared in a table, which is a text")
    settings = Settings(severities, frozenset(feature_gates), versions[0] if versions else NEWEST)
    check = partial(
        check_files, paths, settings, crds=crds, kubernetes_version=kubernetes_version, names_version=bool(versions)
    )
    report = check()
    failures: list[Exception] = []
    if fixes:
        from kro_ls.cli.fixing import fix_files

        fixed = fix_files(report, settings, paths, names_version=bool(versions))
        failures += fixed.failed
        if fixed.is_any:
            report = check()
    failures += report.unreadable
    if len(versions) > 1:
        from kro_ls.cli.formats import version_table

        table, refused = version_table.render(report, settings, versions)
        click.echo(table, nl=False)
        failed = refused
    else:
        click.echo(_render(report, output_format), nl=False)
        failed = report.failed
    for error in failures:
        click.echo(f"error: {error}", err=True)
    if not report.files and not failures:
        click.echo("no ResourceGraphDefinition found", err=True)
    context.exit(2 if failures else 1 if failed else 0)


def _render(report: Report, output_format: str) -> str:
    if output_format == "json":
        from kro_ls.cli.formats import json_report

        return json_report.render(report)
    if output_format == "sarif":
        from kro_ls.cli.formats import sarif

        return sarif.render(report)
    if output_format == "github":
        from kro_ls.cli.formats import github

        return github.render(report)
    from kro_ls.cli.formats import text

    return text.render(report)
