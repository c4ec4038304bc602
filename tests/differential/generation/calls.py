"""Random CEL that calls every declared function, with arguments of its types and, as `dyn`, of others.

The checker accepts `dyn` everywhere, so the comparison covers functions, operators and equality on values of
unintended types.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from kro_ls.cel.types.declarations import Overload
from kro_ls.cel.types.types import (
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    INT,
    NULL,
    STRING,
    TIMESTAMP,
    UINT,
    Kind,
    Type,
    list_type,
    map_type,
    optional_type,
    parse_type,
)
from kro_ls.kro.environment import FUNCTIONS

_LITERALS: dict[str, tuple[str, ...]] = {
    "bool": ("true", "false", "schema.spec.b"),
    "int": ("0", "1", "2", "-1", "3", "9007199254740993", "schema.spec.i", "schema.spec.li[0]"),
    "uint": ("0u", "1u", "2u", "18446744073709551615u"),
    "double": ("0.0", "1.0", "1.5", "-2.5", "1e300", "double('NaN')", "double('Infinity')", "schema.spec.n"),
    "string": ("''", "'a'", "'b'", "'1'", "'a,b'", "'é'", "'1Gi'", "schema.spec.s", "schema.metadata.name"),
    "bytes": ("b''", "b'a'", "b'\\xff'", "bytes('b')"),
    "null_type": ("null",),
    "google.protobuf.Duration": ("duration('1.5s')", "duration('0')", "duration('-90m')"),
    "google.protobuf.Timestamp": (
        "timestamp('2026-01-02T03:04:05.678Z')", "timestamp('1970-01-01T00:00:00+02:00')",
        "timestamp('0001-01-01T00:00:00Z')",
    ),
    "type": ("type(1)", "type('a')", "type([])", "type(null)", "type(dyn(1.5))", "int", "string", "type(type(1))"),
    "kubernetes.Quantity": (
        "quantity('1Gi')", "quantity('1')", "quantity('1000m')", "quantity('1').add(quantity('1'))",
        "quantity('1Gi').sub(1)", "quantity('1e3')",
    ),
    "kubernetes.URL": ("url('https://a.b/c?d=e')", "url('https://a.b:80')"),
    "kubernetes.Semver": ("semver('1.2.3')", "semver('1.2.3-a+b')", "semver('1.2.3-a+c')"),
    "net.IP": ("ip('10.0.0.1')", "ip('::1')", "ip('10.0.0.1')"),
    "net.CIDR": ("cidr('10.0.0.0/8')", "cidr('::/0')"),
}  # fmt: skip
_OBJECTS = {
    "list": ("schema.spec.l", "schema.spec.li", "schema.spec.ll", "schema.spec.lp", "schema.spec.o.l"),
    "map": ("schema.spec.m", "schema.spec.p", "schema.spec.o", "schema.spec.lp[0]", "schema.spec"),
}
_SCALARS = (BOOL, INT, UINT, DOUBLE, STRING, BYTES, NULL, DURATION, TIMESTAMP)
_OTHERS = tuple(parse_type(name) for name in _LITERALS if name not in {each.name for each in _SCALARS})
_KEYS = (STRING, STRING, INT, UINT, BOOL)
_MACROS = (
    "{list}.map(x, {any})", "{list}.filter(x, dyn(x) == {any})", "{list}.exists(x, dyn(x) == {any})",
    "{list}.all(x, dyn(x) != {any})", "{list}.exists_one(x, x == dyn({any}))", "{map}.all(k, v, dyn(v) == {any})",
    "{list}.sortBy(x, dyn({any}))", "{list}.transformList(i, x, {any})", "{map}.transformMap(k, v, {any})",
    "{list}.transformMapEntry(i, x, {{dyn(x): {any}}})", "{opt}.optMap(x, {any})", "{opt}.optFlatMap(x, {opt})",
    "cel.bind(x, {any}, [x, x])", "has({map}.a)", "has(dyn({any}).a)", "{list}.map(x, x)", "{list}.sortBy(x, x)",
    "{map}.map(k, {any})", "{map}.exists(k, v, dyn(k) == {any})", "dyn({any}).map(x, x)", "dyn({any}).all(x, true)",
    "dyn({any}).transformList(k, v, v)",
)  # fmt: skip
_PLAIN = (
    "{any} == {any}", "dyn({any}) == dyn({any})", "dyn({any}) != dyn({any})", "dyn({any}) < dyn({any})",
    "dyn({any}) >= dyn({any})", "dyn({any}) + dyn({any})", "dyn({any}) - dyn({any})", "dyn({any}) * dyn({any})",
    "dyn({any}) / dyn({any})", "dyn({any}) % dyn({any})", "-dyn({any})", "!dyn({any})", "dyn({any}) && dyn({any})",
    "dyn({any}) || dyn({any})", "dyn({any}) ? 1 : 2", "dyn({any}) in dyn({any})", "dyn({any}) in {list}",
    "dyn({any}) in {map}", "dyn({any})[dyn({any})]", "{list}[dyn({any})]", "{map}[dyn({any})]", "{{}}[?dyn({any})]",
    "dyn({any})[?dyn({any})]", "{list}[?dyn({any})]", "{map}[?dyn({any})]", "dyn({any}).a", "dyn({any}).?a",
    "{map}.?a", "[dyn({any}), {any}]", "{{dyn({any}): {any}}}", "[?dyn({any})]", "{{'a': {any}, ?'b': dyn({any})}}",
    "[{any}] == [{any}]", "[{any}] + [{any}] == [{any}, {any}]", "{{'a': {any}}} == {{'a': {any}}}",
    "[{any}] != [{any}]",
    "optional.of({any}) == optional.of({any})", "{list} == {list}", "{map} == {map}", "{list} + {list}",
    "{any} in [{any}, {any}]", "[{any}, {any}].distinct()", "[{any}, {any}].indexOf({any})", "json.encode({any})",
    "json.marshal({any})", "type({any})", "string(dyn({any}))", "type({any}) == type({any})", "'%s'.format([{any}])",
    "'%s %d'.format([{any}, {any}])", "[dyn({any}), {any}].min()", "[dyn({any}), {any}].max()", "[dyn({any})].sum()",
    "[dyn({any}), {any}].isSorted()", "[dyn({any}), {any}].sort()", "[dyn({any}), {any}].flatten()", "{any}",
    "[[{any}], {any}].flatten()", "type({any}) == {type}", "{any} == dyn({any})", "{map}.merge(dyn({any}))",
    "dyn({any}).orValue({any})", "dyn({any}).or({opt})", "dyn({any}).hasValue()", "dyn({any}).value()",
    "json.encode([{any}])", "json.encode({{'a': {any}}})", "json.marshal([{any}])", "{{{any}: 1}}", "dyn({any}).size()",
)  # fmt: skip
_LEFT_OUT = ("random.", "json.unmarshal", "runtime", "omit")


def _overloads() -> tuple[tuple[str, Overload], ...]:
    return tuple(
        (name, overload)
        for name, declared in sorted(FUNCTIONS.items())
        if not declared.is_internal and not name.startswith(_LEFT_OUT)
        for overload in declared.overloads
    )


_OVERLOADS = _overloads()


def random_expression(random: Random) -> str:
    """Return an expression of `schema` that the checker mostly accepts."""
    return random.choice((_filled, _filled, _call, _macro))(random)


def _filled(random: Random) -> str:
    return _fill(random, random.choice(_PLAIN))


def _macro(random: Random) -> str:
    return _fill(random, random.choice(_MACROS))


def _fill(random: Random, form: str) -> str:
    parts: dict[str, Callable[[], str]] = {
        "any": lambda: value(random, _any_type(random)),
        "list": lambda: value(random, list_type(_any_type(random, 1))),
        "map": lambda: value(random, map_type(random.choice(_KEYS), _any_type(random, 1))),
        "opt": lambda: value(random, optional_type(_any_type(random, 1))),
        "type": lambda: random.choice(_TYPE_NAMES),
    }
    text = form.replace("{{", "\0").replace("}}", "\1")
    for name, make in parts.items():
        while (slot := f"{{{name}}}") in text:
            text = text.replace(slot, make(), 1)
    return text.replace("\0", "{").replace("\1", "}")


_TYPE_NAMES = (
    "int", "uint", "double", "bool", "string", "bytes", "list", "map", "null_type", "type", "optional_type",
    "google.protobuf.Duration", "google.protobuf.Timestamp", "net.IP", "net.CIDR", "kubernetes.Quantity",
    "kubernetes.URL", "kubernetes.Semver",
)  # fmt: skip


def _call(random: Random) -> str:
    name, overload = random.choice(_OVERLOADS)
    return _called(random, name, overload, 1)


def _called(random: Random, name: str, overload: Overload, depth: int) -> str:
    bound = {parameter: _any_type(random, depth + 1) for parameter in overload.type_parameters}
    arguments = []
    for parameter in overload.parameters:
        wanted = _bind(parameter, bound)
        if random.random() < 0.15:
            arguments.append(f"dyn({value(random, _any_type(random, depth), depth)})")
        else:
            arguments.append(value(random, wanted, depth))
    if overload.is_member:
        return f"{arguments[0]}.{name}({', '.join(arguments[1:])})"
    return f"{name}({', '.join(arguments)})"


def _bind(type_: Type, bound: dict[Type, Type]) -> Type:
    if type_.kind is Kind.TYPE_PARAMETER:
        return bound.get(type_, INT)
    parameters = tuple(_bind(each, bound) for each in type_.parameters)
    match type_.name, parameters:
        case "list", (element,):
            return list_type(element)
        case "map", (key, item):
            return map_type(key if key in _KEYS else STRING, item)
        case "optional_type", (item,):
            return optional_type(item)
    return type_


def _any_type(random: Random, depth: int = 0) -> Type:
    chance = random.random()
    if depth > 1 or chance < 0.5:
        return random.choice(_SCALARS)
    if chance < 0.7:
        return random.choice(_OTHERS)
    if chance < 0.84:
        return list_type(_any_type(random, depth + 1))
    if chance < 0.94:
        return map_type(random.choice(_KEYS), _any_type(random, depth + 1))
    return optional_type(_any_type(random, depth + 1))


def value(random: Random, wanted: Type, depth: int = 0) -> str:
    """Return an expression of a type; members of lists and maps sometimes have another type, as `dyn`."""
    if wanted.is_dynamic or wanted.kind is Kind.TYPE_PARAMETER:
        return f"dyn({value(random, _any_type(random, depth), depth)})"

    def part(type_: Type) -> str:
        if random.random() < 0.15:
            return f"dyn({value(random, _any_type(random, depth + 1), depth + 1)})"
        return value(random, type_, depth + 1)

    match wanted.name, wanted.parameters:
        case "list", (element,):
            if random.random() < 0.15:
                return random.choice(_OBJECTS["list"])
            return f"[{', '.join(part(element) for _ in range(random.choice([0, 1, 1, 2, 2, 3])))}]"
        case "map", (key, item):
            if random.random() < 0.15:
                return random.choice(_OBJECTS["map"])
            pairs = (f"{part(key)}: {part(item)}" for _ in range(random.choice([0, 1, 1, 2])))
            return f"{{{', '.join(pairs)}}}"
        case "optional_type", (item,):
            return random.choice(["optional.none()", *[f"optional.of({part(item)})"] * 3, f"[{part(item)}][?0]"])
    if depth < 2 and random.random() < 0.2:
        makers = [(name, each) for name, each in _OVERLOADS if each.result == wanted]
        if makers:
            return _called(random, *random.choice(makers), depth + 1)
    literals = _LITERALS.get(wanted.name)
    return random.choice(literals) if literals else f"dyn({random.choice(_LITERALS['string'])})"
