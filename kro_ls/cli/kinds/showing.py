"""`kro-ls kinds show`: describes a kind and its fields, like `kubectl explain` but without a cluster."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import Struct

from kro_ls.cli.input_error import InputError
from kro_ls.cli.kinds.named_kind import named_kind
from kro_ls.cli.known_kinds import folder_kinds
from kro_ls.cli.options import text_or_json
from kro_ls.cli.settings_options import CRDS_OPTION
from kro_ls.openapi.schema import Schema
from kro_ls.openapi.schema_words import schema_facts, type_text
from kro_ls.openapi.sources.disk_cache import user_cache
from kro_ls.printable import printable, printable_literals, unicode_text
from kro_ls.spelling import closest
from kro_ls.workspace.project_file import PROJECT_FILE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.cli.kinds.named_kind import NamedKind

_WIDTH = 100


class _Field(Struct, frozen=True):
    """A field by the names on the way to it; none for the kind itself."""

    names: tuple[str, ...]
    schema: Schema
    is_required: bool = False


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
    found = _field(named, tuple(part for part in field.split(".") if part) or named.rest)
    click.echo(_as_json(named, found) if output_format == "json" else _as_text(named, found), nl=False)


def _field(named: NamedKind, names: tuple[str, ...]) -> _Field:
    found = _Field((), Schema(named.kind.schema))
    for name in names:
        owner = _object(found.schema)
        child = owner.child(name)
        if child is None:
            raise InputError(_unknown_field(named, found, name, owner))
        found = _Field((*found.names, name), child, name in owner.required)
    return found


def _unknown_field(named: NamedKind, found: _Field, name: str, owner: Schema) -> str:
    where = " ".join([str(named.kind.name), ".".join(found.names)]).rstrip()
    meant = closest(name, owner.properties)
    advice = f"; did you mean {meant!r}?" if meant else ""
    others = _others(named) if not found.names else ""
    return f"{where} has no field {name!r}{advice or (f'; there is also {others}' if others else '')}"


def _object(schema: Schema) -> Schema:
    """Return the schema of the objects in a value: of the items of a list, or of the values of a map."""
    while not schema.raw.get("properties"):
        inner = schema.items or schema.additional_properties
        if inner is None:
            break
        schema = inner
    return schema


def _as_json(named: NamedKind, found: _Field) -> str:
    kind = named.kind
    data = {
        "apiVersion": kind.name.api_version,
        "kind": kind.name.kind,
        "plural": kind.plural,
        "scope": _scope(named),
        "source": unicode_text(kind.source),
        "deprecation": kind.deprecation,
        "versions": list(named.versions),
        "field": ".".join(found.names),
        "required": found.is_required,
        "schema": found.schema.raw,
    }
    return printable_literals(json.dumps(data, indent=2, ensure_ascii=False)) + "\n"


def _as_text(named: NamedKind, found: _Field) -> str:
    lines = [f"{title + ':':<12} {printable(text)}" for title, text in _head(named, found) if text]
    lines += ["", *_described(found.schema, "")]
    owner = _object(found.schema)
    if owner.properties:
        lines += ["", "FIELDS"]
    for name, child in owner.properties.items():
        lines += _shown_field(_Field((name,), child, name in owner.required))
    return "\n".join([*lines, ""])


def _head(named: NamedKind, found: _Field) -> Iterator[tuple[str, str]]:
    kind = named.kind
    others = [version for version in named.versions if version != kind.name.version]
    yield "KIND", kind.name.kind
    yield "VERSION", kind.name.api_version + (f" (also {', '.join(others)})" if others else "")
    yield "SCOPE", _scope(named)
    yield "SOURCE", kind.source
    yield "DEPRECATED", kind.deprecation or ""
    yield "SEE ALSO", _others(named)
    if found.names:
        yield "FIELD", _titled(found)


def _others(named: NamedKind) -> str:
    return ", ".join(dict.fromkeys(f"{each.kind}.{each.group}".rstrip(".") for each in named.others))


def _titled(field: _Field) -> str:
    return f"{'.'.join(field.names)} <{type_text(field.schema)}>" + (" required" if field.is_required else "")


def _shown_field(field: _Field) -> Iterator[str]:
    yield click.style(f"  {printable(_titled(field))}", bold=True)
    yield from _described(field.schema, "    ")


def _described(schema: Schema, margin: str) -> Iterator[str]:
    facts = schema_facts(schema, str, str)
    for text in (schema.description, *facts):
        for line in textwrap.wrap(printable(" ".join(text.split())), _WIDTH - len(margin), break_on_hyphens=False):
            yield margin + line


def _scope(named: NamedKind) -> str:
    return "Namespaced" if named.kind.namespaced else "Cluster"
