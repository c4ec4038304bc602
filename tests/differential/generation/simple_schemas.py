"""Random SimpleSchemas: every type, markers that hold together and markers that do not, rules in CEL."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from kro_ls.kro.versions.history import MARKERS, NESTED_TYPES, OBJECT_ELEMENTS, SCHEMA_FIELDS, TYPES
from kro_ls.kro.versions.version import Version
from tests.differential.generation.versions import may_use

_BOUNDS = ("0", "1", "1.5", "0.5", "-1", "-0.5", "1e3", "1e30", "9223372036854775807", "9223372036854775808")
_DEFAULTS = {
    "string": ("a", '""', "abc", '"x y"', "5"),
    "integer": ("0", "5", "-1", "100"),
    "float": ("0.5", "3", "1", "1.5", "-1"),
    "boolean": ("true", "false"),
    "object": ("{}", '{"a":1}'),
    "[]string": ("[]", '["a"]', '["a","a"]', '["a","bb","ccc"]'),
    "[]integer": ("[1]", "[1,1]", "[]"),
    "map[string]string": ("{}", '{"a":"b"}'),
    "map[string]integer": ('{"a":1}',),
    "Part": ("{}", '{"n":1}', '{"n":1,"zz":1}', '{"name":"a"}'),
    "[]Part": ("[{}]", '[{"n":1}]', "[]"),
    "map[string]Part": ('{"a":{}}',),
    "Tag": ("a", "ABC"),
    "[]Tag": ('["a"]', '["A"]'),
    "[][]string": ('[["a"]]',),
    "[]object": ("[{}]",),
}
_RULES = {
    "string": (
        "self.size() < 10", "self.matches('^[a-z]+$')", "self in ['a','b']", "self.split(',').all(x, x.size() > 0)",
        "self.split(',').all(x, self.contains(x))", "self.matches(self)", "isIP(self)", "self == oldSelf", "self > 1",
        "isQuantity(self) && quantity(self).isGreaterThan(quantity('1'))", "self.reverse() == self", "int(self) > 1",
        "self.findAll('[0-9]').all(x, int(x) > 1)", "url(self).getHost() == 'a'", "'%s'.format([self]) != self",
        "!format.dns1123Label().validate(self).hasValue()", "self.matches('(')", "hash.sha256(self) != ''",
    ),
    "integer": (
        "self > 1", "self % 2 == 0", "self in [1,2,3]", "self > 1.5", "self >= oldSelf", "[self, 'a'].size() > 1",
        "lists.range(1000).all(x, lists.range(1000).all(y, x < y))", "self.startsWith('a')", "self +", "self",
    ),
    "[]string": (
        "self.all(x, x.size() < 5)", "self.all(x, self.exists_one(y, x == y))", "self.isSorted()", "'a' in self",
        "self.all(x, x.matches('^[a-z]+$'))", "self == self.sort()", "sets.contains(self, ['a'])", "self[0] == 'a'",
        "self.filter(x, x != 'a').all(y, y.contains('b'))", "self.all(i, x, x != string(i))", "self.join('') != ''",
    ),
    "map[string]string": (
        "self.all(k, self[k].size() > 0)", "self.exists(k, self.exists(l, self[k] == self[l] && k != l))",
        "self.all(k, v, k != v)", "self.transformMap(k, v, v + 'a').size() > 1", "self.size() < 3",
    ),
    "Part": (
        "self.n > 0", "has(self.name)", "!has(self.a) || self.a.all(x, x == self.name)", "self.nope", "self == oldSelf",
        "self.?name.orValue('') != ''", "self.m.all(k, k == self.name)",
    ),
    "[]Part": (
        "self.all(p, p.n > 0)", "self.all(p, self.exists_one(q, q.n == p.n))", "self.all(p, p.a.all(x, x.size() > 1))",
    ),
    "object": ("self.a == 1", "has(self.a)", "size(self) > 1"),
}  # fmt: skip


_ODD_TYPES = (
    "[] string", "map[string] string", "[]  []string", "[]\tPart", "map[string]\n integer", "mapping", "[]mapping",
    "map", "map[int]string", "map[string]", "[]", "string[]", "[][]object", "map[string]map[string]Tag", "Nope",
    "[]Nope", "number", "int", "String", "map[string]object", "[]object",
)  # fmt: skip
_ODD_DEFAULTS = (
    "1.0",
    "1e2",
    "1.5",
    "true",
    "T",
    "x",
    "",
    "yes",
    "null",
    "-0",
    "01",
    "0x1",
    '"1"',
    "{}",
    "[]",
    '{"a":1}',
)
_STRAY_WORDS = ("required", "x", "default:1", "|", ",", " ")


def random_schema_section(random: Random, version: Version) -> dict[str, object]:
    """Return a `spec.schema`."""
    spec: dict[str, object] = {
        f"f{number}": _field(random, version) for number in range(random.choice([1, 1, 1, 2, 3]))
    }
    if random.random() < 0.3:
        spec["inner"] = {"x": _field(random, version), "y": _field(random, version)}
    section: dict[str, object] = {"apiVersion": "v1", "kind": "App", "types": _types(random, version), "spec": spec}
    metadata = random.choice(["labels", "annotations"])
    if random.random() < 0.15 and may_use(random, version, SCHEMA_FIELDS["metadata"]):
        key = random.choice(["a", "a b", "x/y", "-x", "a/b/c", "A.b_c", "x" * 64, "/x", "ex.com/y", "UP.com/y"])
        section["metadata"] = {metadata: {key: random.choice(["a", "a b", "", "-a", "x" * 64, "a_B.c"])}}
    return section


_HEADS: dict[str, tuple[object, ...]] = {
    "group": ("example.com", "a", "A.b", "x.k8s.io", "kubernetes.io", "a..b", "", "x" * 64 + ".com"),
    "kind": ("App", "HTTP", "Apps", "A" * 60, "Ax" * 31, "Boss", "API"),
    "apiVersion": ("v1alpha1", "v2beta3", "v10"),
    "scope": ("Cluster", "Namespaced"),
    "spec": ({}, {"a": "string"}, None),
    "status": ({}, None),
    "types": ({}, {"A": {"b": "string"}}, None),
    "metadata": ({}, {"labels": {"a": "b c"}}, {"annotations": {"a b": "c"}}, {"labels": {}}, None),
    "shortNames": (["a"], ["A"], ["a", "a"], ["app"], ["apps"], ["a" * 64], [""], []),
    "categories": (["all"], ["All"], ["a b"], [""]),
    "additionalPrinterColumns": (
        [{"name": "A", "type": "string", "jsonPath": ".spec.a"}],
        [{"name": "", "type": "string", "jsonPath": ".spec.a"}],
        [{"name": "A", "type": "text", "jsonPath": ".spec.a"}],
        [{"name": "A", "type": "string", "jsonPath": "spec.a"}],
        [{"name": "A", "type": "string", "jsonPath": ".spec[*"}],
        [{"name": "A", "type": "string", "jsonPath": ".spec.a{"}],
        [{"name": "A", "type": "string", "jsonPath": "."}],
        [{"name": "A", "type": "integer", "format": "int3", "jsonPath": ".a"}],
        [{"name": "A", "type": "date", "jsonPath": ".a"}, {"name": "A", "type": "date", "jsonPath": ".a"}],
        [{"name": "A", "type": "string", "jsonPath": ".a", "priority": -1}],
    ),
}


def random_head(random: Random) -> dict[str, object]:
    """Return some fields of a `spec.schema`, of which few are odd."""
    return {name: random.choice(values) for name, values in _HEADS.items() if random.random() < 0.25}


def _types(random: Random, version: Version) -> dict[str, object]:
    tag = ["string", "string | maxLength=10", 'string | pattern="^[a-z]+$"', "string | immutable=true"]
    number = ["integer", "integer | required=true", "integer | default=1", "integer | required=true default=2"]
    name = ["string", "string | maxLength=5", "string | validation=\"self != ''\""]
    part: dict[str, object] = {
        "n": random.choice(number),
        "name": random.choice(name),
        "a": random.choice(["[]string", "[]string | maxItems=5"]),
        "m": "map[string]string",
    }
    found: dict[str, object] = {"Tag": random.choice(tag), "Part": part}
    if random.random() < 0.2:
        part["o"] = random.choice(["object", {"x": "object"}, {"y": "integer | default=1", "z": random.choice(number)}])
    if random.random() < 0.2 and may_use(random, version, NESTED_TYPES):
        part["t"] = random.choice(["Tag", "[]Tag", "map[string]Tag", "Tag | default=a"])
    if random.random() < 0.1:
        found["mapping"] = random.choice(["string", {"a": "string"}])
    return found


def _limits(kind: str, version: Version, random: Random) -> Iterator[tuple[str, tuple[object, ...], float]]:
    """Yield the markers that limit a field of a kind, their values, and how often they are there."""
    if kind.startswith("[]"):
        yield "maxItems", (1, 5, 100, 10000), 0.4
        yield "minItems", (0, 1, 2, -1), 0.1
    if kind in ("string", "Tag"):
        yield "maxLength", (1, 10, 64, 1000, 100000), 0.4
    if kind == "string":
        yield "minLength", (0, 1, 3, -1), 0.1
        yield "enum", ('"a,b,abc"',), 0.15
        yield "pattern", ('"^[a-z]*$"',), 0.15
    if kind in ("integer", "float"):
        yield "minimum", _BOUNDS, 0.25
        yield "maximum", _BOUNDS, 0.1
    if kind == "integer":
        yield "enum", ('"1,2"', '"0,5,-1"', '"100"', '"5,5"'), 0.15
    if kind.startswith("[]"):
        yield "uniqueItems", ("true",), 0.05
        if may_use(random, version, MARKERS["listType"]):
            yield "listType", ("set", "map listMapKey=n"), 0.1


def _field(random: Random, version: Version) -> str:
    kind = random.choice(tuple(_DEFAULTS))
    if kind == "float" and not may_use(random, version, TYPES["float"]):
        kind = "integer"
    if kind == "[]object" and not may_use(random, version, OBJECT_ELEMENTS):
        kind = "object"
    markers = _markers(random, kind, version)
    if random.random() < 0.05:
        kind = random.choice(_ODD_TYPES)
    if markers and random.random() < 0.03:
        markers.insert(random.randrange(len(markers) + 1), random.choice(_STRAY_WORDS))
    bar = random.choice([" | ", " | ", " | ", "|", "  |  "])
    return bar.join([kind, " ".join(markers)]) if markers else kind


def _markers(random: Random, kind: str, version: Version) -> list[str]:
    limits = _limits(kind, version, random)
    markers = [f"{name}={random.choice(values)}" for name, values, share in limits if random.random() < share]
    for marker, share in (("default", 0.35), ("required=true", 0.15), ("immutable=true", 0.08)):
        if random.random() < share:
            defaults = _ODD_DEFAULTS if random.random() < 0.15 else _DEFAULTS[kind]
            markers.append(f"default={random.choice(defaults)}" if marker == "default" else marker)
    if kind in _RULES and random.random() < 0.6:
        for _ in range(random.choice([1, 1, 1, 2])):
            rule = random.choice(_RULES[kind]).replace("\\", "\\\\").replace('"', '\\"')
            markers.append(f'validation="{rule}"')
    if random.random() < 0.3:
        random.shuffle(markers)
    return markers
