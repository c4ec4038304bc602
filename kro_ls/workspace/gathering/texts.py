"""Finds the definitions in texts: YAML with any number of documents, lists of objects, and JSON.

A text may have a hundred megabytes, such as what `kubectl get crds -o yaml` prints: its documents and the items of its
lists are parsed one by one.
"""

from __future__ import annotations

import json
import re
from pathlib import PurePath
from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.openapi.json_values import as_object, as_text
from kro_ls.openapi.sources.crds.parsing import LARGEST_FILE
from kro_ls.openapi.sources.crds.scanning import cuts, is_json
from kro_ls.openapi.sources.crds.served_kinds import API_VERSION, KIND, definitions_in, served_versions
from kro_ls.openapi.sources.pack.stripping import stripped_definition
from kro_ls.openapi.sources.provenance import Provenance, provenance_of, title_of
from kro_ls.openapi.sources.store import home_of
from kro_ls.printable import unicode_text
from kro_ls.workspace.files import UnreadableFileError, decode, searchable
from kro_ls.workspace.gathering.part import Gathered, UnusableError
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.parsing.values import NeedsTreeError, simple_values
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.workspace.gathering.part import OnProblem, Part


_ACTIONS_ALONE = re.compile(r"^[ \t]*(?:\{\{[^\n]*?\}\}[ \t]*)+$", re.MULTILINE)


class Stretch(Struct, frozen=True):
    """A piece of a part, and how many lines come before it."""

    part: Part
    content: bytes
    line: int = 0


def stretches(part: Part, on_problem: OnProblem) -> Iterator[Stretch]:
    """Yield the pieces of a part that may hold definitions: documents, and items of large lists."""
    if KIND.encode() not in searchable(part.content):
        return
    try:
        decode(part.name, part.content)
    except UnreadableFileError as error:
        on_problem(UnusableError(part.name, error.reason))
        return
    line = end = 0
    for start, stop in cuts(part.content):
        line += part.content.count(b"\n", end, start)
        end = start
        content = part.content[start:stop]
        if KIND.encode() in content:
            yield Stretch(part, content, line)


def definitions_of(stretch: Stretch, on_problem: OnProblem) -> Iterator[JsonObject]:
    """Yield the definitions of a piece that can be kept."""
    try:
        values = _values(stretch)
    except UnusableError as error:
        on_problem(error)
        return
    for value in values:
        for document in value if isinstance(value, list) else (value,):
            for _, definition in definitions_in(document):
                reason = _unusable(definition)
                if reason:
                    on_problem(UnusableError(stretch.part.name, reason))
                else:
                    yield definition


def _values(stretch: Stretch) -> list[JsonValue]:
    text = stretch.content.decode()
    if is_json(stretch.content):
        try:
            return [json.loads(text)]
        except ValueError:
            pass  # YAML in flow style, maybe
        except RecursionError:
            raise UnusableError(stretch.part.name, "nested too deeply") from None
    is_template = "{{" in text
    if is_template:
        text = _ACTIONS_ALONE.sub("", text)
    try:
        return simple_values(text)
    except NeedsTreeError:
        return _values_of_trees(stretch, text, is_template=is_template)


def _values_of_trees(stretch: Stretch, text: str, *, is_template: bool) -> list[JsonValue]:
    """Return the values of a text with anchors, tags or errors. Raises UnusableError."""
    name = stretch.part.name
    if len(text) > LARGEST_FILE:
        size, most = len(text) // 1_000_000, LARGEST_FILE // 1_000_000
        raise UnusableError(
            name, f"has anchors or errors in a document of {size} million characters, over {most} million"
        )
    whole = Text(text)
    found = []
    for document in parse_stream(whole).documents:
        if document.errors and is_template:
            advice = "use 'helm template CHART | kro-ls kinds add -'"
            raise UnusableError(name, f"a template that only Helm can read; {advice}")
        if document.errors:
            error = document.errors[0]
            line = stretch.line + whole.position(error.start).line + 1
            raise UnusableError(f"{name}:{line}", f"YAML cannot read this: {error.message}")
        try:
            found.append(document.to_python())
        except ValueError as error:  # aliases that expand without end
            raise UnusableError(name, str(error)) from error
    return found


def _unusable(definition: JsonObject) -> str | None:
    """Return why a definition cannot be kept, None where it can."""
    name = as_text(as_object(definition.get("metadata")).get("name")) or KIND
    api_version = as_text(definition.get("apiVersion"))
    if api_version != API_VERSION:
        return f"{name} is of {api_version or 'no version'}; only {API_VERSION} can be used"
    first = next((kind for kind, _ in served_versions(definition)), None)
    if first is None:
        return f"{name} serves no kind"
    if home_of(first.group, first.kind) is None:
        return f"{name} has a group or a kind that no cluster accepts: {first.group!r}, {first.kind!r}"
    return None


_VERSION = re.compile(r"v?(\d+(?:\.\d+)*(?:[-+.][0-9A-Za-z.+-]+)?)")
_CHART = re.compile(r"(.+)-v?(\d+\.\d+\.\d+.*)")


def gathered(definition: JsonObject, part: Part) -> Gathered:
    """Return a definition of a part, stripped, with its origin.

    The project of its group is the source, else what is known of the part, else what labels say, else the part's name.

    A definition that kro-ls has written before keeps the origin that it names.
    """
    stripped = stripped_definition(definition)
    own = provenance_of(definition)
    if own.source:
        return Gathered(stripped, own)
    group = as_text(as_object(definition.get("spec")).get("group"))
    named = Provenance(unicode_text(PurePath(part.name).name))
    origin = Provenance(title_of(group)).over(part.origin).over(_labelled(definition)).over(named)
    version = _VERSION.fullmatch(origin.version)
    return Gathered(stripped, Provenance(version=version[1]).over(origin) if version else origin)


def _labelled(definition: JsonObject) -> Provenance:
    metadata = as_object(definition.get("metadata"))
    said = {**as_object(metadata.get("annotations")), **as_object(metadata.get("labels"))}
    chart = _CHART.fullmatch(as_text(said.get("helm.sh/chart")))
    version = next(filter(None, (as_text(said.get(name)) for name in _VERSION_LABELS)), chart[2] if chart else "")
    source = next(filter(None, (as_text(said.get(name)) for name in _NAME_LABELS)), chart[1] if chart else "")
    return Provenance(source, version)


_VERSION_LABELS = ("gateway.networking.k8s.io/bundle-version", "app.kubernetes.io/version")
_NAME_LABELS = ("app.kubernetes.io/part-of", "app.kubernetes.io/name")
