"""The objects of a namespace for `kro-ls new --cluster`, read with the user's kubectl."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from kro_ls.cli.formats.summary import count, listed
from kro_ls.cli.input_error import InputError
from kro_ls.cli.kinds.connecting import connected_kubectl
from kro_ls.printable import printable

if TYPE_CHECKING:
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.json_values import JsonObject

_MOST: Final = 5


def cluster_objects(
    context: str, namespace: str, selector: str, kinds: SchemaIndex, *, allow_exec: bool
) -> list[JsonObject]:
    """Return the objects that people created in a namespace, as they would write them; print what is left out.

    Raises InputError where it cannot be read, and where there is nothing.
    """
    from kro_ls.authoring.from_manifests.live_objects import as_written
    from kro_ls.workspace.gathering.namespace_objects import namespace_objects

    kubectl = connected_kubectl(context, allow_exec=allow_exec)
    found = namespace_objects(kubectl, namespace, selector)
    if found.forbidden:
        click.echo(f"you may not list some kinds, so they are left out: {listed(found.forbidden, _MOST)}", err=True)
    if found.secrets:
        secrets = f"{count(len(found.secrets), 'Secret')} ({listed(found.secrets, _MOST)})"
        click.echo(f"left out, because a definition is no place for secrets: {secrets}", err=True)
    if not found.objects:
        which = f" with labels that match {selector!r}" if selector else ""
        raise InputError(printable(f"namespace {namespace!r} has no objects of people{which}; name another one"))
    return [
        as_written(each, kinds.find_api_version(str(each["apiVersion"]), str(each["kind"]))) for each in found.objects
    ]
