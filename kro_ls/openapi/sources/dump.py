"""Kinds from what a cluster publishes: its swagger.json (`/openapi/v2`), or documents of `/openapi/v3`.

Such a dump replaces the bundled schemas. Both forms are JSON: definitions are under `definitions` or
`components.schemas`, and `paths` have scope, plural and subresources. Swagger 2.0 leaves out what it cannot express of
custom kinds, so `/openapi/v3` (one document per group and version) is the better source.
"""

from __future__ import annotations

import json
import re
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct, field

from kro_ls.openapi.json_values import JsonObject, JsonValue, as_list, as_object, as_text
from kro_ls.openapi.kind_schema import GroupVersionKind, KindSchema
from kro_ls.openapi.sources.bundled import kubernetes
from kro_ls.openapi.sources.ref_expansion import Definitions
from kro_ls.openapi.well_formed import well_formed
from kro_ls.queries.cells import cached_attribute

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kro_ls.openapi.sources.bundled import Lifetime

_RESOURCE_PATH = re.compile(
    r"(?P<api>/api|/apis/[^/]+)/(?P<version>[^/]+)/(?P<namespace>namespaces/\{namespace\}/)?"
    r"(?P<plural>[a-z0-9.-]+)(?:/\{name\}(?:/(?P<subresource>[a-z0-9]+))?)?"
)


class DumpProblem(Struct, frozen=True):
    """A document that cannot be used, and why."""

    path: str
    message: str


class _Resource(Struct):
    """What the paths say about one resource."""

    kind: str = ""
    namespaced: bool = False
    subresources: set[str] = field(default_factory=set)


class DumpedKubernetes:
    """The kinds of the documents of one cluster."""

    def __init__(self, documents: Iterable[tuple[str, str]]) -> None:
        """`documents` are paths with texts. `problems` has those that cannot be used."""
        self.problems: list[DumpProblem] = []
        self._definitions: dict[str, JsonObject] = {}
        self._source: dict[str, str] = {}
        self._paths: dict[tuple[str, str, str], _Resource] = {}
        self._resolver = Definitions(self._definition)
        self._found: dict[GroupVersionKind, KindSchema] = {}
        for path, text in documents:
            self._read(path, text)

    def _read(self, path: str, text: str) -> None:
        try:
            document = as_object(json.loads(text))
        except ValueError as error:
            self.problems.append(DumpProblem(path, f"not JSON: {error}"))
            return
        except RecursionError:
            self.problems.append(DumpProblem(path, "nested too deeply"))
            return
        definitions = document.get("definitions") or as_object(document.get("components")).get("schemas")
        if not isinstance(definitions, dict) or not definitions:
            message = "neither a swagger.json nor an OpenAPI v3 document: no `definitions` and no `components.schemas`"
            self.problems.append(DumpProblem(path, message))
            return
        for name, definition in definitions.items():
            if isinstance(definition, dict) and name not in self._definitions:
                self._definitions[name] = definition
                self._source[name] = path
        for url, item in as_object(document.get("paths")).items():
            match = _RESOURCE_PATH.fullmatch(url)
            if match is not None:
                self._add_path(match, as_object(item))

    def _add_path(self, match: re.Match[str], item: JsonObject) -> None:
        group = match["api"].removeprefix("/apis/").removeprefix("/api")
        resource = self._paths.setdefault((group, match["version"], match["plural"]), _Resource())
        resource.namespaced = resource.namespaced or match["namespace"] is not None
        if match["subresource"]:
            resource.subresources.add(match["subresource"])
            return
        for operation in item.values():
            name = _gvk(as_object(operation).get("x-kubernetes-group-version-kind"))
            resource.kind = name.kind if name is not None else resource.kind

    def _definition(self, name: str) -> JsonObject | None:
        definition = self._definitions.get(name)
        if definition is None:
            return None
        mended = self._definitions[name] = well_formed(definition)
        return mended

    @cached_attribute
    def _resources(self) -> dict[GroupVersionKind, tuple[str, _Resource]]:
        return {
            GroupVersionKind(group, version, resource.kind): (plural, resource)
            for (group, version, plural), resource in self._paths.items()
            if resource.kind
        }

    @cached_attribute
    def _definition_names(self) -> dict[GroupVersionKind, str]:
        return {
            name: definition
            for definition, schema in self._definitions.items()
            for entry in as_list(schema.get("x-kubernetes-group-version-kind"))
            if (name := _gvk(entry)) is not None
        }

    def find(self, name: GroupVersionKind) -> KindSchema | None:
        """Return the kind, if the cluster serves it."""
        if name not in self._resources or name not in self._definition_names:
            return None
        if name not in self._found:
            plural, resource = self._resources[name]
            definition = self._definition_names[name]
            subresources = tuple(sorted(resource.subresources))
            load = partial(self.definition, definition)
            source = self._source[definition]
            self._found[name] = KindSchema(name, plural, resource.namespaced, subresources, source, load)
        return self._found[name]

    def names(self) -> Iterator[GroupVersionKind]:
        """Return every kind that the cluster serves."""
        return (name for name in self._resources if name in self._definition_names)

    def has_group_version(self, group: str, version: str) -> bool:
        """Whether the cluster serves anything in that version of that group."""
        return any((name.group, name.version) == (group, version) for name in self._resources)

    def lifetime(self, name: GroupVersionKind) -> Lifetime | None:
        """Return when Kubernetes added and removed a kind, where that is known."""
        return kubernetes().lifetime(name)

    def definition(self, name: str) -> JsonObject:
        """Return a definition by its full name, without any `$ref`; one that the dump lacks is a bundled one.

        Raises KeyError.
        """
        return self._resolver.resolve(name) or kubernetes().definition(name)


def _gvk(value: JsonValue) -> GroupVersionKind | None:
    names = as_object(value)
    kind = as_text(names.get("kind"))
    return GroupVersionKind(as_text(names.get("group")), as_text(names.get("version")), kind) if kind else None
