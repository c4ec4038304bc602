"""Which instance stands for an RGD: one that the user chose, else one in the workspace, else a made-up one."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from kro_ls.analysis.memory import remembered
from kro_ls.openapi.sources.bundled import kubernetes
from kro_ls.runtime.instance import instance_kind
from kro_ls.runtime.sample_instance import sample_instance
from kro_ls.yaml_positions.conversion import ExcessiveAliasingError
from kro_ls.yaml_positions.stream import parse_stream
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.openapi.json_values import JsonObject

# An instance is something that a person writes; larger files are dumps.
_LARGEST = 256 * 1024

_API_VERSION = re.compile(rb"\napiVersion:[ ]*[\"']?([A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+)")


@dataclass(frozen=True, slots=True, eq=False)
class FoundInstance:
    """An instance, the URI of the text that it stands in (None for a made-up one), and what to call it."""

    value: JsonObject
    uri: str | None
    label: str


@dataclass(frozen=True)
class InstanceFiles:
    """The texts by path that may hold instances of RGDs, also of those that are still to be written."""

    texts: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def paths(self) -> Mapping[str, tuple[str, ...]]:
        """The paths of the texts by the `apiVersion`s in them."""
        found: dict[str, list[str]] = {}
        for path, text in self.texts.items():
            for version in _api_versions(text.encode("utf-8", "surrogatepass")):
                found.setdefault(version, []).append(path)
        return {version: tuple(paths) for version, paths in found.items()}

    def with_file(self, path: str, text: str | None) -> InstanceFiles:
        """Return the files after one got this text (None: it holds no instance); itself where nothing changes."""
        if self.texts.get(path) == text:
            return self
        texts = {name: known for name, known in self.texts.items() if name != path}
        if text is not None:
            texts[path] = text
        return InstanceFiles(texts)


def may_hold_instance(content: bytes) -> bool:
    """Whether some document of a text in UTF-8 is of a group and version that Kubernetes itself does not have."""
    if len(content) > _LARGEST:
        return False
    versions = (version.split("/") for version in _api_versions(content))
    return any(not kubernetes().has_group_version(group, version) for group, version in versions)


def _api_versions(content: bytes) -> frozenset[str]:
    # The pattern starts with a line end, a literal that is fast to search for, so the first line is given one.
    start = b"\n" + content[:512] if content.startswith(b"apiVersion") else b""
    return frozenset(each.decode() for text in (start, content) for each in _API_VERSION.findall(text))


def find_instance(
    rgd: RgdAnalysis, uri: str, texts: Iterable[tuple[str, str]], chosen: tuple[str, str] | None = None
) -> FoundInstance:
    """Return the instance that stands for an RGD in the document `uri`.

    `texts` are URIs and texts to look through: one beside the RGD wins, else the first by URI. `chosen` is the URI and
    text that the user wants; it counts as long as it holds an instance of the RGD's kind.
    """
    if chosen:
        for value in instances_in(chosen[1], rgd):
            return _found(value, chosen[0])
    for candidate, text in sorted(texts, key=lambda each: (_folder(each[0]) != _folder(uri), each[0])):
        for value in instances_in(text, rgd):
            return _found(value, candidate)
    return _sample(rgd)


def instances_in(text: str, rgd: RgdAnalysis) -> Iterator[JsonObject]:
    """Yield the documents of a text that are of the kind that an RGD declares."""
    kind = instance_kind(rgd)
    if kind and kind.kind in text and len(text) <= _LARGEST:
        for value in _objects(text):
            if value.get("apiVersion") == kind.api_version and value.get("kind") == kind.kind:
                yield value


@lru_cache(maxsize=32)  # of files that are small enough
def _objects(text: str) -> tuple[JsonObject, ...]:
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


@remembered
def _sample(rgd: RgdAnalysis) -> FoundInstance:
    return FoundInstance(sample_instance(rgd), None, "a generated sample")


def _found(value: JsonObject, uri: str) -> FoundInstance:
    return FoundInstance(value, uri, PurePosixPath(unquote(urlsplit(uri).path)).name or uri)


def _folder(uri: str) -> str:
    return uri.rpartition("/")[0]
