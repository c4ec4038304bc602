"""`kro-ls kinds check`: whether the definitions that kro-ls has are those of a cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from msgspec import Struct, field

from kro_ls.cli.formats.summary import listed
from kro_ls.cli.kinds.connecting import cluster_options, connected_kubectl
from kro_ls.cli.known_kinds import known_kinds
from kro_ls.cli.progress import Progress
from kro_ls.kro.rgd_schema import RGD
from kro_ls.openapi.json_values import as_object
from kro_ls.openapi.sources.bundled import kubernetes
from kro_ls.openapi.sources.crds.served_kinds import served_versions
from kro_ls.openapi.sources.store import installed_store
from kro_ls.printable import printable
from kro_ls.workspace.gathering.cluster import Cluster
from kro_ls.workspace.gathering.comparison import difference

if TYPE_CHECKING:
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.kind_schema import GroupVersionKind
    from kro_ls.workspace.gathering.comparison import Difference
    from kro_ls.workspace.gathering.part import Gathered

_MOST_FIELDS = 3


class _Compared(Struct):
    """The results so far: how many kinds agree, which are unknown here, and how each of the others differs."""

    agreeing: int = 0
    unknown: list[GroupVersionKind] = field(default_factory=list)
    differing: list[tuple[str, str]] = field(default_factory=list)


@click.command("check")
@cluster_options
@click.option("-q", "--quiet", is_flag=True, help="Print differences and nothing else.")
@click.pass_context
def command(context: click.Context, name: str, allow_exec: bool, quiet: bool) -> None:
    """Compare the definitions of your store, and those that come with kro-ls, with a cluster.

    The cluster is asked as with 'kro-ls kinds pull'; nothing is written.

    \b
    Exit codes:
      0  what both have is the same
      1  a kind differs: its versions, or a field
      2  wrong usage, or a cluster that does not answer
    """
    cluster = Cluster(connected_kubectl(name, allow_exec=allow_exec))
    index = known_kinds((), files=(), on_error=lambda _: None).index
    compared = _Compared()
    seen: set[tuple[str, str]] = set()
    for each in Progress(is_quiet=quiet).of("Comparing", cluster.every_definition(), noun="definition"):
        seen.add((each.group, each.kind))
        _compare(each, index, compared)
    for kind, message in compared.differing:
        click.echo(printable(f"{kind}: {message}"))
    if not quiet:
        click.echo(_summary(compared, seen), nl=False)
    context.exit(1 if compared.differing else 0)


def _compare(gathered: Gathered, index: SchemaIndex, compared: _Compared) -> None:
    for name, version in served_versions(gathered.definition):
        if name == RGD:
            continue  # kro-ls has its own, more detailed schema of this kind
        known = index.find(name.group, name.version, name.kind)
        if known is None:
            source = _source_of_other_version(index, name)
            if source:
                compared.differing.append((str(name), f"the cluster serves this version, {source} does not"))
            else:
                compared.unknown.append(name)
            continue
        found = difference(known.declared_schema or {}, _schema(version))
        if found:
            compared.differing.append((str(name), f"{_difference_text(found)} ({known.source})"))
        else:
            compared.agreeing += 1


def _source_of_other_version(index: SchemaIndex, name: GroupVersionKind) -> str:
    same = (each for each in index.kinds() if (each.group, each.kind) == (name.group, name.kind))
    other = next(same, None)
    found = index.find(other.group, other.version, other.kind) if other else None
    return found.source if found else ""


def _schema(version: JsonObject) -> JsonObject:
    return as_object(as_object(version.get("schema")).get("openAPIV3Schema"))


def _difference_text(found: Difference) -> str:
    parts = (
        ("the cluster has", found.added),
        ("the cluster lacks", found.removed),
        ("other in the cluster:", found.changed),
    )
    return "; ".join(f"{words} {_outermost(names)}" for words, names in parts if names)


def _outermost(names: tuple[str, ...]) -> str:
    """Return the outermost of some paths; those of inner fields follow theirs."""
    outer: list[str] = []
    for name in names:
        if not outer or not name.startswith((f"{outer[-1]}.", f"{outer[-1]}[", f"{outer[-1]}{{")):
            outer.append(name)
    return listed(outer, _MOST_FIELDS)


def _summary(compared: _Compared, seen: set[tuple[str, str]]) -> str:
    gone = sorted({(name.group, name.kind) for name in installed_store(kubernetes()).names()} - seen)
    differing, unknown = len(compared.differing), len(compared.unknown)
    lines = [f"{compared.agreeing} agree, {differing} differ, {unknown} only in the cluster"]
    if compared.unknown:
        groups = dict.fromkeys(name.group for name in compared.unknown)
        lines.append(f"not known here: {listed(list(groups), _MOST_FIELDS)}; 'kro-ls kinds pull' adds them")
    if gone:
        lines.append(
            f"in your store, not in the cluster: {listed([f'{kind}.{group}' for group, kind in gone], _MOST_FIELDS)}"
        )
    return "".join(f"{printable(line)}\n" for line in lines)
