"""The definitions of a workspace or a cluster before or after a change, and the plans for those that change."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.analysis.crd.compatibility import CompatibilityError
from kro_ls.kro.forms import DEFAULT_GROUP, DEFAULT_SCOPE
from kro_ls.openapi.json_values import as_object, as_text
from kro_ls.queries.cells import cached_attribute
from kro_ls.rules.refusals import refusals
from kro_ls.runtime.nodes.node_objects import group_kind
from kro_ls.runtime.plans.plan import DefinitionPlan, SchemaChange
from kro_ls.workspace.check import file_document
from kro_ls.workspace.evolution import declared_in, evolutions, field_of, place_of_change
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.errors import ExcessiveAliasingError
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kro_ls.kro.versions.version import Version
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.rules.settings import Settings
    from kro_ls.workspace.documents import Document
    from kro_ls.workspace.evolution import Declared, Evolution
    from kro_ls.workspace.schemas import WorkspaceSchemas
    from kro_ls.yaml_positions.documents.document import YamlDocument


GroupKind = tuple[str, str]
_MOST_DOCUMENTS = 256
"""How many analysed files with definitions are cached."""


class ServedKind(Struct, frozen=True, eq=False):
    """A definition with its CRD, its value, and the first reason why kro refuses it, empty if it does not.

    Definitions with the same `meaning` behave the same; one with too many aliases has no value. `refused_at` is the
    offset of the reason, `kro` the version that runs.
    """

    declared: Declared
    value: JsonObject
    meaning: str
    kro: Version
    refused: str = ""
    refused_at: int = 0


class WrittenInstance(Struct, frozen=True):
    """An instance and where it is: a file, or a cluster."""

    source: str
    value: JsonObject

    @property
    def kind(self) -> GroupKind:
        """Its group and kind."""
        return group_kind(self.value)

    @property
    def key(self) -> tuple[str, str, str, str]:
        """Its identity: group, kind, namespace and name."""
        metadata = as_object(self.value.get("metadata"))
        return (*self.kind, as_text(metadata.get("namespace")) or "default", as_text(metadata.get("name")))

    @property
    def name(self) -> str:
        """Its namespace, where it has one, and its name."""
        metadata = as_object(self.value.get("metadata"))
        return "/".join(filter(None, (as_text(metadata.get("namespace")), as_text(metadata.get("name")))))


class Edition:
    """The texts with definitions at one time, by path, and the kinds then."""

    def __init__(self, texts: dict[str, str], kinds: WorkspaceSchemas, settings_of: Callable[[str], Settings]) -> None:
        self.texts = texts
        self.kinds = kinds
        self._settings_of = settings_of
        self.document = lru_cache(maxsize=_MOST_DOCUMENTS)(self._document)
        """Returns the document of a file."""
        self._served: dict[tuple[GroupKind, str], ServedKind | None] = {}

    @cached_attribute
    def homes(self) -> dict[GroupKind, tuple[str, ...]]:
        """The files that declare a kind."""
        found: dict[GroupKind, tuple[str, ...]] = {}
        for name in self.kinds.generated.names():
            key = name.group, name.kind
            found[key] = (*found.get(key, ()), *self.kinds.generated.homes(name))
        return found

    @property
    def paths(self) -> tuple[str, ...]:
        """The files that declare kinds."""
        return tuple(dict.fromkeys(path for homes in self.homes.values() for path in homes))

    def served(self, path: str, value: JsonObject) -> ServedKind | None:
        """Return the definition of an instance in a file, the nearest of several."""
        kind = group_kind(value)
        homes = self.homes.get(kind, ())
        if not homes:
            return None
        chosen = self.kinds.chosen_source(path, as_text(value.get("apiVersion")), kind[1]) if len(homes) > 1 else ""
        home = chosen if chosen in homes else homes[0]
        if (kind, home) not in self._served:
            self._served[kind, home] = next((each for each in self.served_in(home) if each.declared.kind == kind), None)
        return self._served[kind, home]

    def served_in(self, path: str) -> Iterator[ServedKind]:
        """Yield the definitions of a file that declare a kind."""
        document = self.document(path)
        for declared in declared_in(path, document.analysis):
            part = declared.rgd.rgd.document
            errors = refusals(document.diagnosis, declared.rgd)
            refused = (errors[0].message, errors[0].span.start) if errors else ("", 0)
            value = _value(part)
            meaning = _meaning(value) if value else document.text.content[part.start : part.end]
            yield ServedKind(declared, value, meaning, document.settings.version, *refused)

    def _document(self, path: str) -> Document:
        return file_document(path, Text(self.texts[path]), self._settings_of(path), self.kinds)


def _value(part: YamlDocument) -> JsonObject:
    try:
        return as_object(part.to_python())
    except ExcessiveAliasingError:
        return {}


def _meaning(value: JsonObject) -> str:
    """Return the meaning of a definition: its spec with the defaults of kro's schema, and its annotations."""
    spec, metadata = as_object(value.get("spec")), as_object(value.get("metadata"))
    schema: JsonObject = {"group": DEFAULT_GROUP, "scope": DEFAULT_SCOPE, **as_object(spec.get("schema"))}
    return json.dumps([{**spec, "schema": schema}, metadata.get("annotations") or {}], sort_keys=True)


def instances_in_text(source: str, text: str, kinds: frozenset[GroupKind]) -> Iterator[WrittenInstance]:
    """Yield the instances of some kinds in a text, also in lists; documents with errors are left out."""
    if not any(kind in text for _, kind in kinds):
        return
    for document in parse_stream(Text(text)).documents:
        if document.errors:
            continue
        try:
            value = document.to_python()
        except (ExcessiveAliasingError, RecursionError):
            continue
        fields = as_object(value)
        items = fields.get("items") if fields.get("kind") == "List" else None
        for each in items if isinstance(items, list) else [fields]:
            if isinstance(each, dict) and group_kind(each) in kinds:
                yield WrittenInstance(source, each)


_HALF_REFUSED = "kro does not change its schema, but makes the new objects with the old one"
_RESOURCES_CHANGED = "its resources changed, its schema did not"


def definition_plans(old: Edition, new: Edition) -> Iterator[DefinitionPlan]:
    """Yield the plan of each definition that changes; unchanged files are not read."""
    before, after = (_served(edition, other) for edition, other in ((old, new), (new, old)))
    found: dict[GroupKind, Evolution] = {}
    try:
        changed = evolutions((each.declared for each in before), (each.declared for each in after), {})
        found = {each.declared.kind: each for each in changed}
    except CompatibilityError:
        pass
    meanings = {each.declared.kind: each.meaning for each in before}
    for each in after:
        evolution = found.pop(each.declared.kind, None)
        if evolution is not None or meanings.get(each.declared.kind) != each.meaning:
            yield _plan_of(each, evolution)
    for gone in found.values():
        if gone.new is None and gone.declared.kind not in new.homes:
            yield DefinitionPlan(_called(gone.declared), gone.declared.path, gone.summary, is_refused=True)


def _served(edition: Edition, other: Edition) -> list[ServedKind]:
    changed = (path for path in edition.paths if edition.texts[path] != other.texts.get(path))
    return [each for path in changed for each in edition.served_in(path)]


def _plan_of(served: ServedKind, evolution: Evolution | None) -> DefinitionPlan:
    declared = served.declared
    changes = [] if evolution is None else list(_changes(evolution))
    if served.refused:
        refused = _at(declared, served.refused_at, f"kro refuses it: {served.refused}", is_refused=True)
        return DefinitionPlan(_called(declared), declared.path, "kro refuses it", (refused, *changes), is_refused=True)
    if evolution is None or not changes:
        summary = "a new kind" if evolution and evolution.old is None else _RESOURCES_CHANGED
        return DefinitionPlan(_called(declared), declared.path, summary)
    is_refused = any(each.is_refused for each in changes)
    summary = evolution.summary
    if evolution.report.breaking and evolution.is_breaking:
        summary = f"{_HALF_REFUSED}: {summary}"
    return DefinitionPlan(_called(declared), declared.path, summary, tuple(changes), is_refused)


def _changes(evolution: Evolution) -> Iterator[SchemaChange]:
    declared, report = evolution.declared, evolution.report
    for change in (*report.breaking, *report.non_breaking):
        span = place_of_change(declared.rgd, change)
        field = field_of(change)
        is_refused = change in report.breaking and evolution.is_breaking
        message = f"{field}: {change.plain}" if field else change.plain
        yield _at(declared, span.start if span else declared.rgd.rgd.document.start, message, is_refused=is_refused)
    for frozen in evolution.frozen:
        if not frozen.resource:  # the plans of instances report their objects
            yield _at(declared, frozen.offset, f"the API server refuses it: {frozen.message}", is_refused=True)


def _at(declared: Declared, offset: int, message: str, *, is_refused: bool) -> SchemaChange:
    position = declared.text.position(offset)
    return SchemaChange(message, declared.path, position.line + 1, position.column + 1, is_refused)


def _called(declared: Declared) -> str:
    group, kind = declared.kind
    return f"{kind} ({group})"
