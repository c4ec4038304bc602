"""The files of a workspace that matter to definitions: those that may hold instances of RGDs, and ClusterRoles.

Texts are only searched here; instances are read elsewhere.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.kro.controller import AGGREGATION_LABEL
from kro_ls.openapi.json_values import as_object, as_text
from kro_ls.openapi.sources.bundled import kubernetes
from kro_ls.queries.cells import cached_attribute
from kro_ls.rules.files.missing_permission import GrantingRole
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.errors import ExcessiveAliasingError
from kro_ls.yaml_positions.text import Text, holds

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Self


LARGEST_FILE: Final = 256 * 1024
"""In bytes. People write instances, roles and scripts; larger files are dumps."""

# The patterns start with a line end, a literal that is fast to search for, so the first line is given one.
_API_VERSION = re.compile(rb"\napiVersion:[ ]*[\"']?([A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+)")
_KIND = re.compile(r"\nkind:[ ]*[\"']?([A-Za-z0-9]+)")


class InstanceFiles(Struct, frozen=True):
    """The texts by path that may hold instances of RGDs, including RGDs yet to be written.

    `paths` has the paths of the texts by the kinds in them, because RGDs, of which there may be many, look like
    instances of kinds that other RGDs declare in the same group and version.
    """

    texts: Mapping[str, str]
    paths: Mapping[str, tuple[str, ...]]

    def with_file(self, path: str, text: str | None) -> InstanceFiles:
        """Return the files after one got this text, or with None was removed; itself where nothing changes."""
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
    """Return texts, given by path, with the kinds in them."""
    paths: dict[str, list[str]] = {}
    for path, text in texts.items():
        for kind in _kinds(text):
            paths.setdefault(kind, []).append(path)
    return InstanceFiles(texts, {kind: tuple(known) for kind, known in paths.items()})


def may_hold_instance(content: bytes) -> bool:
    """Whether a document of a text in UTF-8 has a group and version that Kubernetes itself does not have."""
    if len(content) > LARGEST_FILE:
        return False
    versions = (version.split("/") for version in _api_versions(content))
    return any(not kubernetes().has_group_version(group, version) for group, version in versions)


def _api_versions(content: bytes) -> frozenset[str]:
    start = b"\n" + content[:512] if content.startswith(b"apiVersion") else b""
    return frozenset(each.decode() for text in (start, content) for each in _API_VERSION.findall(text))


def _kinds(text: str) -> frozenset[str]:
    return frozenset(_KIND.findall("\n" + text))


class TextFiles(Struct, frozen=True):
    """The texts of some files, by path."""

    texts: Mapping[str, str]

    def with_file(self, path: str, text: str | None) -> Self:
        """Return the files after one got this text, or with None was removed; itself where nothing changes."""
        if self.texts.get(path) == text:
            return self
        others = {name: known for name, known in self.texts.items() if name != path}
        return replace(self, texts=others if text is None else {**others, path: text})


class RoleFiles(TextFiles, frozen=True, dict=True):
    """The texts that may hold ClusterRoles which kro's chart aggregates (its mode `aggregation`)."""

    @cached_attribute
    def roles(self) -> tuple[GrantingRole, ...]:
        """The roles, by path."""
        return tuple(role for path in sorted(self.texts) for role in _read(path, self.texts[path]))


NO_ROLE_FILES = RoleFiles({})


def may_hold_roles(content: bytes) -> bool:
    """Whether a text in UTF-8 may hold such roles. Texts that Helm has yet to render are uncertain, so they do not."""
    return len(content) <= LARGEST_FILE and holds(content, AGGREGATION_LABEL.encode()) and not holds(content, b"{{")


def _read(path: str, text: str) -> Iterator[GrantingRole]:
    from kro_ls.analysis.needed_permissions import is_aggregated, permissions_of, roles_in

    for document in parse_stream(Text(text)).documents:
        try:
            value = document.to_python()
        except ExcessiveAliasingError:
            continue
        for role in filter(is_aggregated, roles_in(value)):
            name = as_text(as_object(role.get("metadata")).get("name"))
            yield GrantingRole(name, path, tuple(permissions_of(role.get("rules"))))
