"""`kro-ls new`: a first definition, from a template of ours or from manifests."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from kro_ls.authoring.from_manifests.drafting import draft
from kro_ls.authoring.from_manifests.known_fields import ChartValues
from kro_ls.authoring.from_manifests.proof import proved
from kro_ls.authoring.from_manifests.writing import definition_yaml
from kro_ls.authoring.from_template import TEMPLATES, template_text
from kro_ls.cli.formats.summary import count
from kro_ls.cli.input_error import InputError
from kro_ls.cli.inputs import STANDARD_INPUT, texts_in
from kro_ls.cli.kinds.connecting import cluster_options
from kro_ls.cli.known_kinds import folder_kinds
from kro_ls.cli.new_from_cluster import cluster_objects
from kro_ls.cli.new_python import python_program
from kro_ls.cli.settings_options import CRDS_OPTION
from kro_ls.cli.written import placed_message, read_documents
from kro_ls.kro.identifiers import is_kind
from kro_ls.openapi.json_values import as_object
from kro_ls.printable import printable
from kro_ls.render.yaml_text import to_yaml
from kro_ls.workspace.manifests_in_texts import LOCAL_GROUPS, Broken, manifests_in
from kro_ls.workspace.snapshot import file_snapshot
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kro_ls.authoring.from_manifests.drafting import Draft
    from kro_ls.authoring.from_manifests.proof import Proof
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.json_values import JsonObject

_FILE = click.Path(path_type=Path)
_SEPARATOR: Final = "\0"
_MOST_SHOWN: Final = 10


class _SeveralPaths(click.Command):
    """Lets `--from` take all paths that follow it."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Join the paths after each `--from` to one value."""
        joined: list[str] = []
        is_path = False
        for each in args:
            is_option = each.startswith("-") and each != "-"
            if is_path and not is_option and joined[-1] != "--from":
                joined[-1] += _SEPARATOR + each
            else:
                joined.append(each)
            is_path = each == "--from" or (is_path and not is_option)
        return super().parse_args(ctx, joined)


@click.command("new", cls=_SeveralPaths)
@click.option("--template", type=click.Choice(tuple(TEMPLATES)), help="Start from a definition of ours.")
@click.option(
    "--from",
    "inputs",
    metavar="PATH...",
    multiple=True,
    help="Start from manifests: files, folders, - for standard input. Once for each variant, such as production.",
)
@click.option(
    "--cluster", "from_cluster", is_flag=True, help="Start from a namespace of a cluster, read with your kubectl."
)
@cluster_options
@click.option("--namespace", metavar="NAME", help="The namespace for --cluster.")
@click.option(
    "-l", "--selector", metavar="LABELS", help="With --cluster, only objects with such labels, as kubectl takes them."
)
@click.option("--values", "values_file", type=_FILE, help="The values of the Helm chart that rendered the manifests.")
@click.option("--values-schema", "schema_file", type=_FILE, help="The chart's values.schema.json.")
@click.option("--kind", help="The kind that the definition declares.")
@click.option(
    "--python", is_flag=True, help="With --from FILE: write the definition in the file as a program in Python."
)
@click.option("--plain", is_flag=True, help="Leave out the comments that explain each guess.")
@click.option("-o", "--output", type=_FILE, help="Write the definition to a new file.")
@click.option("--instances", type=_FILE, help="Write the instances that give the manifests to a new file.")
@CRDS_OPTION
@click.pass_context
def command(
    context: click.Context,
    template: str | None,
    inputs: tuple[str, ...],
    from_cluster: bool,
    name: str,
    allow_exec: bool,
    namespace: str | None,
    selector: str | None,
    values_file: Path | None,
    schema_file: Path | None,
    kind: str | None,
    python: bool,
    plain: bool,
    output: Path | None,
    instances: Path | None,
    crds: tuple[str, ...],
) -> None:
    """Write a first definition from a template or manifests.

    Without --template and --from, a terminal asks what to start from.

    With --from, objects become resources with ids, and names that stand in other objects become references. What
    varies between several --from becomes the schema; objects that only some of them have get an includeWhen, and
    objects that differ in one word become a collection. The result is checked, and previewed with an instance for each
    input: it must give the same objects.

    With --cluster, the input is what people made in a namespace, without what the API server and controllers wrote.
    It is only read. Secrets are left out.

    With --python, the input is a definition, which becomes a typed composition in Python that builds an equal one.

    \b
    Exit codes:
      0  the definition is written
      1  it is written, and something is left to do: a warning, or an object that is not the same
      2  wrong usage, or a PATH that cannot be read or used
    """
    if kind is not None and not is_kind(kind):
        raise click.UsageError(f"--kind {printable(kind)}: a kind is a word such as WebApp")
    is_input, is_of_cluster = bool(inputs) or from_cluster, name or allow_exec or namespace or selector
    for is_wrong, message in (
        (template and inputs, "--template and --from exclude each other"),
        ((values_file or schema_file) and not inputs, "--values and --values-schema belong to --from"),
        (instances and not is_input, "--instances belongs to --from and --cluster"),
        (schema_file and not values_file, "--values-schema describes the values: give --values as well"),
        (
            values_file and len(inputs) > 1,
            "--values belongs to one --from; of several, what varies becomes the schema",
        ),
        (from_cluster and (inputs or template), "--cluster excludes --from and --template"),
        (from_cluster and not namespace, "say which namespace: --cluster --namespace NAME"),
        (
            is_of_cluster and not from_cluster,
            "--context, --allow-exec, --namespace and --selector belong to --cluster",
        ),
    ):
        if is_wrong:
            raise click.UsageError(message)
    if python:
        _write(output, python_program(_only_file(inputs, kind, plain=plain), crds))
        _show_next(output, "build")
        return
    if not inputs and not from_cluster:
        template, kind = (template, kind) if template else _asked(kind)
        _write(output, template_text(template, kind or ""))
        _show_next(output)
        return
    if from_cluster:
        kinds, namespace = folder_kinds(Path(), crds), namespace or ""
        objects = cluster_objects(name, namespace, selector or "", kinds, allow_exec=allow_exec)
        made = draft([objects], kinds, namespace, None, kind or "")
    else:
        made, kinds = _drafted(inputs, values_file, schema_file, kind, crds)
    text = definition_yaml(made, plain=plain)
    document = file_snapshot(output or Path("new.yaml"), Text(text), kinds).document
    proof = proved(document, made.inputs, made.instances(), kinds)
    _write(output, text)
    if instances:
        _write(instances, "---\n".join(to_yaml(each) for each in made.instances()))
    _show_proof(made, proof, output, document.text)
    _show_next(output)
    context.exit(1 if proof.diagnostics or proof.differences else 0)


def _only_file(inputs: tuple[str, ...], kind: str | None, *, plain: bool) -> Path:
    """Return the file of `--python`. Raises UsageError for anything else than one."""
    if kind or plain:
        raise click.UsageError("--python writes the definition as it is: --kind and --plain have no place there")
    if len(inputs) != 1 or _SEPARATOR in inputs[0] or not Path(inputs[0]).is_file():
        raise click.UsageError("--python takes one file with a definition: --from FILE --python")
    return Path(inputs[0])


def _asked(kind: str | None) -> tuple[str, str | None]:
    """Ask a person at a terminal what to start from. Raises UsageError without a terminal."""
    if not _is_terminal():
        raise click.UsageError(f"say what to start from: --from PATH, or --template {'|'.join(TEMPLATES)}")
    for name, means in TEMPLATES.items():
        click.echo(f"  {name:12}{means}", err=True)
    template = click.prompt("Start from", type=click.Choice(tuple(TEMPLATES)), default="web-app", err=True)
    while kind is None:
        answer = click.prompt(
            "Kind that it declares (empty: as the template)", default="", show_default=False, err=True
        )
        if answer and not is_kind(answer):
            click.echo("a kind is a word such as WebApp", err=True)
            continue
        kind = answer
    return template, kind


def _is_terminal() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def _drafted(
    inputs: Sequence[str], values_file: Path | None, schema_file: Path | None, kind: str | None, crds: tuple[str, ...]
) -> tuple[Draft, SchemaIndex]:
    named = [tuple(Path(each) for each in paths.split(_SEPARATOR)) for paths in inputs]
    if sum(paths.count(STANDARD_INPUT) for paths in named) > 1:
        raise click.UsageError("standard input can be read once")
    kinds = folder_kinds(named[0][0], crds)
    chart = None
    if values_file:
        chart = ChartValues(_mapping(values_file), _mapping(schema_file) if schema_file else {})
    return draft([list(_objects(paths)) for paths in named], kinds, _name(named[0][0]), chart, kind or ""), kinds


def _name(path: Path) -> str:
    """Return a name for objects whose names have nothing in common."""
    absolute = path.absolute()
    return "app" if path == STANDARD_INPUT else absolute.name if absolute.is_dir() else absolute.stem


def _mapping(path: Path) -> JsonObject:
    documents = read_documents(path)
    if len(documents) != 1 or not isinstance(documents[0].value, dict):
        raise InputError(f"{path} is no mapping of values")
    return as_object(documents[0].value)


def _objects(paths: Sequence[Path]) -> Iterator[JsonObject]:
    """Yield the objects of one input. Raises UnreadableFileError or InputError for what cannot be read."""
    for path, text in texts_in(paths):
        for found in manifests_in(text):
            if isinstance(found, Broken):
                if text.contains("{{"):
                    raise InputError(f"{path} is a template: let Helm render it first (helm template)")
                raise InputError(placed_message(path, text, found.span, found.message), shown=True)
            if found.name[0] not in LOCAL_GROUPS:
                yield found.value
            elif path in paths or found.name[1] == "Kustomization":
                click.echo(f"{path}: skipped; 'kustomize build' shows what it makes of the others", err=True)


def _write(path: Path | None, text: str) -> None:
    if path is None or path == STANDARD_INPUT:
        click.echo(text, nl=False)
        return
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise InputError(f"{path} exists already; name another file") from None


def _show_proof(made: Draft, proof: Proof, output: Path | None, text: Text) -> None:
    objects = count(sum(map(len, made.inputs)), "object")
    resources, fields = count(len(made.nodes), "resource"), count(len(made.fields.all), "schema field")
    same = "" if proof.diagnostics or proof.differences else "; a preview gives the same objects"
    click.echo(f"{objects} became {resources} and {fields}{same}", err=True)
    for each in proof.diagnostics[:_MOST_SHOWN]:
        message = f"{each.severity.value}[{each.code}]: {each.message}"
        click.echo(placed_message(output or STANDARD_INPUT, text, each.span, message), err=True)
    for difference in proof.differences[:_MOST_SHOWN]:
        click.echo(f"not the same: {printable(difference)}", err=True)


def _show_next(output: Path | None, command: str = "preview") -> None:
    if output is not None and output != STANDARD_INPUT:
        name = printable(str(output))
        click.echo(f"{name} is written. Now try:  kro-ls {command} {name}", err=True)
