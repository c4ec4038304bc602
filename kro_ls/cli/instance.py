"""`kro-ls instance`: a sample instance to start with."""

from __future__ import annotations

from pathlib import Path

import click

from kro_ls.cli.generated import crds_of
from kro_ls.cli.settings_options import CRDS_OPTION
from kro_ls.render.sample_yaml import instance_yaml
from kro_ls.runtime.values.sample_instance import instance_demand


@click.command("instance")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--all", "everything", is_flag=True, help="Set every field.")
@click.option("--required", "only_required", is_flag=True, help="Write the required fields only.")
@CRDS_OPTION
@click.pass_context
def command(context: click.Context, file: Path, everything: bool, only_required: bool, crds: tuple[str, ...]) -> None:
    """Write a sample instance, ready to be edited.

    FILE holds one or more ResourceGraphDefinitions; - is standard input. Required fields come first. Fields with a
    default, and those that an expression relies on, have a value; the others are comments. Values respect the bounds
    in the definition and the use in its expressions; rules in CEL (`validation`) are only mentioned. Custom kinds come
    from FILE, from --crds and from the nearest .kro-ls.yaml.

    \b
    Exit codes:
      0  every definition has an instance
      1  some definition has none: its kind or version is missing or wrong
      2  wrong usage, or a FILE that cannot be read
    """
    if everything and only_required:
        raise click.UsageError("--all and --required exclude each other.")
    found, complete = crds_of(file, crds)
    documents = [
        instance_yaml(crd, instance_demand(rgd), everything=everything, only_required=only_required)
        for rgd, crd in found
    ]
    click.echo("---\n".join(documents), nl=False)
    context.exit(0 if complete else 1)
