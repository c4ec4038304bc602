"""The files of a workspace that may hold instances of its RGDs. They are only searched for versions and kinds here."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.openapi.sources.bundled import kubernetes

if TYPE_CHECKING:
    from collections.abc import Mapping

LARGEST_INSTANCE_FILE = 256 * 1024
"""In bytes. An instance is something that a person writes; larger files are dumps."""

# The patterns start with a line end, a literal that is fast to search for, so the first line is given one.
_API_VERSION = re.compile(rb"\napiVersion:[ ]*[\"']?([A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+)")
_KIND = re.compile(r"\nkind:[ ]*[\"']?([A-Za-z0-9]+)")


class InstanceFiles(Struct, frozen=True):
    """The texts by path that may hold instances of RGDs, also of those that are still to be written.

    `paths` are those of the texts by the `kind`s in them: RGDs themselves, of which there may be many, look like
    instances of what other RGDs declare in the same group and version.
    """

    texts: Mapping[str, str]
    paths: Mapping[str, tuple[str, ...]]

    def with_file(self, path: str, text: str | None) -> InstanceFiles:
        """Return the files after one got this text (None: it holds no instance); itself where nothing changes."""
        if self.texts.get(path) == text:
            return self
        texts = {name: known for name, known in self.texts.items() if name != path}
        paths = {kind: tuple(name for name in known if name != path) for kind, known in self.paths.items()}
        if text is not None:
            texts[path] = text
            for kind in _kinds(text):
                paths[kind] = (*paths.get(kind, ()), path)
        return InstanceFiles(texts, {kind: known for kind, known in paths.items() if known})


def instance_files(texts: Mapping[str, str]) -> InstanceFiles:
    """Return what texts, by their paths, may hold."""
    paths: dict[str, list[str]] = {}
    for path, text in texts.items():
        for kind in _kinds(text):
            paths.setdefault(kind, []).append(path)
    return InstanceFiles(texts, {kind: tuple(known) for kind, known in paths.items()})


def may_hold_instance(content: bytes) -> bool:
    """Whether some document of a text in UTF-8 is of a group and version that Kubernetes itself does not have."""
    if len(content) > LARGEST_INSTANCE_FILE:
        return False
    versions = (version.split("/") for version in _api_versions(content))
    return any(not kubernetes().has_group_version(group, version) for group, version in versions)


def _api_versions(content: bytes) -> frozenset[str]:
    start = b"\n" + content[:512] if content.startswith(b"apiVersion") else b""
    return frozenset(each.decode() for text in (start, content) for each in _API_VERSION.findall(text))


def _kinds(text: str) -> frozenset[str]:
    return frozenset(_KIND.findall("\n" + text))
