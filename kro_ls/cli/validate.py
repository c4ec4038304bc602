"""`kro-ls validate`: what the API server refuses of any manifests."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import Struct, field

from kro_ls.cli.formats import FORMATS, rendered
from kro_ls.cli.formats.summary import count, listed
from kro_ls.cli.input_error import InputError
from kro_ls.cli.inputs import files_in, read_text
from kro_ls.cli.known_kinds import folder_kinds
from kro_ls.cli.options import format_option
from kro_ls.cli.report import Checked, CheckedFile, Report
from kro_ls.cli.settings_options import CRDS_OPTION
from kro_ls.cli.written import placed_message
from kro_ls.kro.forms import GROUP, KIND
from kro_ls.openapi.json_values import as_text
from kro_ls.openapi.kind_schema import Trust
from kro_ls.openapi.rules.evaluation import rule_errors
from kro_ls.openapi.sources.disk_cache import user_cache
from kro_ls.openapi.validation.objects.refusal import problems
from kro_ls.printable import printable
from kro_ls.rules.diagnostics import Diagnostic, Severity
from kro_ls.rules.files.reported_places import span_at
from kro_ls.rules.resources.refused_object import RULE
from kro_ls.workspace.files import UnreadableFileError
from kro_ls.workspace.manifests_in_texts import LOCAL_GROUPS, Broken, Manifest, manifests_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.kind_schema import KindSchema
    from kro_ls.workspace.manifests_in_texts import Name
    from kro_ls.yaml_positions.text import Text

_MOST_KINDS = 10


@click.command("validate")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(path_type=Path, allow_dash=True))
@CRDS_OPTION
@click.option(
    "--stored",
    metavar="PATH",
    type=click.Path(path_type=Path),
    multiple=True,
    help="Objects that the cluster has: what an edit of them cannot change is refused.",
)
@format_option("How to print what was found: for people (text, concise), programs, or a CI service.", *FORMATS)
@click.option("-q", "--quiet", is_flag=True, help="Print what was found and nothing else.")
@click.pass_context
def command(
    context: click.Context,
    paths: tuple[Path, ...],
    crds: tuple[str, ...],
    stored: tuple[Path, ...],
    output_format: str,
    quiet: bool,
) -> None:
    """Report what the API server refuses of manifests.

    PATH is a file, a folder (its .yaml and .yml files, .gitignore respected), or - for standard input. Each object in
    it is validated as the API server does when it is applied, in its words: the schema of its kind, the rules of custom
    kinds, and what built-in kinds validate in code. What depends on the cluster is not: namespaces, accounts, classes,
    quotas, webhooks, permissions.

    Custom kinds come from the CustomResourceDefinitions and ResourceGraphDefinitions in the PATHs, in --crds and in the
    settings of the folder; of other kinds only the metadata is validated. ResourceGraphDefinitions are left to
    'kro-ls check', which knows what kro refuses.

    \b
    Exit codes:
      0  the API server takes all objects
      1  it refuses some
      2  wrong usage, or a PATH that cannot be read; the others are still validated
    """
    failures: list[str] = []
    texts = list(_texts(paths, failures))
    index = folder_kinds(paths[0], crds, [(str(path), text.content) for path, text, _ in texts], user_cache())
    verdicts = Verdicts()
    stored_objects = _stored(stored)
    files: list[CheckedFile] = []
    for path, text, is_named in texts:
        objects, broken = _split(manifests_in(text))
        if broken and (is_named or not text.contains("{{")):  # a template becomes YAML when it is filled in
            failures.append(placed_message(path, text, broken[0].span, broken[0].message))
        files.append(verdicts.of_file(str(path), text, objects, index, stored_objects))
    report = Report(tuple(files))
    click.echo(_render(report, output_format), nl=False)
    if not quiet:
        _show_summary(verdicts, report, to_error=output_format != "text")
    for each in failures:
        click.echo(f"error: {each}", err=True)
    context.exit(2 if failures else 1 if report.failed else 0)


class Verdicts(Struct):
    """A count of the objects in the files so far: those that were judged, and those that were not."""

    objects: int = 0
    definitions: int = 0
    """How many are ResourceGraphDefinitions, of which `kro-ls check` knows more."""
    unknown_kinds: set[str] = field(default_factory=set)

    def of_file(
        self, path: str, text: Text, objects: Iterable[Manifest], index: SchemaIndex, stored: Mapping[Name, JsonObject]
    ) -> CheckedFile:
        """Return a file with what the API server refuses of its objects; `stored` are those that are there."""
        found: list[Diagnostic] = []
        for each in objects:
            group, kind, _, _ = each.name
            if (group, kind) == (GROUP, KIND):
                self.definitions += 1
            elif group not in LOCAL_GROUPS:
                self.objects += 1
                found += self._of(each, index, stored.get(each.name))
        found.sort(key=lambda diagnostic: diagnostic.span.start)
        return CheckedFile(path, text, Checked(diagnostics=tuple(found)))

    def _of(self, manifest: Manifest, index: SchemaIndex, stored: JsonObject | None) -> Iterator[Diagnostic]:
        value = manifest.value
        for problem in problems(value, self._kind(manifest, index), rule_errors, stored):
            span = span_at(manifest.document, (*manifest.path, *problem.path), in_key=problem.in_key)
            yield Diagnostic(RULE.code, Severity.ERROR, span, problem.message, kro_message=problem.text)

    def _kind(self, manifest: Manifest, index: SchemaIndex) -> KindSchema | None:
        """Return the kind of an object; None if its presence in the cluster is not assured."""
        api_version = as_text(manifest.value.get("apiVersion"))
        group, _, version = api_version.rpartition("/")
        name = manifest.name[1]
        kind = index.find(group, version, name)
        if kind is not None and kind.trust is Trust.FULL:
            return kind
        self.unknown_kinds.add(f"{api_version} {name}")
        return None


def _texts(paths: Iterable[Path], failures: list[str]) -> Iterator[tuple[Path, Text, bool]]:
    """Yield the files with their texts, and whether the user named them."""
    for path, is_named in files_in(paths, lambda error: failures.append(str(error))):
        try:
            yield path, read_text(path), is_named
        except UnreadableFileError as error:
            failures.append(str(error))


def _split(found: Iterable[Manifest | Broken]) -> tuple[list[Manifest], list[Broken]]:
    objects: list[Manifest] = []
    broken: list[Broken] = []
    for each in found:
        if isinstance(each, Broken):
            broken.append(each)
        else:
            objects.append(each)
    return objects, broken


def _stored(paths: Iterable[Path]) -> dict[Name, JsonObject]:
    """Return the objects that the cluster has. Raises InputError for what cannot be read."""
    result: dict[Name, JsonObject] = {}
    failures: list[str] = []
    for path, text, _ in _texts(paths, failures):
        objects, broken = _split(manifests_in(text))
        failures += (placed_message(path, text, each.span, each.message) for each in broken)
        result |= {each.name: each.value for each in objects}
    if failures:
        raise InputError("\n".join(failures), shown=True)
    return result


def _render(report: Report, output_format: str) -> str:
    if output_format != "text":
        return rendered(report, Severity.HINT.value, output_format)
    return "".join("\n".join(_block(file, each)) + "\n\n" for file, each in report.shown(Severity.HINT.value))


def _block(file: CheckedFile, found: Diagnostic) -> Iterator[str]:
    """Yield the lines about one refusal, for people."""
    yield placed_message(Path(file.path), file.text, found.span, f"refused: {found.message}")
    yield f"  note: the API server says: {printable(found.kro_message or '')}"


def _show_summary(verdicts: Verdicts, report: Report, *, to_error: bool) -> None:
    """Print how much was validated, and what was not."""
    errors = count(report.severities[Severity.ERROR], "error")
    lines = [f"Validated {count(verdicts.objects, 'object')} in {count(len(report.files), 'file')}: {errors}"]
    if verdicts.definitions:
        definitions = count(verdicts.definitions, "ResourceGraphDefinition")
        lines.append(f"{definitions} skipped: 'kro-ls check' knows what kro refuses")
    kinds = sorted(verdicts.unknown_kinds)
    if kinds:
        predicate = (
            "kind is unknown; only its metadata was"
            if len(kinds) == 1
            else "kinds are unknown; only their metadata was"
        )
        lines.append(f"{len(kinds)} {predicate} validated: {listed(kinds, _MOST_KINDS)}; see --crds")
    click.echo("\n".join(lines), err=to_error)
