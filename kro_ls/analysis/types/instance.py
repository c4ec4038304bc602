"""The schema of the instance as expressions see it: whole, and cut down to the fields that somebody reads.

A check depends on the fields that it reads and on no others. So it gets a schema of just these, and that is the same
object for the same fields, as long as somebody holds it: what was checked with it stands until one of them changes.
"""

from __future__ import annotations

from itertools import compress
from operator import is_not
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakValueDictionary

from kro_ls.analysis.crd.generate import instance_schema
from kro_ls.analysis.memory import remembered
from kro_ls.analysis.types.broken_fields import checkable_schema
from kro_ls.analysis.types.variables import simple_schema
from kro_ls.cel.syntax.names import RESERVED_WORDS, escape
from kro_ls.openapi.cel_types import SchemaRoot, declare

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kro_ls.analysis.facts import FieldNames
    from kro_ls.analysis.model.model import SchemaSection
    from kro_ls.analysis.simpleschema.results import SchemaResult
    from kro_ls.openapi.json_values import JsonObject

Json = dict[str, Any]

_cut_down: Final[WeakValueDictionary[tuple[object, ...], SchemaRoot]] = WeakValueDictionary()


def instance_of(section: SchemaSection, object_meta: JsonObject, before: SchemaRoot | None) -> SchemaRoot:
    """Return what `schema` is: the instance without its status.

    Fields that are as in the instance `before` are the same objects.
    """
    schema = _instance(section, object_meta)
    if before is None:
        return declare("schema", schema)
    if before.schema is schema:
        return before
    unchanged = _Unchanged()
    properties: Json = dict(schema["properties"])
    known: Json = before.schema["properties"]  # type: ignore[assignment]  # made below
    if unchanged.same(properties["metadata"], known["metadata"]):
        properties["metadata"] = known["metadata"]
    properties["spec"] = _with_known_fields(properties["spec"], known["spec"], unchanged)
    if properties["metadata"] is known["metadata"] and properties["spec"] is known["spec"]:
        return before
    return declare("schema", {**schema, "properties": properties})


def _with_known_fields(spec: Json, known: Json, unchanged: _Unchanged) -> Json:
    """Return `spec` with each field that is as in `known` taken from there, all of it if nothing has changed."""
    if spec is known:
        return known
    fields: Json = spec.get("properties") or {}
    fields_before: Json = known.get("properties") or {}
    kept = dict(fields)
    for name in _others(fields_before, fields):
        if name in fields_before and unchanged.same(fields[name], fields_before[name]):
            kept[name] = fields_before[name]
    changed = {**spec, "properties": kept} if fields else spec
    return known if unchanged.same(changed, known) else changed


def _others(before: Json, after: Json) -> Iterable[str]:
    """Return the names whose values are other objects than before, or new."""
    if list(before) == list(after):  # quick, and the rule
        return compress(after, map(is_not, before.values(), after.values()))
    return [name for name, value in after.items() if before.get(name) is not value]


@remembered
def _instance(section: SchemaSection, object_meta: JsonObject) -> Json:
    schema = instance_schema(_checkable(simple_schema(section)))
    metadata: Json = dict(object_meta)
    if section.scope == "Cluster":
        fields = metadata.get("properties") or {}
        metadata["properties"] = {name: value for name, value in fields.items() if name != "namespace"}
    own = schema["properties"]
    return {
        **schema,
        "properties": {**{name: own[name] for name in ("apiVersion", "kind", "spec")}, "metadata": metadata},
    }


@remembered
def _checkable(result: SchemaResult) -> Json:
    return checkable_schema(result)


def cut_down(instance: SchemaRoot, paths: frozenset[FieldNames]) -> SchemaRoot:
    """Return the instance with those fields of `spec` alone that the paths begin with.

    It stays whole for a path that takes `spec` or the instance as one, or that begins with no field: what can be said
    of that depends on all of them.
    """
    cuts: dict[frozenset[FieldNames], SchemaRoot | None] | None = instance.memory.get(cut_down)
    if cuts is None:
        cuts = instance.memory[cut_down] = {}
    if paths not in cuts:
        found = _cut(instance, paths)
        cuts[paths] = None if found is instance else found  # it need not hold itself
    return cuts[paths] or instance


def _cut(instance: SchemaRoot, paths: Iterable[FieldNames]) -> SchemaRoot:
    properties: Json = instance.schema["properties"]  # type: ignore[assignment]  # see `instance_of`
    spec = properties["spec"]
    fields: Json = spec.get("properties") or {}
    wanted: dict[str, None] = {}
    for path in paths:
        if not path or path[0] not in properties:
            return instance
        if path[0] == "spec":
            name = _field_name(fields, path[1]) if len(path) > 1 else None
            if name is None:
                return instance
            wanted[name] = None
    required = tuple(name in (spec.get("required") or ()) for name in wanted)
    rest = {name: value for name, value in spec.items() if name not in ("properties", "required")}
    key = (
        id(properties["metadata"]),
        repr(rest),
        *((name, id(fields[name]), needed) for name, needed in zip(wanted, required, strict=True)),
    )
    found = _cut_down.get(key)
    if found is None:
        own_spec = {**rest, "properties": {name: fields[name] for name in wanted}}
        if any(required):
            own_spec["required"] = [name for name, needed in zip(wanted, required, strict=True) if needed]
        # The root holds the fields' schemas, so that their ids stay theirs as long as the entry is there.
        own = {**instance.schema, "properties": {**properties, "spec": own_spec}}
        found = _cut_down[key] = SchemaRoot("schema", own)
    return found


def changed_fields(before: SchemaRoot | None, after: SchemaRoot | None) -> frozenset[str] | None:
    """Return the names in CEL of the fields of `spec` that differ, None where more than single fields does."""
    if before is None or after is None:
        return None
    known: Json = before.schema["properties"]  # type: ignore[assignment]  # see `instance_of`
    properties: Json = after.schema["properties"]  # type: ignore[assignment]
    if properties["metadata"] is not known["metadata"]:
        return None
    spec, known_spec = properties["spec"], known["spec"]
    rest, known_rest = (
        {name: value for name, value in each.items() if name not in ("properties", "required")}
        for each in (spec, known_spec)
    )
    if rest != known_rest:
        return None
    fields, known_fields = spec.get("properties") or {}, known_spec.get("properties") or {}
    changed = {*_others(known_fields, fields), *(known_fields.keys() - fields.keys())}
    changed |= set(spec.get("required") or ()) ^ set(known_spec.get("required") or ())
    return frozenset(changed.union(filter(None, map(escape, changed))))


def unknown_fields(instance: SchemaRoot | None, names: frozenset[str]) -> frozenset[str]:
    """Return those of some names in CEL that no field of `spec` has."""
    properties: Json = instance.schema["properties"] if instance else {}  # type: ignore[assignment]  # see `instance_of`
    fields: Json = properties["spec"].get("properties") or {} if properties else {}
    others = names.difference(fields)
    return others.difference(map(escape, fields)) if others else others


def _field_name(fields: Json, selected: str) -> str | None:
    """Return the field that a name in CEL selects."""
    if selected in fields and escape(selected) == selected:
        return selected
    names = (name for name in fields if escape(name) == selected)
    return selected if selected in RESERVED_WORDS and selected in fields else next(names, None)


class _Unchanged:
    """Compares schemas by value. Parts that are shared are compared once, or a small schema could take for ever."""

    def __init__(self) -> None:
        self._same: dict[tuple[int, int], bool] = {}

    def same(self, left: object, right: object) -> bool:
        if left is right:
            return True
        if isinstance(left, dict) and isinstance(right, dict):
            key = (id(left), id(right))
            if key not in self._same:
                self._same[key] = list(left) == list(right) and all(
                    self.same(value, right[name]) for name, value in left.items()
                )
            return self._same[key]
        if isinstance(left, list) and isinstance(right, list):
            return len(left) == len(right) and all(map(self.same, left, right))
        return type(left) is type(right) and left == right
