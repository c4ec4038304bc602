"""`kro-ls crd`: the CustomResourceDefinition that kro would create."""

from __future__ import annotations

import json
from pathlib import Path

import click

from kro_ls.cli.generated import crds_of
from kro_ls.cli.options import format_option
from kro_ls.cli.settings_options import CRDS_OPTION
from kro_ls.printable import printable_literals


@click.command("crd")
@click.argument("file", type=click.Path(path_type=Path))
@format_option("How to write the definitions.", "yaml", "json")
@CRDS_OPTION
@click.pass_context
def command(context: click.Context, file: Path, output_format: str, crds: tuple[str, ...]) -> None:
    """Write the CustomResourceDefinition that kro would generate.

    FILE holds one or more ResourceGraphDefinitions; - is standard input. The types of the status come from its
    expressions; where they use a kind that is not known, anything is allowed. Custom kinds come from FILE, from --crds
    and from the nearest .kro-ls.yaml. Errors of the definition are shown on standard error, and what is in error has no
    type in the result.

    \b
    Exit codes:
      0  every definition has a CRD
      1  some definition has none: its kind or version is missing or wrong
      2  wrong usage, or a FILE that cannot be read
    """
    found, complete = crds_of(file, crds)
    generated = [crd for _, crd in found]
    if output_format == "json":
        texts = (json.dumps(crd, indent=2, ensure_ascii=False) for crd in generated)
        click.echo("".join(f"{printable_literals(text)}\n" for text in texts), nl=False)
    else:
        from kro_ls.render.yaml_text import to_yaml

        click.echo("---\n".join(map(to_yaml, generated)), nl=False)
    context.exit(0 if complete else 1)
