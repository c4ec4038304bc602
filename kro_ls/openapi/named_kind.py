"""Finds a kind by the names that people use, such as `Role`, `roles` or `deployments.v1.apps`, and a field of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.golang.plural import plural
from kro_ls.openapi.schema import Schema, type_text
from kro_ls.spelling import closest

if TYPE_CHECKING:
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.kind_schema import GroupVersionKind, KindSchema

_MOST_GROUPS = 5


class UnknownKindError(Exception):
    """A name is that of no kind, of several, or of no field; the text says what may have been meant."""


class NamedKind(Struct, frozen=True):
    """A kind, its versions, the best first, other kinds with the name, and what follows the name."""

    kind: KindSchema
    versions: tuple[str, ...]
    others: tuple[GroupVersionKind, ...]
    rest: tuple[str, ...] = ()

    @property
    def scope(self) -> str:
        """`Namespaced` or `Cluster`, as in a CustomResourceDefinition."""
        return "Namespaced" if self.kind.namespaced else "Cluster"

    @property
    def other_names(self) -> tuple[str, ...]:
        """The other kinds with the name, such as `ConfigMap.example.com`."""
        return tuple(dict.fromkeys(f"{each.kind}.{each.group}".rstrip(".") for each in self.others))


class NamedField(Struct, frozen=True):
    """A field of a kind by the names on the way to it; none for the kind itself."""

    names: tuple[str, ...]
    schema: Schema
    is_required: bool = False

    @property
    def title(self) -> str:
        """The path, the type, and whether it is required: `spec.name <string> required`."""
        return f"{'.'.join(self.names)} <{type_text(self.schema)}>" + (" required" if self.is_required else "")

    @property
    def fields(self) -> tuple[NamedField, ...]:
        """The fields of the objects in it: of the items of a list, or of the values of a map."""
        owner = objects_in(self.schema)
        return tuple(NamedField((name,), child, name in owner.required) for name, child in owner.properties.items())


def named_kind(index: SchemaIndex, text: str) -> NamedKind:
    """Return the kind that a text names, in its best version. Raises UnknownKindError.

    Of several groups, Kubernetes' own wins. What is neither group nor version is the `rest`: `Role.spec.policies`.
    """
    first, *rest = text.split(".")
    named = [name for name in index.kinds() if first.lower() in (name.kind.lower(), plural(name.kind))]
    if not named:
        meant = closest(first, dict.fromkeys(name.kind for name in index.kinds()))
        advice = f"did you mean {meant!r}?" if meant else "'kro-ls kinds add' adds definitions"
        raise UnknownKindError(f"no kind {first!r} is known; {advice}")
    qualifier = ".".join(rest)
    found = [name for name in named if qualifier in (name.group, name.version, f"{name.version}.{name.group}")]
    if found:
        return _chosen(index, found, named)
    removed = _removed(index, qualifier, named)
    if removed:
        return removed
    groups = dict.fromkeys(name.group for name in named)
    if rest and "." in qualifier and rest[0] not in ("spec", "status", "metadata"):
        raise UnknownKindError(f"no {named[0].kind} is known in {qualifier!r}; it is in {_listed(groups)}")
    chosen = _chosen(index, named, named)
    return NamedKind(chosen.kind, chosen.versions, chosen.others, tuple(rest))


def _removed(index: SchemaIndex, qualifier: str, named: list[GroupVersionKind]) -> NamedKind | None:
    """Return a kind in a version that its project no longer serves, which no list of kinds has."""
    for name in named:
        version = qualifier.removesuffix(f".{name.group}")
        kind = index.find(name.group, version, name.kind) if version != qualifier else None
        if kind:
            versions = (each.version for each in named if (each.group, each.kind) == (name.group, name.kind))
            return NamedKind(kind, tuple(versions), ())
    return None


def _chosen(index: SchemaIndex, found: list[GroupVersionKind], named: list[GroupVersionKind]) -> NamedKind:
    groups = list(dict.fromkeys(name.group for name in found))
    own = [name.group for name in found if index.is_kubernetes_group(name.group, name.version)]
    if len(groups) > 1 and not own:
        called = found[0].kind
        raise UnknownKindError(
            f"several groups have a kind {called!r}: {_listed(groups)}; name one: {called}.{groups[0]}"
        )
    group = own[0] if own else groups[0]
    name = next(each for each in found if each.group == group)
    kind = index.find(name.group, name.version, name.kind)
    if kind is None:
        raise UnknownKindError(f"the definition of {name} is gone; add it again")
    same = [each for each in named if (each.group, each.kind) == (name.group, name.kind)]
    return NamedKind(kind, tuple(each.version for each in same), tuple(each for each in named if each.group != group))


def _listed(groups: list[str] | dict[str, None]) -> str:
    shown = [group or "the core group" for group in groups][:_MOST_GROUPS]
    return ", ".join(shown) + (", ..." if len(groups) > _MOST_GROUPS else "")


def named_field(named: NamedKind, names: tuple[str, ...]) -> NamedField:
    """Return the field at a path, in which lists and maps take no name. Raises UnknownKindError."""
    found = NamedField((), Schema(named.kind.schema))
    for name in names:
        owner = objects_in(found.schema)
        child = owner.child(name)
        if child is None:
            raise UnknownKindError(_unknown_field(named, found, name, owner))
        found = NamedField((*found.names, name), child, name in owner.required)
    return found


def _unknown_field(named: NamedKind, found: NamedField, name: str, owner: Schema) -> str:
    where = " ".join([str(named.kind.name), ".".join(found.names)]).rstrip()
    meant = closest(name, owner.properties)
    advice = f"; did you mean {meant!r}?" if meant else ""
    others = ", ".join(named.other_names) if not found.names else ""
    return f"{where} has no field {name!r}{advice or (f'; there is also {others}' if others else '')}"


def objects_in(schema: Schema) -> Schema:
    """Return the schema of the objects in a value: of the items of a list, or of the values of a map."""
    while not schema.raw.get("properties"):
        inner = schema.items or schema.additional_properties
        if inner is None:
            break
        schema = inner
    return schema
