"""Random values of OpenAPI schemas, with expressions in some places; random schemas; what a schema lets one read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, TypeAlias

from tests.differential.generation.expressions import Scope, expression
from tests.differential.generation.texts import commented, text

Json: TypeAlias = Any

_TEXTS = ("a", "b-c", "web", "x1", "10", "1Gi", "100m", "10.0.0.0/8", "nginx:1.27", "a.example.com", "IfNotPresent")
_FORMATS = {
    "byte": "aGk=", "date-time": "2026-01-02T03:04:05Z", "date": "2026-01-02", "duration": "1h30m", "uuid": "x",
    "ipv4": "10.0.0.1", "email": "a@example.com",
}  # fmt: skip
_ODD: tuple[Json, ...] = ("text", 1, 1.5, True, None, [], {}, [1], {"a": 1}, -1, 2**40, "", "${", "a ${'b'} c")


class Filler:
    """Fills a schema with values; `scope` says what expressions may use, None that there are to be none."""

    def __init__(self, random: Random, scope: Scope | None = None, share: float = 0.25) -> None:
        self._random, self._scope, self._share = random, scope, share

    def value(self, schema: Json, depth: int = 0) -> Json:
        """Return a value of a schema."""
        random = self._random
        if self._scope and depth > 1 and random.random() < self._share:
            return self._expression(schema)
        if self._scope and random.random() < self._scope.wildness / 2:
            return random.choice(_ODD)
        if schema.get("enum"):
            return random.choice(schema["enum"])
        if "default" in schema and random.random() < 0.2:
            return schema["default"]
        if schema.get("nullable") and random.random() < 0.1:
            return None
        return self._of_type(schema, depth)

    def _of_type(self, schema: Json, depth: int) -> Json:
        random = self._random
        match schema.get("type"):
            case "object":
                return self._object(schema, depth)
            case "array":
                most = min(schema.get("maxItems", 2), 2)
                fewest = min(schema.get("minItems", 0), 3)
                count = random.randint(fewest, max(most, fewest))
                return [self.value(schema.get("items") or {}, depth + 1) for _ in range(count)]
            case "integer":
                return random.randint(*self._bounds(schema))
            case "number":
                return random.choice([random.randint(*self._bounds(schema)), 1.5])
            case "boolean":
                return random.random() < 0.5
            case "string":
                return _FORMATS.get(schema.get("format", ""), random.choice(_TEXTS))
            case _ if schema.get("x-kubernetes-int-or-string") or schema.get("format") == "int-or-string":
                return random.choice([80, "http", "50%"])
            case _ if "oneOf" in schema:
                return random.choice([1, "1", "500m"])
            case _:
                return random.choice([1, "text", True, [1, "a"], {"a": {"b": 1}}])

    def _bounds(self, schema: Json) -> tuple[int, int]:
        low = int(schema.get("minimum", 1))
        return low, max(low, int(schema.get("maximum", low + 3)))

    def _object(self, schema: Json, depth: int) -> Json:
        random = self._random
        inner = schema.get("additionalProperties")
        if isinstance(inner, dict):
            return {name: self.value(inner, depth + 1) for name in random.sample("kl", random.randrange(3))}
        found = {}
        required = schema.get("required") or ()
        for name, each in (schema.get("properties") or {}).items():
            likely = 1.0 if name in required else 0.7 if len(schema["properties"]) < 5 else 0.8 / (depth + 2)
            if depth < 7 and random.random() < likely and name not in ("status", "managedFields"):
                found[name] = self.value(each, depth + 1)
        if schema.get("x-kubernetes-preserve-unknown-fields") or (self._scope and random.random() < 0.01):
            found["extra"] = random.choice([1, "x", {"y": [1]}])
        return found

    def _expression(self, schema: Json) -> str:
        assert self._scope
        random = self._random
        wanted = type_of(random, schema)
        if wanted == "string" and random.random() < 0.3:
            return text(random, self._scope)
        return f"${{{commented(random, expression(random, wanted, self._scope))}}}"


def type_of(random: Random, schema: Json) -> str:
    """Return the type that expressions for a schema have."""
    if schema.get("x-kubernetes-preserve-unknown-fields") and not schema.get("properties"):
        return "dyn"
    match schema.get("type"):
        case "string":
            return "bytes" if schema.get("format") == "byte" and random.random() < 0.7 else "string"
        case "integer":
            return "int"
        case "number":
            return "double"
        case "boolean":
            return "bool"
        case "array":
            inner = type_of(random, schema.get("items") or {})
            return f"list({inner})" if inner in ("string", "int") else "any"
        case "object":
            inner_schema = schema.get("additionalProperties")
            return "map(string)" if isinstance(inner_schema, dict) and inner_schema.get("type") == "string" else "any"
        case _:
            return random.choice(["string", "int", "dyn"]) if not random.randrange(3) else "any"


def readable(random: Random, schema: Json, prefix: str, count: int) -> Iterator[tuple[str, str]]:
    """Yield random fields of a schema, below a prefix, with their types."""
    for _ in range(count):
        path, at = prefix, schema
        for _ in range(random.randint(1, 5)):
            step = _step(random, at)
            if step is None:
                break
            path, at = path + step[0], step[1]
        yield path, type_of(random, at)


def _step(random: Random, schema: Json) -> tuple[str, Json] | None:
    properties = schema.get("properties")
    if properties:
        name = random.choice(tuple(properties))
        return f".{name}" if name.replace("-", "_").isidentifier() and "-" not in name else f'["{name}"]', properties[
            name
        ]
    if isinstance(schema.get("additionalProperties"), dict) and random.random() < 0.5:
        return random.choice([".a", "['a']"]), schema["additionalProperties"]
    if schema.get("type") == "array" and random.random() < 0.6:
        return "[0]", schema.get("items") or {}
    if schema.get("x-kubernetes-preserve-unknown-fields") and random.random() < 0.5:
        return ".free", {}
    return None


def random_schema(random: Random, depth: int = 0) -> Json:
    """Return a structural schema: unions, int-or-string, unknown fields, maps, formats, limits."""
    kinds = [
        "object",
        "object",
        "string",
        "string",
        "integer",
        "number",
        "boolean",
        "array",
        "map",
        "any",
        "ports",
        "enum",
    ]
    kind = random.choice(kinds) if depth else "object"
    if depth > 2 and kind in ("object", "array", "map"):
        kind = "string"
    match kind:
        case "object":
            return _object_schema(random, depth)
        case "array":
            limits = random.choice([{}, {}, {"minItems": 1}, {"maxItems": 1}])
            return {"type": "array", "items": random_schema(random, depth + 1), **limits}
        case "map":
            return {"type": "object", "additionalProperties": random_schema(random, depth + 1)}
        case "any":
            return {"x-kubernetes-preserve-unknown-fields": True, **random.choice([{}, {"type": "object"}])}
        case "ports":
            return {"x-kubernetes-int-or-string": True, "anyOf": [{"type": "integer"}, {"type": "string"}]}
        case "enum":
            return random.choice([{"type": "string", "enum": ["a", "web"]}, {"type": "integer", "enum": [1, 2]}])
        case scalar:
            formats = {"string": tuple(_FORMATS), "integer": ("int32", "int64"), "number": ("float", "double")}
            extra = {"format": random.choice(formats[scalar])} if scalar in formats and random.random() < 0.25 else {}
            limit = (
                {"integer": {"minimum": 1}, "string": {"maxLength": 20}}.get(scalar, {})
                if random.random() < 0.2
                else {}
            )
            return {"type": scalar, **extra, **limit, **random.choice([{}, {}, {"nullable": True}])}


def _object_schema(random: Random, depth: int) -> Json:
    pool = ["a", "b", "c", "name", "size", "if", "x-y", "in", "namespace", "a.b", "type", "metadata", "_x", "a/b"]
    names = random.sample(pool[: 6 if random.random() < 0.6 else len(pool)], random.randrange(1, 4))
    schema: Json = {"type": "object", "properties": {name: random_schema(random, depth + 1) for name in names}}
    if random.random() < 0.3:
        schema["required"] = names[:1]
    if random.random() < 0.2:
        schema[random.choice(["oneOf", "anyOf", "allOf"])] = [{"required": [name]} for name in names]
    if random.random() < 0.15:
        schema["x-kubernetes-preserve-unknown-fields"] = True
    if depth and random.random() < 0.05:
        schema["x-kubernetes-embedded-resource"] = True
        schema["x-kubernetes-preserve-unknown-fields"] = True
        for reserved in {"metadata", "kind", "apiVersion"} & {*names}:
            del schema["properties"][reserved]
        schema.pop("required", None)
    return schema


def mutate(random: Random, value: Json) -> None:
    """Change something at a random place of a value, in place."""
    holders = [each for each in _holders(value) if each]
    holder = random.choice(holders)
    key = random.choice(tuple(holder) if isinstance(holder, dict) else range(len(holder)))
    change: Callable[[], Json] = random.choice(
        [
            lambda: holder.pop(key),
            lambda: holder.__setitem__(key, random.choice(_ODD)),
            lambda: holder.__setitem__(key, [holder[key]]),
            lambda: holder.__setitem__(key, {"a": holder[key]}),
            lambda: holder.__setitem__(key, f"${{{holder[key]}}}"),
            lambda: _rename(random, holder, key),
            lambda: _rename(random, holder, key),
        ]
    )
    change()


def _rename(random: Random, holder: Json, key: Json) -> None:
    if isinstance(holder, dict):
        place = random.randrange(len(key) + 1)
        holder[random.choice([key[:place] + "x" + key[place:], key[:place] + key[place + 1 :], key.title()])] = (
            holder.pop(key)
        )
    elif isinstance(holder[key], str) and holder[key]:
        place = random.randrange(len(holder[key]))
        holder[key] = holder[key][:place] + random.choice("x.${}'\" ") + holder[key][place + 1 :]
    else:
        holder.insert(key, holder[key])


def _holders(value: Json) -> Iterator[Json]:
    if isinstance(value, dict | list):
        yield value
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _holders(inner)
