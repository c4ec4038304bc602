"""Writes the pack from definitions.

Equal subtrees of all schemas are stored once. One that a single kind uses is in the kind's own block, one that several
kinds of a group use in the group's, and any other in the common block; `reading` describes the layout. This module uses
only the standard library, as `container` does.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from kro_ls.openapi.json_values import as_list, as_object, as_text
from kro_ls.openapi.sources.container import PACK, ContainerWriter, compact_json
from kro_ls.openapi.sources.pack.stripping import map_schemas, schemas_in, stripped_definition

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kro_ls.openapi.json_values import JsonObject, JsonValue

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}\b")

SMALLEST_SHARED = 80
"""Smaller subtrees, in bytes of JSON, are repeated: 80 gives 1.62 MB for 1,574 kinds, 200 gives 1.78 MB."""


class _Owner(NamedTuple):
    """A kind."""

    group: str
    kind: str


@dataclass(frozen=True, slots=True)
class Record:
    """A definition with the release of a project that it is from."""

    project: str
    release: str
    """A version (`v1.10.1`), or a date with a commit (`2026-08-13 eeb8ea4`)."""
    definition: JsonObject


_UNKNOWN: JsonObject = {}
"""The schema of a version without one: one object, because subtrees are found by identity."""


def build(records: Iterable[Record]) -> bytes:
    """Return the pack of some definitions. The same records give the same bytes, in any order."""
    kinds = _kinds(records)
    projects = sorted({(record.project, record.release) for record, _ in kinds.values()})
    subtrees = _Subtrees()
    for owner, (_, definition) in sorted(kinds.items()):
        for version in _versions(definition):
            subtrees.count(_schema_of(version), owner)
    rows: dict[str, dict[str, JsonValue]] = defaultdict(dict)
    for owner, (record, definition) in sorted(kinds.items()):
        project = projects.index((record.project, record.release))
        rows[owner.group][owner.kind] = _row(owner, project, definition, subtrees)
    dates = (record.release[:10] for record, _ in kinds.values() if _DATE.match(record.release))
    writer = ContainerWriter()
    blocks = [writer.add(b"\n".join(lines)) for lines in subtrees.blocks]
    return writer.content(PACK, {"date": max(dates, default=""), "projects": projects, "kinds": rows, "blocks": blocks})


def _kinds(records: Iterable[Record]) -> dict[_Owner, tuple[Record, JsonObject]]:
    """Return the definition of each kind: of several the one that serves most versions, then the longest one.

    A version that only the others have is added as one that is no longer served.
    """
    candidates: dict[_Owner, list[tuple[Record, JsonObject]]] = defaultdict(list)
    for record in records:
        definition = stripped_definition(record.definition)
        spec = as_object(definition.get("spec"))
        owner = _Owner(as_text(spec.get("group")), as_text(as_object(spec.get("names")).get("kind")))
        candidates[owner].append((record, definition))
    return {owner: _merged(sorted(found, key=_completeness)) for owner, found in candidates.items()}


def _completeness(candidate: tuple[Record, JsonObject]) -> tuple[int, int, str, str]:
    record, definition = candidate
    served = sum(version.get("served") is True for version in _versions(definition))
    return -served, -len(compact_json(definition)), record.project, record.release


def _merged(found: list[tuple[Record, JsonObject]]) -> tuple[Record, JsonObject]:
    (record, best), *others = found
    spec = as_object(best["spec"])
    versions: list[JsonValue] = [*_versions(best)]
    for _, other in others:
        names = {as_object(version).get("name") for version in versions}
        versions += [{**version, "served": False} for version in _versions(other) if version.get("name") not in names]
    return record, {**best, "spec": {**spec, "versions": versions}}


def _versions(definition: JsonObject) -> Iterator[JsonObject]:
    return map(as_object, as_list(as_object(definition.get("spec")).get("versions")))


def _schema_of(version: JsonObject) -> JsonObject:
    schema = as_object(version.get("schema")).get("openAPIV3Schema")
    return schema if isinstance(schema, dict) else _UNKNOWN


def _row(owner: _Owner, project: int, definition: JsonObject, subtrees: _Subtrees) -> JsonValue:
    """Write the versions of a kind, and return its row in the header, which `reading` describes."""
    spec = as_object(definition.get("spec"))
    versions: JsonObject = {}
    removed: list[JsonValue] = []
    for version in _versions(definition):
        name = as_text(version.get("name"))
        versions[name] = subtrees.write_version(owner, version)
        if version.get("served") is not True:
            removed.append(name)
    return [project, as_object(spec.get("names")).get("plural"), spec.get("scope") != "Cluster", versions, removed]


@dataclass(slots=True)
class _Subtree:
    """A schema that is used in one or several places."""

    schema: JsonObject
    size: int
    """In bytes of JSON."""
    parents: set[int] = field(default_factory=set)
    owners: set[_Owner] = field(default_factory=set)
    name: str = ""
    """What refers to it, once it is written."""


class _Subtrees:
    """All subtrees of all schemas: counted first, then written."""

    def __init__(self) -> None:
        self.blocks: list[list[bytes]] = []
        """The lines of each block."""
        self._all: list[_Subtree] = []
        self._numbers: dict[bytes, int] = {}
        self._numbers_by_id: dict[int, int] = {}
        self._block_numbers: dict[tuple[str, ...], int] = {}

    def count(self, schema: JsonObject, owner: _Owner, parent: int = -1) -> None:
        """Count the use of a subtree by a kind, below another subtree."""
        number = self._number(schema)
        subtree = self._all[number]
        subtree.parents.add(parent)
        if owner not in subtree.owners:
            subtree.owners.add(owner)
            for child in schemas_in(schema):
                self.count(child, owner, number)

    def _number(self, schema: JsonObject) -> int:
        """Return the number of a schema, the same for all equal ones."""
        found = self._numbers_by_id.get(id(schema))
        if found is None:
            text = compact_json(map_schemas(schema, lambda child: {"": self._number(child)}))
            found = self._numbers_by_id[id(schema)] = self._numbers.setdefault(text, len(self._numbers))
            if found == len(self._all):
                size = len(text) + sum(self._all[self._number(child)].size for child in schemas_in(schema))
                self._all.append(_Subtree(schema, size))
        return found

    def write_version(self, owner: _Owner, version: JsonObject) -> str:
        """Write a version of a kind into the block of the kind, and return the name of its line."""
        described = {name: value for name, value in version.items() if name not in ("name", "served", "schema")}
        return self._append(tuple(owner), {**described, "schema": self._reference(_schema_of(version))})

    def _reference(self, schema: JsonObject) -> JsonObject:
        """Return a subtree, or a reference to where it is written."""
        subtree = self._all[self._number(schema)]
        if len(subtree.parents) < 2 or subtree.size < SMALLEST_SHARED:
            return map_schemas(schema, self._reference)
        if not subtree.name:
            subtree.name = self._append(_home(subtree.owners), map_schemas(schema, self._reference))
        return {"$ref": subtree.name}

    def _append(self, block: tuple[str, ...], line: JsonObject) -> str:
        number = self._block_numbers.setdefault(block, len(self._block_numbers))
        if number == len(self.blocks):
            self.blocks.append([])
        self.blocks[number].append(compact_json(line))
        return f"{number}.{len(self.blocks[number]) - 1}"


def _home(owners: set[_Owner]) -> tuple[str, ...]:
    """Return the block of a subtree that some kinds use: of the only kind, of their only group, or of all."""
    if len(owners) == 1:
        return tuple(*owners)
    groups = {owner.group for owner in owners}
    return tuple(groups) if len(groups) == 1 else ()
