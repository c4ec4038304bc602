"""`kro-ls why`: why an instance in a cluster does not go on."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import Struct

from kro_ls.cli.definitions import Definition
from kro_ls.cli.input_error import InputError
from kro_ls.cli.inputs import texts_in
from kro_ls.cli.kinds.connecting import cluster_options, connected_kubectl
from kro_ls.cli.known_kinds import folder_kinds
from kro_ls.cli.options import echo_json, text_or_json
from kro_ls.cli.settings_options import CRDS_OPTION
from kro_ls.cli.written import documents_of, placed_message
from kro_ls.openapi.validation.field_errors import place_of
from kro_ls.printable import printable, printable_lines
from kro_ls.render.yaml_text import to_yaml
from kro_ls.rules.diagnosis import DEFAULT_SETTINGS
from kro_ls.rules.refusals import refusals
from kro_ls.runtime.causes.cause import CauseKind, place_in
from kro_ls.runtime.causes.explaining import explain
from kro_ls.runtime.causes.given_objects import Objects, declared_kind, flattened, is_definition, name_of
from kro_ls.runtime.causes.permissions import Printed, read_printed
from kro_ls.runtime.cluster.instance import instance_kind
from kro_ls.runtime.nodes.node_objects import group_kind
from kro_ls.runtime.passes.reasons import object_name
from kro_ls.workspace.documents import Document
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kro_ls.analysis.needed_permissions import Permission
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.runtime.causes.cause import Explanation
    from kro_ls.runtime.causes.explaining import Explained
    from kro_ls.yaml_positions.positions import Span

_MOST_ERRORS = 3
_MOST_LINES = 4
_FILE = click.Path(path_type=Path)


class _Read(Struct, frozen=True):
    """A definition, and the document that holds it."""

    definition: Definition
    document: Document

    @property
    def errors(self) -> Iterator[str]:
        """The first places for which kro refuses it, as `check` finds them."""
        diagnosis = self.document.diagnosis
        for each in islice(refusals(diagnosis, self.definition.rgd), _MOST_ERRORS):
            message = f"error[{each.code}]: {each.message}"
            yield placed_message(self.definition.path, self.definition.text, each.span, message)


class _Inputs(Struct, frozen=True):
    """What is explained, all objects, and the definitions with their texts, by the kinds that they declare."""

    subject: JsonObject
    objects: Objects
    read: dict[tuple[str, str], _Read]

    @property
    def definitions(self) -> Iterator[Definition]:
        """The definitions."""
        return (each.definition for each in self.read.values())


@click.command("why")
@click.argument("files", metavar="INSTANCE [OBJECTS...]", nargs=-1, required=True, type=_FILE)
@click.option("--rgd", "rgds", type=_FILE, multiple=True, help="A file or folder with definitions, for their lines.")
@CRDS_OPTION
@click.option("--cluster", "from_cluster", is_flag=True, help="Read the other objects with your kubectl.")
@cluster_options
@text_or_json("How.")
@click.pass_context
def command(
    context: click.Context,
    files: tuple[Path, ...],
    rgds: tuple[Path, ...],
    crds: tuple[str, ...],
    from_cluster: bool,
    name: str,
    allow_exec: bool,
    output_format: str,
) -> None:
    """Explain why an instance in a cluster is not ready.

    The cause is reported at its place in the definition, with who has to act and what would unblock it. INSTANCE is
    the instance as `kubectl get -o yaml` prints it, or its definition. OBJECTS are other objects of the cluster,
    printed likewise, in any order: the definition, what kro made, external objects, pods, events, roles. kro's log and
    the output of `kubectl auth can-i --list` for its account are read, too. - is standard input. Where another object
    would help, the command that prints it is shown.

    With --cluster, INSTANCE only has to name the instance, and the rest is read through your kubectl.

    \b
    Exit codes:
      0  nothing keeps the instance from going on
      1  something does
      2  wrong usage, or a file that cannot be read or used
    """
    texts, rgd_texts = list(texts_in(files)), list(texts_in(rgds))
    printed, texts = _printed(texts)
    values = list(flattened(each.value for path, text in texts for each in documents_of(path, text)))
    values += [each.role for each in printed if each.role is not None]
    kinds = folder_kinds(files[0], crds, [(str(path), text.content) for path, text in (*rgd_texts, *texts)])
    if from_cluster:
        values = _with_cluster(values, name, kinds, allow_exec=allow_exec)
    values += _other_definitions(rgd_texts, values)
    denied = tuple(denied for each in printed for denied in each.denied)
    inputs = _inputs(values, _definitions((*rgd_texts, *texts), kinds, values), denied)
    rgds_by_kind = {kind: each.definition.rgd for kind, each in inputs.read.items()}
    explained = explain(inputs.subject, inputs.objects, rgds_by_kind)
    if output_format == "json":
        echo_json(_as_json(explained, inputs))
    else:
        click.echo(_text(explained, inputs), nl=False)
    context.exit(0 if explained.is_well else 1)


def _printed(texts: list[tuple[Path, Text]]) -> tuple[list[Printed], list[tuple[Path, Text]]]:
    """Return what logs and tables of permissions say, and the texts that have objects."""
    found = [
        (each, read_printed(each[1].content) or (Printed() if each[0].suffix == ".log" else None)) for each in texts
    ]
    return [printed for _, printed in found if printed], [each for each, printed in found if printed is None]


def _other_definitions(texts: Iterable[tuple[Path, Text]], values: list[JsonObject]) -> list[JsonObject]:
    """Return the definitions in files that are not among the objects of the cluster."""
    written = flattened(each.value for path, text in texts for each in documents_of(path, text))
    live = {name_of(each) for each in values if is_definition(each)}
    return [each for each in written if is_definition(each) and name_of(each) not in live]


def _with_cluster(values: list[JsonObject], name: str, kinds: SchemaIndex, *, allow_exec: bool) -> list[JsonObject]:
    from kro_ls.workspace.gathering.instance_objects import objects_around

    if not values:
        raise InputError("no object found in the files")
    kubectl = connected_kubectl(name, allow_exec=allow_exec)
    return list(objects_around(kubectl, values[0], kinds))


def _inputs(values: list[JsonObject], read: dict[tuple[str, str], _Read], denied: tuple[Permission, ...]) -> _Inputs:
    """Return what is explained: the first object; before another, the first instance of it or of the definitions."""
    if not values:
        raise InputError("no object found in the files")
    first = values[0]
    wanted = [declared_kind(first)] if is_definition(first) else read
    instances = [each for each in values if group_kind(each) in wanted]
    is_instance = group_kind(first) in wanted
    return _Inputs(first if is_instance or not instances else instances[0], Objects(tuple(values), denied), read)


def _definitions(
    texts: Iterable[tuple[Path, Text]], kinds: SchemaIndex, values: list[JsonObject]
) -> dict[tuple[str, str], _Read]:
    """Return the definitions in files, and those that only the cluster has; the first of a kind counts."""
    found: dict[tuple[str, str], _Read] = {}
    for path, text in texts:
        _add(found, path, text, kinds)
    for value in values:
        if is_definition(value) and declared_kind(value) not in found:
            _add(found, Path(f"{object_name(value)} in the cluster"), Text(to_yaml(value)), kinds)
    return found


def _add(found: dict[tuple[str, str], _Read], path: Path, text: Text, kinds: SchemaIndex) -> None:
    document = Document(path.as_posix(), None, text, settings=DEFAULT_SETTINGS, schemas=kinds)
    for rgd in document.analysis.rgds:
        kind = instance_kind(rgd)
        if kind is not None:
            read = _Read(Definition(path, text, rgd), document)
            found.setdefault((kind.api_version.rpartition("/")[0], kind.kind), read)


def _text(explained: Explained, inputs: _Inputs) -> str:
    state = f" is {explained.state}" if explained.state else " has no state"
    lines = [f"{click.style(printable(object_name(explained.subject)), bold=True)}{state}"]
    for cause in explained.causes:
        lines += ["", *_cause_lines(cause, inputs)]
    if explained.says:
        lines += ["", click.style("kro says", bold=True), *map(_said, explained.says)]
    return "".join(f"{line}\n" for line in lines)


def _said(text: str) -> str:
    """Return the first lines of kro's message, which may be a long list."""
    first, *more = text.splitlines()
    shown = [first, *more[:_MOST_LINES], *(["..."] if len(more) > _MOST_LINES else [])]
    return "\n".join(f"  {printable(line)}" for line in shown)


def _cause_lines(cause: Explanation, inputs: _Inputs) -> Iterator[str]:
    message, place = f"{printable_lines(cause.message)} [{cause.kind.code}]", _place(cause, inputs)
    yield placed_message(place[0].path, place[0].text, place[1], message) if place else message
    if cause.kind is CauseKind.NOTHING:
        return
    if cause.kind is CauseKind.DEFINITION_REFUSED and cause.value is not None:
        read = inputs.read.get(declared_kind(cause.value))
        yield from read.errors if read else ()
    yield f"  matter of:  {cause.kind.fault.value}"
    yield f"  to unblock: {printable(cause.advice)}"
    for command in cause.fetch:
        yield f"  see also:   {printable(command)}"


def _place(cause: Explanation, inputs: _Inputs) -> tuple[Definition, Span] | None:
    """Return the place of a cause in a definition; None if it has none."""
    places = ((each, place_in(each.rgd, cause)) for each in inputs.definitions)
    return next(((definition, span) for definition, span in places if span is not None), None)


def _as_json(explained: Explained, inputs: _Inputs) -> JsonObject:
    causes: list[JsonValue] = [_cause_json(each, inputs) for each in explained.causes]
    return {
        "object": object_name(explained.subject),
        "state": explained.state,
        "causes": causes,
        "kro": [*explained.says],
    }


def _cause_json(cause: Explanation, inputs: _Inputs) -> JsonObject:
    found: JsonObject = {"cause": cause.kind.code, "fault": cause.kind.fault.name.lower().replace("_", "-")}
    found["message"] = cause.message
    if cause.node:
        found["node"] = cause.node
    if cause.value is not None:
        found["object"] = object_name(cause.value)
    if cause.place is not None:
        found["expression"] = cause.place.expression.compiled.user_text
        found["missing"] = cause.place.failing
    if cause.field:
        found["field"] = place_of(cause.field)
    if place := _place(cause, inputs):
        position = place[0].text.position(place[1].start)
        found |= {"file": str(place[0].path), "line": position.line + 1, "column": position.column + 1}
    found |= {"kro": cause.kro} if cause.kro else {}
    return {**found, "unblock": cause.advice, "fetch": [*cause.fetch]}
