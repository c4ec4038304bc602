"""Makes definitions that nobody wrote: parts of real ones put together, random expressions and values, unusual YAML.

Everything comes from one `random.Random`, so a seed gives the same cases again.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any, TypeAlias

from kro_ls.yaml_positions.stream import parse_stream
from kro_ls.yaml_positions.text import Text
from tests.conformance.own_definitions import definitions
from tests.differential.rules import random_schema_section

Json: TypeAlias = Any


@dataclass(frozen=True, slots=True)
class Generated:
    """A definition, and the CustomResourceDefinitions that its cluster has."""

    text: str
    crds: tuple[Json, ...] = ()


def generate(random: Random) -> Generated:
    """Return the next definition."""
    return random.choice(_GENERATORS)(random)


def _simple_schema(random: Random) -> Generated:
    return Generated(_text(random, _definition(random_schema_section(random), [_config(random, "config")])))


def _composition(random: Random) -> Generated:
    """Resources of several real definitions with the schema of one, and other expressions in some places."""
    parts = _real()
    spec = random.choice(parts)
    resources = [*spec.get("resources", [])]
    for _ in range(random.choice([0, 0, 1, 2])):
        resources += random.choice(parts).get("resources", [])
    resources = json.loads(json.dumps(random.sample(resources, len(resources))[:6]))
    definition = _definition(json.loads(json.dumps(spec.get("schema", {}))), resources)
    texts = [place for place in _strings(definition["spec"]) if "${" in place[0][place[1]]]
    for holder, key in random.sample(texts, min(len(texts), random.choice([0, 1, 1, 2]))):
        holder[key] = random.choice([_expression, _borrowed])(random)
    return Generated(_text(random, definition))


def _damaged(random: Random) -> Generated:
    """A real definition with a few characters or lines changed."""
    text = random.choice(_texts())
    for _ in range(random.choice([1, 1, 2])):
        lines = text.splitlines(keepends=True)
        number = random.randrange(len(lines))
        line = lines[number]
        match random.randrange(6):
            case 0:
                lines[number] = ""
            case 1:
                lines.insert(random.randrange(len(lines)), line)
            case 2:
                lines[number] = random.choice([" ", "  ", "\t", "- ", "# "]) + line
            case 3:
                lines[number] = line.removeprefix("  ")
            case 4:
                place = random.randrange(len(line))
                lines[number] = line[:place] + random.choice(list("'\"{}[]:#&*!|>%@` -,\t$")) + line[place:]
            case _:
                lines[number] = (
                    line.rstrip("\n") + random.choice([" # c", ":", " |", " >-", " &a", " *a", " null"]) + "\n"
                )
        text = "".join(lines)
    return Generated(text)


def _custom_kind(random: Random) -> Generated:
    """A template of a kind whose schema is random: unions, int-or-string, unknown fields, all in all."""
    spec = _openapi(random, 0)
    schema = {"type": "object", "properties": {"spec": spec, "status": _openapi(random, 1)}}
    template = {
        "apiVersion": "example.org/v1",
        "kind": "Box",
        "metadata": {"name": "box"},
        "spec": _value(random, spec),
    }
    resources = [{"id": "box", "template": template}, _config(random, "config")]
    section = {"apiVersion": "v1", "kind": "App", "spec": {"name": "string", "size": "integer", "tags": "[]string"}}
    return Generated(_text(random, _definition(section, resources)), (_crd(schema),))


_GENERATORS: tuple[Callable[[Random], Generated], ...] = (_simple_schema, _composition, _damaged, _custom_kind)


def _definition(schema: Json, resources: list[Json]) -> Json:
    return {
        "apiVersion": "kro.run/v1alpha1",
        "kind": "ResourceGraphDefinition",
        "metadata": {"name": "generated"},
        "spec": {"schema": schema, "resources": resources},
    }


def _config(random: Random, id_: str) -> Json:
    data = {name: _expression(random) for name in random.sample(["a", "b", "c"], random.randrange(3))}
    return {"id": id_, "template": {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}, "data": data}}


@lru_cache(maxsize=1)
def _texts() -> tuple[str, ...]:
    return tuple(each.text for name in ("examples", "definitions") for each in definitions(name))


@lru_cache(maxsize=1)
def _real() -> tuple[Json, ...]:
    """Return the specs of real definitions, as far as they are plain data."""
    found = []
    for text in _texts():
        for document in parse_stream(Text(text)).documents:
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


def _borrowed(random: Random) -> str:
    return random.choice(_expressions())


_TERMS = (
    "schema.spec.name schema.spec.size schema.spec.tags schema.metadata.name schema.spec config.metadata.name "
    "config.data box.spec box.spec.a box.status.a box.status box.metadata.labels config.data.a schema.spec.?name "
    "'text' 1 2.5 true null [] {} ['a','b'] [1,2] {'a':'b'} size(schema.spec.tags) schema.spec.tags[0] nobody.x"
).split()
_SHAPES = (
    "{} + {}", "{} == {}", "{} ? {} : {}", "string({})", "{}.size()", "{}.map(x, x + {})", "{}.filter(x, x == {})",
    "{}.orValue({})", "has({}.a)", "{} in {}", "[{}, {}]", "{{'k': {}}}", "{}.join(',')", "{}.exists(x, x == {})",
    "json.marshal({})", "int({})", "{}.a", "{}[{}]", "{} && {}", "!{}", "cel.bind(y, {}, y)", "maps.merge({}, {})",
    "{}.?a", "{}.transformMap(k, v, v)", "'%s'.format([{}])", "{} < {}", "-{}", "hash.sha256({})", "lists.range({})",
)  # fmt: skip


def _cel(random: Random, depth: int = 0) -> str:
    if depth > 2 or random.random() < 0.35:
        return random.choice(_TERMS)
    shape = random.choice(_SHAPES)
    count = shape.replace("{{", "").replace("}}", "").count("{}")
    return shape.format(*(_cel(random, depth + 1) for _ in range(count)))


def _expression(random: Random) -> str:
    text = f"${{{_cel(random)}}}"
    return random.choice([text, text, text, f"a-{text}", f"{text}{text}", text[:-1], f"${{{text}}}"])


def _openapi(random: Random, depth: int) -> Json:
    kind = random.choice(["object", "object", "string", "integer", "number", "boolean", "array", "map", "any", "ports"])
    if depth == 0:
        kind = "object"
    if depth > 2 and kind in ("object", "array", "map"):
        kind = "string"
    match kind:
        case "object":
            names = random.sample(["a", "b", "c", "if", "x-y"], random.randrange(1, 4))
            schema: Json = {"type": "object", "properties": {name: _openapi(random, depth + 1) for name in names}}
            if random.random() < 0.3:
                schema["required"] = names[:1]
            if random.random() < 0.2:
                schema[random.choice(["oneOf", "anyOf"])] = [{"required": [name]} for name in names]
            if random.random() < 0.15:
                schema["x-kubernetes-preserve-unknown-fields"] = True
            return schema
        case "array":
            return {"type": "array", "items": _openapi(random, depth + 1)}
        case "map":
            return {"type": "object", "additionalProperties": _openapi(random, depth + 1)}
        case "any":
            return {"x-kubernetes-preserve-unknown-fields": True, **random.choice([{}, {"type": "object"}])}
        case "ports":
            return {"x-kubernetes-int-or-string": True, "anyOf": [{"type": "integer"}, {"type": "string"}]}
        case scalar:
            formats = {"string": ["byte", "date-time", "duration"], "integer": ["int32", "int64"]}
            extra = {"format": random.choice(formats[scalar])} if scalar in formats and random.random() < 0.2 else {}
            return {"type": scalar, **extra, **random.choice([{}, {}, {"nullable": True}])}


def _value(random: Random, schema: Json) -> Json:
    if random.random() < 0.2:
        return _expression(random)
    if random.random() < 0.07:
        return random.choice(["text", 1, 1.5, True, None, [], {}, [1], {"a": 1}])
    match schema.get("type"):
        case "object":
            inner = schema.get("additionalProperties")
            if inner is not None:
                return {name: _value(random, inner) for name in random.sample("kl", random.randrange(3))}
            fields = {name: _value(random, each) for name, each in schema.get("properties", {}).items()}
            return {**fields, "extra": 1} if random.random() < 0.05 else fields
        case "array":
            return [_value(random, schema["items"]) for _ in range(random.randrange(3))]
        case "integer":
            return 1
        case "number":
            return random.choice([1, 1.5])
        case "boolean":
            return True
        case _:
            return random.choice(["text", "text", 5]) if "type" not in schema else "text"


def _crd(schema: Json) -> Json:
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    names = {"kind": "Box", "listKind": "BoxList", "plural": "boxes", "singular": "box"}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "boxes.example.org"},
        "spec": {"group": "example.org", "names": names, "scope": "Namespaced", "versions": [version]},
    }


def _text(random: Random, value: Json) -> str:
    """Write a definition in one of the ways that YAML has."""
    if random.random() < 0.1:
        return json.dumps(value, ensure_ascii=False) + "\n"
    lines: list[str] = []
    _block(random, value, 0, lines)
    return "\n".join(lines) + "\n"


def _block(random: Random, value: Json, indent: int, lines: list[str]) -> None:
    pad = " " * indent
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            head = f"{pad}{key if key.replace('-', '').isalnum() else json.dumps(key)}:"
            _entry(random, inner, indent, head, lines)
    elif isinstance(value, list) and value:
        for inner in value:
            _entry(random, inner, indent, f"{pad}-", lines)
    else:
        lines.append(pad + _scalar(random, value))


def _entry(random: Random, value: Json, indent: int, head: str, lines: list[str]) -> None:
    if isinstance(value, dict | list) and value and random.random() > 0.08:
        lines.append(head)
        _block(random, value, indent + 2, lines)
    elif isinstance(value, str) and value.strip() == value and value and "\n" not in value and random.random() < 0.1:
        lines += [f"{head} {random.choice(['|-', '>-'])}", f"{' ' * (indent + 4)}{value}"]
    else:
        lines.append(f"{head} {_scalar(random, value)}")


def _scalar(random: Random, value: Json) -> str:
    if isinstance(value, str) and "\n" not in value and random.random() < 0.3:
        return "'" + value.replace("'", "''") + "'"
    return json.dumps(value, ensure_ascii=False)
