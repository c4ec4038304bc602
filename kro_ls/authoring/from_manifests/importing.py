"""Imports manifests as resources of an existing definition, with ids, references and readiness as in a new one.

Nothing becomes a field of the schema: the author decides which values an instance chooses.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.authoring.from_manifests.draft_node import DraftNode, readiness
from kro_ls.authoring.from_manifests.draft_resources import DraftResource, aligned, id_of_kind, joined
from kro_ls.authoring.from_manifests.drafting import MOST_OBJECTS, in_no_namespace
from kro_ls.authoring.from_manifests.input_objects import UnusableObjectsError, key_of, read_input
from kro_ls.authoring.from_manifests.known_fields import KnownFields
from kro_ls.authoring.from_manifests.links import Linker
from kro_ls.authoring.from_manifests.merging import merged
from kro_ls.authoring.from_manifests.naming import INSTANCE_NAME, InstanceNames, instance_names
from kro_ls.authoring.from_manifests.schema_fields import Fields
from kro_ls.authoring.from_manifests.variation import Variation
from kro_ls.kro.forms import KIND
from kro_ls.kro.identifiers import is_resource_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from kro_ls.authoring.from_manifests.input_objects import Key
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.json_values import JsonObject

_NAME: Final = re.compile(r"\$\{(schema\.(?:metadata\.name|spec(?:\.[A-Za-z_][A-Za-z0-9_]*)+))\}(?:-|$)")


class Manifests(Struct, frozen=True):
    """Objects to import, without server-side noise, and the name of the instance in their names."""

    objects: Mapping[Key, JsonObject]
    names: InstanceNames
    namespaced: Mapping[Key, bool]

    def in_own_namespaces(self) -> Manifests:
        """Return the same objects for an instance that is in no namespace: each keeps its own."""
        return replace(self, names=replace(self.names, namespaces=("",)))

    def unnamed(self) -> Manifests:
        """Return the same objects with names that do not depend on that of the instance."""
        return replace(self, names=replace(self.names, names=("",)))


def read_manifests(values: Iterable[JsonObject], kinds: SchemaIndex, written_names: Sequence[str]) -> Manifests:
    """Return the objects of manifests; `written_names` are the names in the existing templates.

    Raises UnusableObjectsError.
    """
    read = read_input(values)
    if len(read) > MOST_OBJECTS:
        raise UnusableObjectsError(f"there are more than {MOST_OBJECTS} objects; make several definitions of them")
    if not read:
        raise UnusableObjectsError("there are no Kubernetes objects")
    if any(key.kind == KIND for key in read):
        raise UnusableObjectsError("a ResourceGraphDefinition cannot be a resource here; import what it creates")
    schemas = {key: kinds.find_api_version(key.api_version, key.kind) for key in read}
    namespaced = {key: schema is None or schema.namespaced for key, schema in schemas.items()}
    objects = {key: in_no_namespace(value, namespaced[key]) for key, value in read.items()}
    names = instance_names((objects,), namespaced.__getitem__)
    code = code_of_names(written_names)
    return Manifests(
        objects, replace(names, code=code or INSTANCE_NAME, names=names.names if code else ("",)), namespaced
    )


def code_of_names(texts: Sequence[str]) -> str:
    """Return the CEL with which most names begin, that of the instance's name where there are none; else nothing."""
    found = [each[1] for each in map(_NAME.match, texts) if each]
    if not texts:
        return INSTANCE_NAME
    return max(found, key=found.count) if found else ""


def imported(
    manifests: Manifests, known: Mapping[str, JsonObject], ids: Iterable[str], kinds: SchemaIndex
) -> tuple[DraftNode, ...]:
    """Return the resources for manifests.

    `known` are the objects of other resources for an instance with the name in the manifests, by their ids;
    `ids` are taken. Raises UnusableObjectsError.
    """
    names = manifests.names
    resources = _with_free_ids(aligned((manifests.objects,), names, manifests.namespaced), set(ids))
    there = [_known(id_, value, kinds) for id_, value in known.items()]
    linker = Linker(resources, names, there)
    linker.link()
    fields = Fields()
    variation = Variation(names, linker.found, fields, KnownFields([], linker.found, fields, {}, None), {})
    nodes = []
    for each in linker.order():
        schema = kinds.find_api_version(each.key.api_version, each.key.kind)
        nodes.append(DraftNode(each.id, merged(each, schema, variation), ready_when=readiness(each, schema, each.id)))
    return tuple(nodes)


def _known(id_: str, value: JsonObject, kinds: SchemaIndex) -> DraftResource:
    key = key_of(value)
    schema = kinds.find_api_version(key.api_version, key.kind)
    return DraftResource(id_, key, (value,), schema is None or schema.namespaced, "")


def _with_free_ids(resources: Iterable[DraftResource], taken: set[str]) -> list[DraftResource]:
    """Return resources with other ids where theirs are taken: with the name of the object in them."""
    found = []
    for each in resources:
        named = joined(each.word, id_of_kind(each.key.kind)) if each.word else each.id
        candidates = (each.id, named, *(f"{named}{number}" for number in range(2, 1000)))
        id_ = next(one for one in candidates if one not in taken and is_resource_id(one))
        taken.add(id_)
        found.append(replace(each, id=id_))
    return found
