"""`kro-ls kinds show`: describes a kind and its fields, like `kubectl explain` but without a cluster."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kro_ls.cli.known_kinds import folder_kinds
from kro_ls.cli.options import text_or_json
from kro_ls.cli.settings_options import CRDS_OPTION
from kro_ls.openapi.named_kind import named_field, named_kind
from kro_ls.openapi.schema import schema_facts
from kro_ls.openapi.sources.disk_cache import user_cache
from kro_ls.printable import printable, printable_literals, unicode_text
from kro_ls.workspace.project_file import PROJECT_FILE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.named_kind import NamedField, NamedKind
    from kro_ls.openapi.schema import Schema

_WIDTH = 100


@click.command("show")
@click.argument("kind", metavar="KIND")
@click.argument("field", metavar="[FIELD]", default="")
@text_or_json("How to print it; json has the whole schema.")
@CRDS_OPTION
def command(kind: str, field: str, output_format: str, crds: tuple[str, ...]) -> None:
    """Describe a kind and its fields, as 'kubectl explain' does with a cluster.

    KIND is a kind or its plural, with a group or a version where it takes one: Role, roles, Role.iam.services.k8s.aws,
    Deployment.v1.apps. FIELD is a path such as spec.policies; lists and maps on the way need no word.

    Kinds are those of Kubernetes, those that come with kro-ls, those of your store, and those that --crds and the
    nearest .kro-ls.yaml name.
    """
    named = named_kind(folder_kinds(Path(PROJECT_FILE), crds, cache=user_cache()), kind)
    found = named_field(named, tuple(part for part in field.split(".") if part) or named.rest)
    click.echo(_as_json(named, found) if output_format == "json" else _as_text(named, found), nl=False)


def _as_json(named: NamedKind, found: NamedField) -> str:
    kind = named.kind
    data = {
        "apiVersion": kind.name.api_version,
        "kind": kind.name.kind,
        "plural": kind.plural,
        "scope": named.scope,
        "source": unicode_text(kind.source),
        "deprecation": kind.deprecation,
        "versions": list(named.versions),
        "field": ".".join(found.names),
        "required": found.is_required,
        "schema": found.schema.raw,
    }
    return printable_literals(json.dumps(data, indent=2, ensure_ascii=False)) + "\n"


def _as_text(named: NamedKind, found: NamedField) -> str:
    lines = [f"{title + ':':<12} {printable(text)}" for title, text in _head(named, found) if text]
    lines += ["", *_described(found.schema, "")]
    if found.fields:
        lines += ["", "FIELDS"]
    for each in found.fields:
        lines += [click.style(f"  {printable(each.title)}", bold=True), *_described(each.schema, "    ")]
    return "\n".join([*lines, ""])


def _head(named: NamedKind, found: NamedField) -> Iterator[tuple[str, str]]:
    kind = named.kind
    others = [version for version in named.versions if version != kind.name.version]
    yield "KIND", kind.name.kind
    yield "VERSION", kind.name.api_version + (f" (also {', '.join(others)})" if others else "")
    yield "SCOPE", named.scope
    yield "SOURCE", kind.source
    yield "DEPRECATED", kind.deprecation or ""
    yield "SEE ALSO", ", ".join(named.other_names)
    if found.names:
        yield "FIELD", found.title


def _described(schema: Schema, margin: str) -> Iterator[str]:
    facts = schema_facts(schema, str, str)
    for text in (schema.description, *facts):
        for line in textwrap.wrap(printable(" ".join(text.split())), _WIDTH - len(margin), break_on_hyphens=False):
            yield margin + line
