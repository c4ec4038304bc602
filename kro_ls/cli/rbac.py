"""`kro-ls rbac`: what kro must be allowed to do for definitions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import Struct

from kro_ls.analysis.needed_permissions import (
    RBAC_GROUP,
    Need,
    Unknown,
    compare,
    is_aggregated,
    needs_of,
    roles_in,
    rules_of,
)
from kro_ls.cli.input_error import InputError
from kro_ls.cli.inputs import require_rendered, texts_in
from kro_ls.cli.known_kinds import folder_kinds
from kro_ls.cli.options import echo_json
from kro_ls.cli.settings_options import CRDS_OPTION
from kro_ls.cli.written import documents_of, placed_message, read_documents
from kro_ls.golang.plural import plural
from kro_ls.graphs import frames_of
from kro_ls.kro.controller import AGGREGATION_LABEL
from kro_ls.printable import printable
from kro_ls.runtime.cluster.scenario import InputProblem
from kro_ls.workspace.snapshot import file_snapshot
from kro_ls.yaml_positions.nodes import text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.needed_permissions import Comparison, Permission
    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.yaml_positions.text import Text

_PATHS = click.Path(path_type=Path)


class _Wanted(Struct, frozen=True):
    """What kro needs for a definition."""

    definition: str
    found: Need | Unknown


@click.command("rbac")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=_PATHS)
@click.option("--diff", "role", metavar="ROLE", type=_PATHS, help="Compare with the ClusterRoles of a file.")
@click.option("--name", help="The name of the ClusterRole; by default it names the kind of the only definition.")
@CRDS_OPTION
@click.option(
    "--format",
    "output_format",
    type=click.Choice(["yaml", "text", "json"]),
    help="yaml is a ClusterRole (the default), text says what each permission is for (the default with --diff).",
)
@click.pass_context
def command(
    context: click.Context,
    paths: tuple[Path, ...],
    role: Path | None,
    name: str | None,
    crds: tuple[str, ...],
    output_format: str | None,
) -> None:
    """Write the least ClusterRole that kro needs for definitions.

    PATH is a file or folder with ResourceGraphDefinitions; - is standard input. kro needs more than the chart's mode
    "aggregation" grants: for the objects of templates, for external references, for instances and their status, and
    all that Roles in templates grant. The label of the ClusterRole makes the chart's role take it in. Where the PATHs
    hold ClusterRoles with that label, warnings say what these lack.

    \b
    Exit codes:
      0  with --diff: the role grants all that kro needs
      1  with --diff: something is missing
      2  wrong usage, or a file that cannot be read or holds no definition or role
    """
    if role and output_format == "yaml":
        raise click.UsageError("--diff prints text or json")
    texts = list(texts_in(paths, skips_unreadable=True))
    definitions = list(_definitions(paths[0], texts, crds))
    if not definitions:
        raise InputError("no ResourceGraphDefinition found")
    wanted = [_Wanted(_name(rgd), each) for rgd in definitions for each in needs_of(frames_of(rgd))]
    if role:
        compared = compare((need.permission for _, need in _needs(wanted)), _roles(role))
        if output_format == "json":
            echo_json({**_as_json(compared, wanted), "notes": [*compared.uncounted, *_notes(wanted)]})
        else:
            click.echo(_difference(compared, wanted), nl=False)
            _print_notes([*compared.uncounted, *_notes(wanted)])
        context.exit(1 if compared.missing else 0)
    for warning in _lacking(texts, wanted):
        click.echo(warning, err=True)
    cluster_role = _cluster_role(name or _role_name(definitions), wanted)
    if output_format == "json":
        echo_json(
            {
                "role": cluster_role,
                "needs": [_permission_json(*each) for each in _uses(wanted).items()],
                "notes": list(_notes(wanted)),
            }
        )
        return
    if output_format == "text":
        click.echo(_table(wanted), nl=False)
    else:
        from kro_ls.render.yaml_text import to_yaml

        click.echo(to_yaml(cluster_role), nl=False)
    _print_notes(_notes(wanted))


def _definitions(first: Path, texts: list[tuple[Path, Text]], crds: tuple[str, ...]) -> Iterator[RgdAnalysis]:
    kinds = folder_kinds(first, crds, [(str(path), text.content) for path, text in texts])
    for path, text in texts:
        analysis = file_snapshot(path, text, kinds).document.analysis
        if analysis.rgds:
            require_rendered(path, analysis)
        yield from analysis.rgds


def _roles(path: Path) -> list[JsonValue]:
    """Return the objects of a file with roles. Raises InputError where it has none."""
    values = [each.value for each in read_documents(path)]
    if not any(True for value in values for _ in roles_in(value)):
        raise InputError(f"no ClusterRole found in {path}")
    return values


def _lacking(texts: list[tuple[Path, Text]], wanted: list[_Wanted]) -> Iterator[str]:
    """Yield what the ClusterRoles beside the definitions lack that the chart takes in, at the first of them."""
    written = [
        each
        for path, text in texts
        if AGGREGATION_LABEL in text.content and "{{" not in text.content
        for each in documents_of(path, text)
        if any(map(is_aggregated, roles_in(each.value)))
    ]
    if not written:
        return
    compared = compare((need.permission for _, need in _needs(wanted)), (each.value for each in written))
    first = written[0]
    span = first.span(InputProblem(("metadata", "name"), ""))
    for target, verbs, use in _by_resource(compared.missing, _uses(wanted)):
        yield placed_message(first.path, first.text, span, f"warning: kro lacks {verbs} {target} ({use})")


def _needs(wanted: Iterable[_Wanted]) -> Iterator[tuple[str, Need]]:
    return ((each.definition, each.found) for each in wanted if isinstance(each.found, Need))


def _name(rgd: RgdAnalysis) -> str:
    """Return the name of a definition, as far as it has one."""
    written = rgd.rgd.document.child(("metadata", "name"))
    name = text_of(written.node) if written else None
    return name or (rgd.section.kind if rgd.section else None) or "?"


def _role_name(definitions: list[RgdAnalysis]) -> str:
    """Return the name of the role in the manner of the chart: `kro:controller:webapps`."""
    kinds = [rgd.section.kind for rgd in definitions if rgd.section and rgd.section.kind]
    return f"kro:controller:{plural(kinds[0]) if len(definitions) == 1 and kinds else 'definitions'}"


def _cluster_role(name: str, wanted: Iterable[_Wanted]) -> JsonObject:
    rules: list[JsonValue] = [*rules_of(need.permission for _, need in _needs(wanted))]
    return {
        "apiVersion": f"{RBAC_GROUP}/v1",
        "kind": "ClusterRole",
        "metadata": {"name": name, "labels": {AGGREGATION_LABEL: "true"}},
        "rules": rules,
    }


def _notes(wanted: Iterable[_Wanted]) -> Iterator[str]:
    """Yield what the user has to know beside the permissions, each once."""
    found: dict[str, None] = {}
    for each in wanted:
        if isinstance(each.found, Unknown):
            found[f"{each.definition}: {each.found.node}: {each.found.message}"] = None
        elif each.found.guessed_kind:
            kind = f"kind '{each.found.guessed_kind}' is not known"
            message = f"{kind}, so '{each.found.permission.resource}' is a guess; name its CRD with --crds"
            found[f"{each.definition}: {each.found.node}: {message}"] = None
    return iter(found)


def _print_notes(notes: Iterable[str]) -> None:
    for note in notes:
        click.echo(printable(f"note: {note}"), err=True)


def _uses(wanted: Iterable[_Wanted]) -> dict[Permission, list[str]]:
    """Return what each permission is for."""
    uses: dict[Permission, list[str]] = {}
    for definition, need in _needs(wanted):
        use = f"{definition}: {f'{need.node}, ' if need.node else ''}{need.why}"
        known = uses.setdefault(need.permission, [])
        if use not in known:
            known.append(use)
    return uses


def _by_resource(permissions: Iterable[Permission], uses: dict[Permission, list[str]]) -> list[tuple[str, str, str]]:
    """Return a row for each resource and use: the resource, its verbs, the use, which is empty for what has none."""
    verbs: dict[tuple[str, str], list[str]] = {}
    for permission in permissions:
        for use in uses.get(permission, [""]):
            verbs.setdefault((permission.target, use), []).append(permission.verb)
    return [(target, ",".join(own), use) for (target, use), own in verbs.items()]


def _table(wanted: list[_Wanted]) -> str:
    uses = _uses(wanted)
    rows = [("RESOURCE", "VERBS", "FOR"), *_by_resource(uses, uses)]
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    lines = (f"{row[0]:{widths[0]}}  {row[1]:{widths[1]}}  {row[2]}" for row in rows)
    return "".join(f"{printable(line)}\n" for line in lines)


def _difference(compared: Comparison, wanted: list[_Wanted]) -> str:
    lines = [
        f"{click.style('missing', fg='red')}     {printable(f'{verbs} {target} ({use})')}"
        for target, verbs, use in _by_resource(compared.missing, _uses(wanted))
    ]
    lines += [
        f"{click.style('not needed', fg='yellow')}  {printable(f'{verbs} {target}')}"
        for target, verbs, _ in _by_resource(compared.superfluous, {})
    ]
    return "".join(f"{line}\n" for line in lines or ["the role grants what kro needs, and no more"])


def _as_json(compared: Comparison, wanted: list[_Wanted]) -> JsonObject:
    uses = _uses(wanted)
    missing: list[JsonValue] = [_permission_json(each, uses[each]) for each in compared.missing]
    superfluous: list[JsonValue] = [_permission_json(each, []) for each in compared.superfluous]
    return {"missing": missing, "superfluous": superfluous}


def _permission_json(permission: Permission, uses: list[str]) -> JsonObject:
    shown: JsonObject = {"group": permission.group, "resource": permission.resource, "verb": permission.verb}
    shown |= {"name": permission.name} if permission.name else {}
    shown = {"url": permission.url, "verb": permission.verb} if permission.url else shown
    return {**shown, "for": [*uses]} if uses else shown
