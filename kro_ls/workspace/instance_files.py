"""The files of a workspace that may hold instances of its RGDs. They are only searched for `apiVersion`s here."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct, field

from kro_ls.openapi.sources.bundled import kubernetes

if TYPE_CHECKING:
    from collections.abc import Mapping

LARGEST_INSTANCE_FILE = 256 * 1024
"""In bytes. An instance is something that a person writes; larger files are dumps."""

_API_VERSION = re.compile(rb"\napiVersion:[ ]*[\"']?([A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+)")


class InstanceFiles(Struct, frozen=True, dict=True):
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
    if len(content) > LARGEST_INSTANCE_FILE:
        return False
    versions = (version.split("/") for version in _api_versions(content))
    return any(not kubernetes().has_group_version(group, version) for group, version in versions)


def _api_versions(content: bytes) -> frozenset[str]:
    # The pattern starts with a line end, a literal that is fast to search for, so the first line is given one.
    start = b"\n" + content[:512] if content.startswith(b"apiVersion") else b""
    return frozenset(each.decode() for text in (start, content) for each in _API_VERSION.findall(text))
