"""The instance that is used for an RGD: one that the user chose, else one in the workspace, else a sample."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from msgspec import Struct

from kro_ls.queries.cells import cached, cached_attribute
from kro_ls.runtime.cluster.instance import instance_kind
from kro_ls.runtime.values.sample_instance import sample_instance
from kro_ls.workspace.text_files import LARGEST_FILE
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.errors import ExcessiveAliasingError
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.kind_schema import KindSchema
    from kro_ls.runtime.cluster.instance import InstanceKind
    from kro_ls.workspace.documents import Document
    from kro_ls.workspace.snapshot import AllDocuments

_NOTHING: JsonObject = {}
_FLOW = re.compile(r"^[ ]*(?:--- *)?\{", re.MULTILINE)


class FoundInstance(Struct, frozen=True, eq=False, dict=True):
    """An instance of an RGD, the URI of its text (None for a sample), and its name for people."""

    rgd: RgdAnalysis
    uri: str | None
    label: str
    written: JsonObject | None
    of_other: str = ""
    """The short path of the other file whose definition applies to the instance, empty if it is this one."""

    @cached_attribute
    def value(self) -> JsonObject:
        """The instance; a sample is computed here, which may be slow."""
        return _sample(self.rgd) if self.written is None else self.written


class Chosen(Struct, frozen=True):
    """The instance that the user chose: a URI, its text, and the 0-based number of the instance in it."""

    uri: str
    text: str
    item: int = 0


def find_instance(
    rgd: RgdAnalysis,
    uri: str,
    texts: Iterable[tuple[str, str]],
    chosen: Chosen | None = None,
    other_definition: Callable[[str], str] = lambda _: "",
) -> FoundInstance:
    """Return the instance that is used for an RGD in the document `uri`; for a Graph, the cluster that it starts in.

    `texts` are URIs and texts to search: one beside the RGD wins, else the first by URI. The `chosen` text is used as
    long as it has an instance of the RGD's kind. `other_definition` maps a URI to the other file whose definition
    applies there; such an instance is used only if it was chosen.
    """
    if not rgd.rgd.form.declares_kind:
        return FoundInstance(rgd, None, "a simulated cluster", _NOTHING)
    if chosen:
        values = tuple(instances_in(chosen.text, rgd))
        if values:
            value = values[min(chosen.item, len(values) - 1)]
            return _found(rgd, value, chosen.uri, other_definition(chosen.uri))
    found = find_instances(rgd, uri, texts, other_definition)
    own = next((each for each in found if not each.of_other), None)
    return own or FoundInstance(rgd, None, "a generated sample", None)


def find_instances(
    rgd: RgdAnalysis, uri: str, texts: Iterable[tuple[str, str]], other_definition: Callable[[str], str]
) -> Iterator[FoundInstance]:
    """Yield the first instance of each text that has one, in order of preference for an RGD in `uri`."""
    for candidate, text in sorted(texts, key=lambda each: (_folder(each[0]) != _folder(uri), each[0])):
        value = next(instances_in(text, rgd), None)
        if value is not None:
            yield _found(rgd, value, candidate, other_definition(candidate))


def definition_of(kind: KindSchema, others: AllDocuments) -> tuple[Document, int] | None:
    """Return the document that declares the kind of an instance, and the place of the definition in it."""
    document = others.at(kind.source) if kind.is_generated else None
    declaring = [
        number
        for number, rgd in enumerate(document.analysis.rgds if document else ())
        if (declared := instance_kind(rgd))
        and (declared.api_version, declared.kind) == (kind.name.api_version, kind.name.kind)
    ]
    return (document, declaring[min(kind.place, len(declaring) - 1)]) if document and declaring else None


def instances_in(text: str, rgd: RgdAnalysis) -> Iterator[JsonObject]:
    """Yield the documents of a text that have the kind of an RGD."""
    kind = instance_kind(rgd)
    if kind and len(text) <= LARGEST_FILE and _may_hold(text, kind):
        for value in objects_in(text):
            if value.get("apiVersion") == kind.api_version and value.get("kind") == kind.kind:
                yield value


def _may_hold(text: str, kind: InstanceKind) -> bool:
    """Whether version and kind occur in the same column; a definition has both, but elsewhere."""
    if kind.kind not in text or kind.api_version not in text:
        return False
    versions = re.findall(_line("apiVersion", kind.api_version), text)
    return _FLOW.search(text) is not None or not set(versions).isdisjoint(re.findall(_line("kind", kind.kind), text))


def _line(key: str, value: str) -> str:
    return rf"""(?m)^(?:--- )?([ ]*)["']?{key}["']?[ ]*:\s+(?:[!&]\S*\s+)*["']?{re.escape(value)}\b"""


@lru_cache(maxsize=32)  # of files that are small enough
def objects_in(text: str) -> tuple[JsonObject, ...]:
    """Return the documents that are mappings; the same text gives the same objects. Broken ones are left out."""
    found: list[JsonObject] = []
    for document in parse_stream(Text(text)).documents:
        if document.errors:
            continue
        try:
            value = document.to_python()
        except (ExcessiveAliasingError, RecursionError):
            continue
        if isinstance(value, dict):
            found.append(value)
    return tuple(found)


@cached
def _sample(rgd: RgdAnalysis) -> JsonObject:
    return sample_instance(rgd)


def _found(rgd: RgdAnalysis, value: JsonObject, uri: str, of_other: str) -> FoundInstance:
    label = _file_name(uri) or uri
    return FoundInstance(rgd, uri, f"{label}, an instance of {of_other}" if of_other else label, value, of_other)


def _file_name(uri: str) -> str:
    try:
        return PurePosixPath(unquote(urlsplit(uri).path)).name
    except ValueError:
        return ""  # it is none


def _folder(uri: str) -> str:
    return uri.rpartition("/")[0]
