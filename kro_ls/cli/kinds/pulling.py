"""`kro-ls kinds pull`: the definitions of a cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kro_ls.cli.kinds.collecting import Collection, collecting_options
from kro_ls.cli.kinds.connecting import cluster_options, connected_kubectl
from kro_ls.cli.progress import Progress
from kro_ls.openapi.sources.disk_cache import store_folder
from kro_ls.printable import printable
from kro_ls.workspace.gathering.cluster import Cluster
from kro_ls.workspace.gathering.keeping import is_kept
from kro_ls.workspace.gathering.part import UnusableError

if TYPE_CHECKING:
    from pathlib import Path


@click.command("pull")
@cluster_options
@collecting_options
@click.pass_context
def command(context: click.Context, name: str, allow_exec: bool, folder: Path | None, quiet: bool) -> None:
    """Pull the definitions of custom kinds from a cluster.

    The cluster is asked through your kubectl and only for reading: its CustomResourceDefinitions, or where you may not
    read these, the documents of /openapi/v3 of groups that changed since the last time.

    A context can name a program that gets its credentials; it runs only with your consent. A cluster that does not
    answer is given up after a minute at most.
    """
    cluster = Cluster(connected_kubectl(name, allow_exec=allow_exec))
    collection = Collection(folder, quiet)
    try:
        if not quiet:
            click.echo(printable(f"{cluster.name}: {_versions(cluster)}"))
        target = folder or store_folder()
        pulled = cluster.every_definition(
            _warn, lambda group: is_kept(target, group.name, cluster.origin(group.digest))
        )
        for each in Progress(is_quiet=quiet).of("Reading", pulled, noun="definition"):
            collection.found.append(each)
        if not quiet and not collection.found:
            click.echo("nothing new")
    except UnusableError as error:
        collection.problems.append(error)
    context.exit(collection.finish())


def _versions(cluster: Cluster) -> str:
    kro = cluster.kro_version()
    return f"Kubernetes {cluster.version}, {f'kro {kro}' if kro else 'no kro is seen'}"


def _warn() -> None:
    click.echo("you may not read CustomResourceDefinitions there; what /openapi/v3 says is used", err=True)
