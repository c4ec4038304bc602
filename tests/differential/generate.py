"""Generates definitions: combined parts of real ones, whole ones of many kinds, unusual YAML, faults.

Everything comes from one `random.Random`, so a seed gives the same cases again.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from io import StringIO
from random import Random
from typing import Any, TypeAlias

from ruamel.yaml import YAML

from kro_ls.analysis.crd.generated_crd import generated_crd
from kro_ls.kro.versions.version import NEWEST, NEXT, Version
from kro_ls.rules.diagnostics import Severity
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.text import Text
from tests.conformance.own_definitions import DEFINITIONS, SETS, definitions
from tests.conformance.schemas import diagnose_closed, schemas
from tests.differential.generation.expressions import Scope, expression
from tests.differential.generation.metadata import random_metadata
from tests.differential.generation.simple_schemas import random_head, random_schema_section
from tests.differential.generation.texts import commented, text
from tests.differential.generation.values import mutate
from tests.differential.generation.wholes import IDS_WITH_MEANING, KINDS, Kind, random_custom_kind, random_whole
from tests.differential.generation.yaml_text import yaml_text

Json: TypeAlias = Any


@dataclass(frozen=True, slots=True)
class Generated:
    """A definition, the CustomResourceDefinitions that its cluster has, and instances with the observed objects.

    `maker` is the text of another definition, whose kind this one may use; its CustomResourceDefinition is in `crds`.
    """

    text: str
    crds: tuple[Json, ...] = ()
    instances: tuple[Json, ...] = ()
    maker: str = ""

    def with_text(self, text: str) -> Generated:
        """Return the same with another text."""
        return replace(self, text=text)

    def in_plain_yaml(self) -> str | None:
        """Return the definition as YAML without oddities, None where its text cannot be read."""
        documents = parse_stream(Text(self.text)).documents
        if len(documents) != 1 or documents[0].errors:
            return None
        lines = StringIO()
        YAML(typ="safe", pure=True).dump(documents[0].to_python(), lines)
        return lines.getvalue()

    def to_json(self) -> Json:
        """Return a JSON value, which `from_json` converts back."""
        return {"rgd": self.text, "crds": self.crds, "instances": self.instances, "maker": self.maker}

    @staticmethod
    def from_json(value: Json) -> Generated:
        """Return the object that `to_json` converted."""
        return Generated(value["rgd"], tuple(value["crds"]), tuple(value["instances"]), value["maker"])


def generate(random: Random, version: Version = NEXT) -> Generated:
    """Return the next definition, in which little is newer than a version of kro."""
    return random.choices([make for make, _ in _GENERATORS], [share for _, share in _GENERATORS])[0](random, version)


def _simple_schema(random: Random, version: Version) -> Generated:
    """Every corner of SimpleSchema, and rules, with a resource that reads a little of it."""
    resource = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}, "data": {}}
    if random.random() < 0.3:
        resource["data"] = {"a": text(random, _small(version))}
    section = random_schema_section(random, version)
    return Generated(yaml_text(random, _definition(section, [{"id": "config", "template": resource}])))


def _metadata(random: Random, _version: Version) -> Generated:
    """A small definition with all that can be in its own metadata, and in the head of its schema."""
    section: Json = {"apiVersion": "v1", "kind": "App", **random_head(random)}
    return Generated(yaml_text(random, {**_definition(section, []), "metadata": random_metadata(random)}))


def _texts_around(random: Random, version: Version) -> Generated:
    """Texts with expressions in a template, a status and conditions, of a small definition."""
    scope = _small(version)
    template = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": random.choice(["x", text(random, scope)]), "labels": {"a": text(random, scope)}},
        "data": {name: text(random, scope) for name in random.sample("abcd", random.randint(1, 3))},
    }
    id_ = random.choice(IDS_WITH_MEANING) if random.random() < 0.15 else "config"
    resource = {"id": id_, "template": template}
    own = (("metadata.name", "string"), ("metadata.generation", "int"), ("data", "map(string)"), ("metadata", "any"))
    seen = replace(scope, variables=tuple((f"{id_}.{path}", type_) for path, type_ in own))
    if random.random() < 0.3:
        resource["readyWhen"] = [f"${{{commented(random, expression(random, 'bool', seen))}}}"]
    if random.random() < 0.3:
        resource["includeWhen"] = [f"${{{commented(random, expression(random, 'bool', scope))}}}"]
    section: Json = {"apiVersion": "v1", "kind": "App", "spec": {"name": "string", "size": "integer", "free": "object"}}
    if random.random() < 0.7:
        section["status"] = {name: text(random, seen) for name in random.sample("xyz", random.randint(1, 2))}
    return Generated(yaml_text(random, _definition(section, [resource])))


def _composition(random: Random, version: Version) -> Generated:
    """Resources of several real definitions with the schema of one, and other expressions in some places."""
    parts = _real()
    spec = random.choice(parts)
    resources = [*spec.get("resources", [])]
    for _ in range(random.choice([0, 0, 1, 2])):
        resources += random.choice(parts).get("resources", [])
    if random.random() < 0.95:
        resources = [*{str(each.get("id")): each for each in resources}.values()]
    resources = json.loads(json.dumps(random.sample(resources, len(resources))[:6]))
    definition = _definition(json.loads(json.dumps(spec.get("schema", {}))), resources)
    texts = [place for place in _strings(definition["spec"]) if "${" in place[0][place[1]]]
    for holder, key in random.sample(texts, min(len(texts), random.choice([0, 0, 1, 1, 2]))):
        holder[key] = random.choice([_wild_expression, _borrowed])(random, version)
    if random.random() < 0.2:
        mutate(random, definition["spec"])
    return Generated(yaml_text(random, definition))


_ODD_BLANKS = ("\u00a0", "\u0085", "\u2028", "\u2029", "\ufeff", "\u200b", "\u3000", "\x0b", "\x0c", "\x1c", "\r")


def _damaged(random: Random, _version: Version) -> Generated:
    """A real definition with a few characters or lines changed."""
    damaged = random.choice(_texts())
    for _ in range(random.choice([1, 1, 2])):
        lines = damaged.splitlines(keepends=True)
        number = random.randrange(len(lines))
        line = lines[number]
        match random.randrange(6):
            case 0:
                lines[number] = ""
            case 1:
                lines.insert(random.randrange(len(lines)), line)
            case 2:
                lines[number] = random.choice([" ", "  ", "\t", "- ", "# ", *_ODD_BLANKS]) + line
            case 3 if random.random() < 0.5:
                place = len(line) - len(line.lstrip())
                lines[number] = line[:place] + random.choice(_ODD_BLANKS) + line[place:]
            case 3:
                lines[number] = line.removeprefix("  ")
            case 4:
                place = random.randrange(len(line))
                odd = random.choice([*"'\"{}[]:#&*!|>%@` -,\t$", *_ODD_BLANKS, "\\/", "\\'", "\\x41", "\\_"])
                lines[number] = line[:place] + odd + line[place:]
            case _:
                lines[number] = (
                    line.rstrip("\n") + random.choice([" # c", ":", " |", " >-", " &a", " *a", " null"]) + "\n"
                )
        damaged = "".join(lines)
    return Generated(damaged)


def _whole(random: Random, version: Version) -> Generated:
    """Resources of Kubernetes' own kinds and of a random custom one, with expressions at random typed places."""
    box, crd = random_custom_kind(random)
    return _of_kinds(random, version, (*random.sample(_kinds(), 4), box), (crd,))


def _custom_kind(random: Random, version: Version) -> Generated:
    """Resources of kinds with random schemas alone: unions, int-or-string, unknown fields, all in all."""
    (box, box_crd), (crate, crate_crd) = (random_custom_kind(random, name) for name in ("Box", "Crate"))
    return _of_kinds(random, version, (box, box, crate, random.choice(_kinds())), (box_crd, crate_crd))


def _chained(random: Random, version: Version) -> Generated:
    """A definition that uses the kind of another definition."""
    maker = yaml_text(random, random_whole(random, _kinds(), version, "Made").definition)
    diagnosis = diagnose_closed(maker, schemas(DEFINITIONS), NEWEST)
    rgds = diagnosis.analysis.rgds
    crd = generated_crd(rgds[0]) if len(rgds) == 1 else None
    if crd is None or any(each.severity is Severity.ERROR for each in diagnosis.diagnostics):
        return Generated(maker)
    spec = crd["spec"]
    served = spec["versions"][0]
    schema = served["schema"]["openAPIV3Schema"]
    made = Kind(f"{spec['group']}/{served['name']}", spec["names"]["kind"], schema, spec["scope"] == "Namespaced")
    return _of_kinds(random, version, (made, made, random.choice(_kinds())), (json.loads(json.dumps(crd)),), maker)


ODD: tuple[Callable[[Random, Version], Generated], ...] = (_simple_schema, _metadata, _damaged)
"""The generators of definitions whose text, metadata or schema is unusual."""

_GENERATORS: tuple[tuple[Callable[[Random, Version], Generated], int], ...] = (
    (_whole, 25),
    (_custom_kind, 15),
    (_simple_schema, 17),
    (_metadata, 3),
    (_texts_around, 20),
    (_composition, 10),
    (_damaged, 5),
    (_chained, 5),
)


def _of_kinds(
    random: Random, version: Version, kinds: tuple[Kind, ...], crds: tuple[Json, ...], maker: str = ""
) -> Generated:
    whole = random_whole(random, kinds, version)
    return Generated(yaml_text(random, whole.definition), crds, whole.instances, maker)


@lru_cache(maxsize=1)
def _kinds() -> tuple[Kind, ...]:
    index = schemas(DEFINITIONS)
    found = []
    for name in KINDS:
        api_version, _, kind = name.rpartition("/")
        schema = index.find_api_version(api_version, kind)
        assert schema, name
        found.append(Kind(api_version, kind, schema.schema, schema.namespaced))
    return tuple(found)


def _definition(schema: Json, resources: list[Json]) -> Json:
    return {
        "apiVersion": "kro.run/v1alpha1",
        "kind": "ResourceGraphDefinition",
        "metadata": {"name": "generated"},
        "spec": {"schema": schema, "resources": resources},
    }


@lru_cache(maxsize=1)
def _texts() -> tuple[str, ...]:
    return tuple(each.text for name in SETS for each in definitions(name))


@lru_cache(maxsize=1)
def _real() -> tuple[Json, ...]:
    """Return the specs of real definitions, as far as they are plain data."""
    found = []
    for content in _texts():
        for document in parse_stream(Text(content)).documents:
            value = document.to_python() if not document.errors else None
            spec = value.get("spec") if isinstance(value, dict) else None
            resources = spec.get("resources") if isinstance(spec, dict) else None
            if (
                isinstance(spec, dict)
                and isinstance(resources, list)
                and all(isinstance(each, dict) for each in resources)
            ):
                found.append(spec)
    return tuple(found)


def _strings(value: Json) -> list[tuple[Json, Json]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    found: list[tuple[Json, Json]] = []
    for key, inner in items:
        found += [(value, key)] if isinstance(inner, str) else _strings(inner)
    return found


@lru_cache(maxsize=1)
def _expressions() -> tuple[str, ...]:
    return tuple(holder[key] for spec in _real() for holder, key in _strings(spec) if "${" in holder[key])


def _borrowed(random: Random, _version: Version) -> str:
    return random.choice(_expressions())


_SMALL = Scope(
    (
        ("schema.metadata.name", "string"),
        ("schema.spec.name", "string"),
        ("schema.spec.size", "int"),
        ("schema.spec.free.a", "any"),
        ("schema.spec.free.?a", "optional(string)"),
        ("schema.spec.?name", "optional(string)"),
        ("schema.spec", "any"),
    ),
    wildness=0.01,
)


def _small(version: Version) -> Scope:
    return replace(_SMALL, version=version)


def _wild_expression(random: Random, version: Version) -> str:
    wanted = random.choice(["string", "int", "bool", "any", "list(string)"])
    shown = f"${{{expression(random, wanted, _small(version))}}}"
    return random.choice([shown, shown, shown, text(random, _small(version)), shown[:-1], f"${{{shown}}}"])
