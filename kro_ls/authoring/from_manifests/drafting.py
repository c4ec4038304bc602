"""Drafts definitions from manifests, and imports manifests into an existing definition.

An import gives ids, references and readiness as a draft does, but no field of the schema: the author decides which
values an instance chooses.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.authoring.from_manifests.copies import Collector, find_copies
from kro_ls.authoring.from_manifests.draft_resources import (
    DraftNode,
    DraftResource,
    aligned,
    condition_groups,
    divided,
    id_of_kind,
    joined,
    readiness,
    with_scaled_apart,
)
from kro_ls.authoring.from_manifests.input_objects import UnusableObjectsError, key_of, read_input
from kro_ls.authoring.from_manifests.known_fields import KnownFields
from kro_ls.authoring.from_manifests.links import Linker
from kro_ls.authoring.from_manifests.merging import DividedResourceError, Variation, merged
from kro_ls.authoring.from_manifests.naming import INSTANCE_NAME, InstanceNames, instance_names
from kro_ls.authoring.from_manifests.schema_fields import Fields, names_for
from kro_ls.authoring.from_manifests.template_text import expression
from kro_ls.kro.forms import DEFAULT_GROUP, KIND
from kro_ls.kro.identifiers import is_resource_id
from kro_ls.openapi.json_values import as_object
from kro_ls.runtime.values.names import LONGEST_NAME, kebab_case

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from kro_ls.authoring.from_manifests.input_objects import Key
    from kro_ls.authoring.from_manifests.known_fields import ChartValues
    from kro_ls.authoring.from_manifests.schema_fields import Field
    from kro_ls.authoring.from_manifests.template_text import Written
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.kind_schema import KindSchema


_MOST_VARIANTS: Final = 20
MOST_OBJECTS: Final = 1000
"""How many objects become resources at once."""


class Draft(Struct, frozen=True):
    """A definition that came about, and the inputs that it came from."""

    name: str
    kind: str
    names: InstanceNames
    fields: Fields
    nodes: tuple[DraftNode, ...]
    inputs: tuple[Mapping[Key, JsonObject], ...]

    def instances(self) -> list[JsonObject]:
        """Return the instance that gives each input; the first one has the default of every field."""
        return [
            {
                "apiVersion": f"{DEFAULT_GROUP}/v1alpha1",
                "kind": self.kind,
                "metadata": {"name": name or self.name, "namespace": namespace},
                "spec": self.fields.spec_of(number),
            }
            for number, (name, namespace) in enumerate(zip(self.names.names, self.names.namespaces, strict=True))
        ]


def draft(
    inputs: Iterable[Iterable[JsonObject]],
    kinds: SchemaIndex,
    name: str,
    chart: ChartValues | None = None,
    kind: str = "",
) -> Draft:
    """Return a definition that gives the objects of each input, for an instance of its own.

    `name` is used where the objects have no name in common, `kind` in any case. Raises UnusableObjectsError.
    """
    read = tuple(read_input(each) for each in inputs)
    if any(len(each) > MOST_OBJECTS for each in read):
        raise UnusableObjectsError(f"an input has more than {MOST_OBJECTS} objects; make several definitions of them")
    if not all(read):
        raise UnusableObjectsError("an input has no Kubernetes objects")
    schemas = {key: kinds.find_api_version(key.api_version, key.kind) for each in read for key in each}
    namespaced = {key: schema is None or schema.namespaced for key, schema in schemas.items()}
    if any(key.kind == KIND for key in schemas):
        raise UnusableObjectsError("a ResourceGraphDefinition is a definition already; 'kro-ls check' checks it")
    read = tuple({key: in_no_namespace(value, namespaced[key]) for key, value in each.items()} for each in read)
    names = instance_names(read, namespaced.__getitem__)
    resources = with_scaled_apart(aligned(read, names, namespaced))
    for _ in range(_MOST_VARIANTS):
        try:
            fields, nodes = _written(resources, names, schemas, chart)
            break
        except DividedResourceError as error:
            place = resources.index(error.resource)
            resources[place : place + 1] = divided(error.resource, error.path)
    else:
        raise UnusableObjectsError("the inputs differ in too many fields that only some of them have; give fewer")
    chosen = _common_words(names.names) or name
    name = kebab_case(kind or chosen)[:LONGEST_NAME].strip("-") or "app"
    return Draft(name, kind or _kind_name(chosen, schemas), names, fields, nodes, read)


def _written(
    resources: Sequence[DraftResource],
    names: InstanceNames,
    schemas: Mapping[Key, KindSchema | None],
    chart: ChartValues | None,
) -> tuple[Fields, tuple[DraftNode, ...]]:
    """Return the fields and the nodes for resources. Raises DividedResourceError where one of them needs two."""
    linker = Linker(resources, names)
    linker.link()
    fields = Fields()
    groups = condition_groups(resources, linker.found)
    copies = find_copies(resources, linker.found, names)
    copied = {member.id for each in copies for member in each.members}
    single = [each for each in resources if each.id not in copied]
    known = KnownFields(single, linker.found, fields, groups, chart)
    variation = Variation(names, linker.found, fields, known, groups)
    collector = Collector(copies, single, variation)
    nodes = []
    for each in linker.order():
        collection = next((one for one in copies if each in one.members), None)
        schema = schemas[each.key]
        if collection is None:
            nodes.append(_node(each, schema, variation))
        elif collection.members[0] is each:
            nodes.append(collector.node(collection, schema))
    return fields, tuple(nodes)


def in_no_namespace(value: JsonObject, namespaced: bool) -> JsonObject:
    """Return an object without the namespace that the API server takes off what is in none."""
    metadata = as_object(value.get("metadata"))
    if namespaced or "namespace" not in metadata:
        return value
    return {**value, "metadata": {name: each for name, each in metadata.items() if name != "namespace"}}


def _common_words(names: Sequence[str]) -> str:
    """Return what the names of the instances have in common: `podinfo` of `staging-podinfo` and `podinfo-prod`."""
    first, *others = (each.split("-") for each in names)
    return "-".join(word for word in first if all(word in other for other in others))


def _kind_name(name: str, taken: Iterable[Key]) -> str:
    words = re.findall(r"[A-Za-z0-9]+", name)
    made = "".join(word[0].upper() + word[1:] for word in words).lstrip("0123456789")[:50] or "App"
    made = made[0].upper() + made[1:]
    return f"{made}App" if any(key.kind == made for key in taken) else made


def _node(resource: DraftResource, schema: KindSchema | None, variation: Variation) -> DraftNode:
    conditions: list[Written] = []
    whys = []
    if not all(resource.whole_presence):
        values = resource.whole_presence
        conditions.append(expression(_presence(resource, variation).code))
        whys.append(f"{sum(values)} of {len(values)} inputs have it")
    for variant in resource.variants:
        place = ".".join(map(str, variant.path))
        if variant.instead:
            field = _presence(variant.instead, variation)
            conditions.append(expression(f"!{field.code}" if variant.has_field else field.code))
            whys.append(f"{place} would fight with {variant.instead.key}, so there are two")
            continue
        names = names_for(resource, (*variant.path[:-1], f"has-{variant.path[-1]}"))
        having = tuple(has if there else None for has, there in zip(variant.having, variant.among, strict=True))
        field = variation.fields.field(names, having, f"{place} of {resource.key} is in some of the inputs only")
        conditions.append(expression(field.code if variant.has_field else f"!{field.code}"))
        whys.append(f"a template cannot leave {place} out, so there are two")
    template = merged(resource, schema, variation)
    ready = readiness(resource, schema, resource.id)
    return DraftNode(resource.id, template, "; ".join(whys), None, tuple(conditions), ready)


def _presence(resource: DraftResource, variation: Variation) -> Field:
    """Return the field that decides whether an instance has a resource."""
    why = f"{resource.key} is in some of the inputs only"
    return variation.fields.at((variation.groups[resource.id], "enabled"), resource.whole_presence, why)


_NAME: Final = re.compile(r"\$\{(schema\.(?:metadata\.name|spec(?:\.[A-Za-z_][A-Za-z0-9_]*)+))\}(?:-|$)")


class Manifests(Struct, frozen=True):
    """Objects to import, without server-side noise, and the name of the instance in their names."""

    objects: Mapping[Key, JsonObject]
    names: InstanceNames
    namespaced: Mapping[Key, bool]


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
