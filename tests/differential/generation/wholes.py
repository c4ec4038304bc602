"""Whole definitions of known and made-up kinds: chains, collections, conditions, references, a status, instances."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, TypeAlias

from kro_ls.analysis.simpleschema.builder import build_schema
from kro_ls.kro.identifiers import TYPE_NAMES
from kro_ls.kro.versions.history import (
    CONDITIONS,
    INCLUDE_WHEN_RESOURCES,
    REFERENCE_FIELDS,
    RESOURCE_FIELDS,
    SCHEMA_FIELDS,
    STATUS_SCHEMA,
    TYPES,
)
from kro_ls.kro.versions.version import Version, parse_version
from tests.differential.generation.expressions import Scope, expression
from tests.differential.generation.texts import commented, text
from tests.differential.generation.values import Filler, mutate, random_schema, readable, type_of
from tests.differential.generation.versions import may_use

Json: TypeAlias = Any

KINDS = (
    "v1/ConfigMap v1/ConfigMap v1/Secret v1/Service v1/ServiceAccount v1/Pod v1/PersistentVolumeClaim v1/Namespace "
    "apps/v1/Deployment apps/v1/Deployment apps/v1/StatefulSet apps/v1/DaemonSet batch/v1/Job batch/v1/CronJob "
    "networking.k8s.io/v1/Ingress networking.k8s.io/v1/NetworkPolicy autoscaling/v2/HorizontalPodAutoscaler "
    "policy/v1/PodDisruptionBudget rbac.authorization.k8s.io/v1/Role rbac.authorization.k8s.io/v1/RoleBinding "
    "rbac.authorization.k8s.io/v1/ClusterRole storage.k8s.io/v1/StorageClass coordination.k8s.io/v1/Lease "
    "discovery.k8s.io/v1/EndpointSlice scheduling.k8s.io/v1/PriorityClass example.com/v1/Database example.com/v1/Region"
).split()
_IDS = "config deploy db svc box web extra jobA role2 ns cache queue".split()
IDS_WITH_MEANING = (
    *sorted(TYPE_NAMES),
    "each",
    "graphengine",
    "dyn",
    "self",
    "item",
    "if",
    "duration",
    "has",
    "size",
    "optional",
)
_WITHOUT_0_9 = parse_version("0.8.5")
_FIELDS = {
    "name": ("string | default=web", "string"), "size": ("integer | default=2", "int"), "tags": ("[]string",
    "list(string)"),
    "labels": ("map[string]string", "map(string)"), "enabled": ("boolean | default=true", "bool"), "ratio": ("float",
    "double"),
    "ports": ("[]integer", "list(int)"), "free": ("object", "dyn"), "note": ("string", "string"),
    "count": ("integer | required=true", "int"),
    "zone": ('string | enum="a,b" default=a', "string"), "spaces": ('[]string | default=["x","y"]', "list(string)"),
    "part": ({"host": "string", "port": "integer | default=80"}, "any"), "parts": ("[]Part", "any"), "one": ("Part",
    "any"),
    "byName": ("map[string]Part", "any"), "deep": ("[][]string", "any"),
}  # fmt: skip
_WHOLE_FIELDS = ("", ".metadata", ".metadata.creationTimestamp", ".metadata.ownerReferences", ".metadata.generation")
_PARTS = {"part": (("host", "string"), ("port", "int")), "one": (("host", "string"), ("port", "int"))}


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind that resources may have."""

    api_version: str
    name: str
    schema: Json
    namespaced: bool = True


@dataclass(slots=True)
class _Resource:
    id: str
    kind: Kind
    iterators: tuple[tuple[str, str], ...] = ()
    external: bool = False
    entry: Json = field(default_factory=dict)

    @property
    def is_list(self) -> bool:
        return bool(self.iterators)


@dataclass(frozen=True, slots=True)
class Whole:
    """A definition as a value, and what instances and clusters may have of it."""

    definition: Json
    instances: tuple[Json, ...]


def random_whole(random: Random, kinds: Sequence[Kind], version: Version, name: str = "App") -> Whole:
    """Return a definition for a version of kro, of a kind with this name and with resources of some of these kinds."""
    wild = random.choice([0.0, 0.0, 0.0, 0.0, 0.01, 0.04])
    base = Scope((("schema.metadata.name", "string"),), random.choice([version, min(version, _WITHOUT_0_9)]), wild)
    section, variables = _section(random, name, version)
    base = replace(base, variables=base.variables + variables)
    cluster = section.get("scope") == "Cluster"
    resources = [_resource(random, id_, random.choice(kinds), base) for id_ in _ids(random)]
    order = random.sample(resources, len(resources))
    for place, each in enumerate(order):
        before = order[:place] if random.random() > wild else resources
        _fill(random, each, replace(base, variables=base.variables + _read_from(random, before, each)), cluster=cluster)
    if random.random() < 0.6:
        section["status"] = _status(random, resources, base)
    definition = json.loads(json.dumps(_around(section, [each.entry for each in resources])))
    instances = _instances(random, section, resources) if random.random() < 0.6 else ()
    if random.random() < 0.15:
        mutate(random, definition["spec"])
    return Whole(definition, instances)


def _ids(random: Random) -> list[str]:
    found = random.sample(_IDS, random.choice([1, 1, 2, 2, 3, 4, 5]))
    if random.random() < 0.06:
        found[-1] = random.choice(IDS_WITH_MEANING)
    return found


def _around(section: Json, resources: list[Json]) -> Json:
    return {
        "apiVersion": "kro.run/v1alpha1",
        "kind": "ResourceGraphDefinition",
        "metadata": {"name": "generated"},
        "spec": {"schema": section, "resources": resources},
    }


def _section(random: Random, kind: str, version: Version) -> tuple[Json, tuple[tuple[str, str], ...]]:
    names = random.sample(tuple(_FIELDS), random.randint(1, 6))
    if "ratio" in names and not may_use(random, version, TYPES["float"]):
        names.remove("ratio")
    section: Json = {"apiVersion": "v1alpha1", "kind": kind, "spec": {name: _FIELDS[name][0] for name in names}}
    if {*names} & {"parts", "one", "byName"} or random.random() < 0.1:
        section["types"] = {"Part": {"host": "string", "port": random.choice(["integer", "integer | default=1"])}}
    if random.random() < 0.1 and may_use(random, version, SCHEMA_FIELDS["scope"]):
        section["scope"] = random.choice(["Cluster", "Namespaced"])
    if random.random() < 0.08 and may_use(random, version, SCHEMA_FIELDS["shortNames"]):
        section["shortNames"] = random.choice([["ap"], ["ap", "a-b"], ["Ap"], ["a", "a"]])
    if random.random() < 0.08:
        section["group"] = random.choice(["example.dev", "kro.run", "x"])
    if random.random() < 0.1:
        column = {
            "name": "N",
            "type": random.choice(["string", "integer", "date"]),
            "jsonPath": random.choice([".spec.name", ".status.x", "spec"]),
        }
        section["additionalPrinterColumns"] = [{**column, **random.choice([{}, {"priority": 1}])}]
    if random.random() < 0.1 and may_use(random, version, SCHEMA_FIELDS["metadata"]):
        section["metadata"] = {
            random.choice(["labels", "annotations"]): {"a.b/c": random.choice(["x", "${schema.spec.name}"])}
        }
    variables = [(f"schema.spec.{name}", _FIELDS[name][1]) for name in names]
    variables += [(f"schema.spec.{name}.{inner}", type_) for name in names for inner, type_ in _PARTS.get(name, ())]
    if "parts" in names:
        variables += [("schema.spec.parts.map(p, p.host)", "list(string)"), ("schema.spec.parts[0].port", "int")]
    if "byName" in names:
        variables += [("schema.spec.byName['a'].host", "string"), ("schema.spec.byName.map(k, k)", "list(string)")]
    return section, tuple(variables)


def _resource(random: Random, id_: str, kind: Kind, base: Scope) -> _Resource:
    made = _Resource(id_, kind, external=random.random() < 0.12)
    if not made.external and random.random() < 0.2 and may_use(random, base.version, RESOURCE_FIELDS["forEach"]):
        names = random.sample(["it", "region", "i"], random.choice([1, 1, 2]))
        made.iterators = tuple((name, random.choice(["string", "string", "int"])) for name in names)
        made.entry["forEach"] = [
            {name: f"${{{expression(random, f'list({type_})', base)}}}"} for name, type_ in made.iterators
        ]
    return made


def _read_from(random: Random, others: Sequence[_Resource], reader: _Resource) -> tuple[tuple[str, str], ...]:
    found: list[tuple[str, str]] = []
    for each in others:
        if each is reader:
            continue
        fields = [
            *readable(random, each.kind.schema, each.id, 6),
            (f"{each.id}.metadata.name", "string"),
            (f"{each.id}.metadata.labels", "map(string)"),
            *((f"{each.id}{path}", "any") for path in random.sample(_WHOLE_FIELDS, 2)),
        ]
        if each.is_list or (each.external and "selector" in each.entry.get("externalRef", {}).get("metadata", {})):
            fields = [(text.replace(each.id, f"{each.id}[0]", 1), type_) for text, type_ in fields]
            fields += [(f"{each.id}.map(o, o.metadata.name)", "list(string)"), (f"{each.id}.size()", "int")]
        found += fields
    return tuple(found)


def _fill(random: Random, each: _Resource, scope: Scope, *, cluster: bool) -> None:
    entry: Json = {"id": each.id, **each.entry}
    inner = scope.with_variables(*each.iterators)
    metadata: Json = {"name": _name(random, each, inner)}
    if each.kind.namespaced and (cluster or random.random() < 0.1):
        metadata["namespace"] = random.choice(
            ["x", "${schema.metadata.namespace}", f"${{{expression(random, 'string', inner)}}}"]
        )
    elif random.random() < scope.wildness:
        metadata["namespace"] = "x"
    if each.external:
        if random.random() < 0.5 and may_use(random, scope.version, REFERENCE_FIELDS["selector"]):
            metadata = {"selector": _selector(random, inner), **({"namespace": "x"} if cluster else {})}
        entry["externalRef"] = {"apiVersion": each.kind.api_version, "kind": each.kind.name, "metadata": metadata}
    else:
        filler = Filler(random, inner, random.choice([0.1, 0.3, 0.5]))
        if random.random() < 0.3:
            metadata[random.choice(["labels", "annotations"])] = random.choice(
                [
                    {"app": "x"},
                    {"app": f"${{{expression(random, 'string', inner)}}}"},
                    f"${{{expression(random, 'map(string)', inner)}}}",
                ]
            )
        content = filler.value(each.kind.schema)
        content = content if isinstance(content, dict) else {}
        content = {key: value for key, value in content.items() if key not in ("apiVersion", "kind", "metadata")}
        entry["template"] = {
            "apiVersion": each.kind.api_version,
            "kind": each.kind.name,
            "metadata": metadata,
            **content,
        }
    own = (("each" if each.is_list else each.id),)
    if random.random() < 0.25:
        seen = tuple(readable(random, each.kind.schema, own[0], 5))
        entry["readyWhen"] = [_condition(random, replace(scope, variables=seen)) for _ in range(random.randint(1, 2))]
    if random.random() < 0.25:
        known = scope if may_use(random, scope.version, INCLUDE_WHEN_RESOURCES) else _of_instance(scope)
        entry["includeWhen"] = [_condition(random, known) for _ in range(random.randint(1, 2))]
    each.entry = entry


def _of_instance(scope: Scope) -> Scope:
    """Return the names in scope where there is only `schema`."""
    return replace(scope, variables=tuple(each for each in scope.variables if each[0].startswith("schema.")))


def _name(random: Random, each: _Resource, scope: Scope) -> str:
    parts = [f"${{{name if type_ == 'string' else f'string({name})'}}}" for name, type_ in each.iterators]
    if random.random() < scope.wildness and parts:
        parts.pop()
    head = random.choice(
        [
            "x",
            each.id.lower(),
            "${schema.metadata.name}",
            f"${{{expression(random, 'string', scope)}}}",
            text(random, scope),
        ]
    )
    return "-".join([head, *parts])


def _condition(random: Random, scope: Scope) -> str:
    return f"${{{expression(random, 'bool', scope)}}}"


def _selector(random: Random, scope: Scope) -> Json:
    text = f"${{{expression(random, 'string', scope)}}}"
    return random.choice(
        [
            {"matchLabels": {"app": text}},
            {"matchLabels": {"app": "x", "tier": "y"}},
            {
                "matchExpressions": [
                    {"key": "a", "operator": random.choice(["In", "NotIn", "Exists", "Is"]), "values": ["b", text]}
                ]
            },
            {"matchLabels": f"${{{expression(random, 'map(string)', scope)}}}"},
            {},
        ]
    )


def _status(random: Random, resources: Sequence[_Resource], base: Scope) -> Json:
    variables = _read_from(random, resources, _Resource("", resources[0].kind))
    sees_instance = random.random() < 0.4 and may_use(random, base.version, STATUS_SCHEMA)
    scope = replace(base, variables=variables + (base.variables if sees_instance else ()))
    found: Json = {}
    for name in random.sample(["x", "y", "hosts", "state", "nested"], random.randint(1, 3)):
        wanted = random.choice(["string", "string", "int", "bool", "any", "list(string)", "map(string)", "double"])
        value = f"${{{commented(random, expression(random, wanted, scope))}}}"
        odd = [
            {"inner": value},
            [value],
            text(random, scope),
            text(random, scope),
            {"deep": {"a": value, "b": [{"c": text(random, scope)}]}},
            *(["plain"] if random.random() < 0.1 else ()),
        ]
        found[name] = value if random.random() < 0.6 else random.choice(odd)
    if random.random() < 0.1 and may_use(random, base.version, CONDITIONS):
        status = expression(random, "bool", scope)
        found["conditions"] = [
            f'${{runtime.newCondition({{type: "Up", status: {status}, reason: "R", message: "m"}})}}'
        ]
    return found


def _instances(random: Random, section: Json, resources: Sequence[_Resource]) -> tuple[Json, ...]:
    schema = build_schema(section["spec"], section.get("types")).schema
    if schema is None:
        return ()
    metadata = {"name": "one"} if section.get("scope") == "Cluster" else {"name": "one", "namespace": "default"}
    found = []
    for _ in range(random.choice([1, 1, 2])):
        spec = Filler(random).value({"type": "object", **schema})
        instance = {
            "apiVersion": f"{section.get('group', 'kro.run')}/{section['apiVersion']}",
            "kind": section["kind"],
            "metadata": metadata,
            "spec": spec if isinstance(spec, dict) else {},
        }
        observed = {each.id: _observed(random, each) for each in resources if random.random() < 0.8}
        found.append({"instance": instance, "observed": observed})
    return tuple(found)


def _observed(random: Random, each: _Resource) -> list[Json]:
    properties = each.kind.schema.get("properties") or {}
    objects = []
    for number in range(random.choice([0, 1, 1, 1, 2])):
        metadata = {"uid": f"u{number}"}
        status = Filler(random).value(properties.get("status") or {"type": "object"})
        found: Json = {"metadata": metadata, "status": status} if "status" in properties else {"metadata": metadata}
        if each.external:
            content = Filler(random).value(each.kind.schema)
            found = {
                **content,
                "apiVersion": each.kind.api_version,
                "kind": each.kind.name,
                "metadata": {"name": f"o{number}", **metadata},
            }
        objects.append(found)
    return objects


def random_custom_kind(random: Random, name: str = "Box") -> tuple[Kind, Json]:
    """Return a kind with a random schema, and its CustomResourceDefinition."""
    schema = {"type": "object", "properties": {"spec": random_schema(random), "status": random_schema(random, 1)}}
    namespaced = random.random() < 0.85
    crd = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{name.lower()}s.example.org"},
        "spec": {
            "group": "example.org",
            "names": {"kind": name, "listKind": f"{name}List", "plural": f"{name.lower()}s", "singular": name.lower()},
            "scope": "Namespaced" if namespaced else "Cluster",
            "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}],
        },
    }
    return Kind("example.org/v1", name, schema, namespaced), crd


__all__ = ["KINDS", "Kind", "Whole", "random_custom_kind", "random_whole", "type_of"]
