"""What the check of one part depends on beyond the part itself; its findings stand as long as this is equal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.analysis.candidates import NO_CANDIDATES, Candidates
from kro_ls.analysis.definition import (
    OMIT_ENABLED,
    OUTER_IDS,
    SCHEMA_DAMAGED,
    aliased,
    candidates,
    declarations,
    has_anonymous,
    is_cluster_scoped,
    is_unfinished,
    kinds,
)
from kro_ls.analysis.facts import instance_paths, kind_name
from kro_ls.analysis.model.model import Resource, SchemaSection
from kro_ls.analysis.names.references import foreign_names, mentioned_names, names
from kro_ls.analysis.sets import set_of
from kro_ls.analysis.types.instance_schema import instance, instance_read_by
from kro_ls.analysis.types.variables import Bindings, resource_binding
from kro_ls.cel.types.types import ANY, DYN
from kro_ls.kro.collection_form import KREP_2_FORM
from kro_ls.queries.engine import OwnedQuery

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kro_ls.analysis.facts import Declaration, KindName
    from kro_ls.analysis.types.variables import Binding
    from kro_ls.openapi.cel_types import SchemaRoot
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.kind_schema import KindSchema
    from kro_ls.queries.engine import Reader


class Scope(Struct, frozen=True, gc=False):
    """The surroundings of one part, reduced to what can change its findings.

    `resource_ids` are the ids of resources among the names that the part uses or declares. `candidates` are all ids,
    for suggestions, given only to parts that use a name nothing declares. `anonymous_resources` tells that the id of
    some resource is missing, unusable or taken: a name may then mean that resource; it is told to parts that use a name
    nothing declares, or their own.
    `omit_enabled` tells that the cluster's feature gate for omit() is on. `bindings` are the types of the names that
    the part uses, as far as the RGD declares them; of the instance, the fields that it reads. `kind` is that of a
    resource's object, None where it is unknown. `schema_damaged` tells that YAML cannot read all of `spec.schema`, so
    that a field which the part reads may be missing; it is told to parts that read one which is. `resources_unfinished`
    tells that there are no resources, or one without a kind; it is told to a status that uses a name nothing declares.
    """

    resource_ids: frozenset[str] = frozenset()
    candidates: Candidates = NO_CANDIDATES
    anonymous_resources: bool = False
    cluster_scoped: bool = False
    omit_enabled: bool = False
    bindings: Bindings = Bindings()
    kind: KindSchema | None = None
    schema_damaged: bool = False
    resources_unfinished: bool = False


def scope_of(reader: Reader, part: Resource | SchemaSection) -> Scope:
    """Return what the check of a part depends on."""
    scope, read = _scope_without_instance(reader, part), instance_of(reader, part)
    if read is None:
        return scope
    return replace(
        scope,
        bindings=Bindings(scope.bindings.others, read),
        schema_damaged=read is reader.value_of(instance) and SCHEMA_DAMAGED(reader),
    )


@OwnedQuery
def _scope_without_instance(reader: Reader, part: Resource | SchemaSection) -> Scope:
    """Return what does not change when a field of the instance does, which many parts may read."""
    outer = OUTER_IDS(reader)
    declared = {name: declarations.entry(reader, name) for name in mentioned_names(part)}
    known = {name for name, each in declared.items() if each is not None or name in outer}
    resource = part if isinstance(part, Resource) else None
    undeclared = not foreign_names(part) <= known
    named = names(part)
    return Scope(
        set_of(named & known),
        candidates(reader) if undeclared else NO_CANDIDATES,
        (undeclared or (resource is not None and resource.id in named)) and has_anonymous(reader),
        is_cluster_scoped(reader),
        OMIT_ENABLED(reader),
        Bindings(tuple(_bindings(reader, part, declared))),
        kind_of(reader, kind_name(resource)) if resource else None,
        resources_unfinished=undeclared and resource is None and is_unfinished(reader),
    )


def kind_of(reader: Reader, name: KindName | None) -> KindSchema | None:
    """Return a kind by the name that an object gives it, None where it is unknown or not said."""
    return kinds.entry(reader, name) if name else None


def instance_of(reader: Reader, part: Resource | SchemaSection) -> SchemaRoot | None:
    """Return what `schema` is in a part: with the fields that it reads; None where it means no instance."""
    if not part.sees_instance:
        return None
    paths = instance_paths(part)
    return instance_read_by(reader, paths) if paths or "schema" in mentioned_names(part) else None


def _bindings(
    reader: Reader, part: Resource | SchemaSection, declared: Mapping[str, Declaration | None]
) -> Iterator[tuple[str, Binding]]:
    with_alias = aliased(reader) if declared else set_of(())
    for name in sorted(declared):
        if name == "schema" and part.sees_instance:
            continue
        binding = _binding(reader, name, declared[name])
        if binding is not None:
            yield name, binding
            if name in with_alias:
                yield f"{name}.{KREP_2_FORM.alias}", binding


def _binding(reader: Reader, name: str, declared: Declaration | None) -> Binding | None:
    if declared is None:
        return ANY if name in OUTER_IDS(reader) else None
    if declared.is_repeated:
        return DYN
    if declared.data is not None:
        schema: JsonObject | None = declared.data.value
    else:
        kind = kind_of(reader, declared.kind)
        schema = kind.schema if kind else None
    return resource_binding(name, declared.type, schema, is_untyped=declared.is_untyped)
