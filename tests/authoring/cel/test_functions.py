"""Functions and macros of CEL as functions of Python."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from kro_ls.authoring import NotInCelError, cel, composition
from kro_ls.authoring.cel.cel_members import MEMBERS, NAMESPACES, OVERLOADS
from kro_ls.authoring.compositions.problems import CompositionError, WrongTypeError
from kro_ls.authoring.stubs.cel_stub import MACRO_TYPES, cel_stub
from kro_ls.authoring.stubs.python_types import CEL_CLASSES
from kro_ls.kro.controller import CONDITION_FIELDS
from kro_ls.kro.environment import FUNCTIONS, MACROS

UNTYPED: Any = cel
"""The same for what no type checker lets pass."""


@dataclass
class Spec:
    name: str
    ratio: float = 0.5
    ports: list[int] = field(default_factory=list)
    labels: dict[str, str] = field(default_factory=dict)


def built(make: Callable[[Any], object]) -> str:
    """Return the CEL that a function writes for the spec."""
    found: list[str] = []

    @composition(kind="Made")
    def made(spec: Spec) -> None:
        found.append(repr(make(spec)))

    made.to_yaml()
    return found[-1].removeprefix("${").removesuffix("}")


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda spec: cel.lowerAscii(spec.name), "schema.spec.name.lowerAscii()"),
        (lambda spec: cel.split(spec.name, "-"), 'schema.spec.name.split("-")'),
        (lambda spec: cel.string(spec.ports[0]), "string(schema.spec.ports[0])"),
        (lambda spec: cel.json.marshal(spec.labels), "json.marshal(schema.spec.labels)"),
        (lambda spec: cel.random.seededString(5, spec.name), "random.seededString(5, schema.spec.name)"),
        (lambda spec: cel.omit(), "omit()"),
        (lambda spec: cel.ip(spec.name), "ip(schema.spec.name)"),
        (lambda spec: cel.ip(cel.cidr(spec.name)), "cidr(schema.spec.name).ip()"),
        (lambda spec: cel.ip.isCanonical(spec.name), "ip.isCanonical(schema.spec.name)"),
        (
            lambda spec: cel.or_(cel.first(spec.ports), cel.last(spec.ports)),
            "schema.spec.ports.first().or(schema.spec.ports.last())",
        ),
        (lambda spec: cel.sign(cel.quantity(spec.name)), "sign(quantity(schema.spec.name))"),
        (
            lambda spec: cel.runtime.newCondition({"type": "Ready", "status": spec.name}),
            'runtime.newCondition({type: "Ready", status: schema.spec.name})',
        ),
    ],
)
def test_a_function(make: Callable[[Any], object], expected: str) -> None:
    assert built(make) == expected


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda spec: cel.has(spec.labels), "has(schema.spec.labels)"),
        (lambda spec: cel.all(spec.ports, lambda port: port > 0), "schema.spec.ports.all(port, port > 0)"),
        (lambda spec: cel.exists(spec.labels, lambda key: key == "a"), 'schema.spec.labels.exists(key, key == "a")'),
        (lambda spec: cel.map(spec.ports, lambda p: p + 1), "schema.spec.ports.map(p, p + 1)"),
        (lambda spec: cel.map(spec.ports, cel.string), "schema.spec.ports.map(item, string(item))"),
        (
            lambda spec: cel.map(spec.ports, lambda p: p > 1, lambda p: p + 1),
            "schema.spec.ports.map(p, p > 1, p + 1)",
        ),
        (
            lambda spec: cel.transformMap(spec.labels, lambda k, v: cel.upperAscii(v)),
            "schema.spec.labels.transformMap(k, v, v.upperAscii())",
        ),
        (lambda spec: cel.bind(spec.name, lambda n: n + n), "cel.bind(n, schema.spec.name, n + n)"),
        (
            lambda spec: cel.optMap(cel.first(spec.ports), lambda p: p + 1),
            "schema.spec.ports.first().optMap(p, p + 1)",
        ),
        (
            lambda spec: cel.all(spec.ports, lambda a: cel.exists(spec.ports, lambda b: a == b)),
            "schema.spec.ports.all(a, schema.spec.ports.exists(b, a == b))",
        ),
        # A name that the definition has for something else gets a number.
        (lambda spec: cel.all(spec.ports, lambda schema: schema > 0), "schema.spec.ports.all(schema2, schema2 > 0)"),
    ],
)
def test_a_macro(make: Callable[[Any], object], expected: str) -> None:
    assert built(make) == expected


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda spec: UNTYPED.lowerAscii(spec.ports), WrongTypeError, "lowerAscii"),
        (lambda spec: UNTYPED.lowerAscii(spec.name, 1), NotInCelError, r"cel.lowerAscii takes 1 arguments, not 2"),
        (lambda spec: UNTYPED.lowerascii(spec.name), AttributeError, r"did you mean cel.lowerAscii\?"),
        (lambda spec: UNTYPED.json.marshall(spec.name), AttributeError, r"did you mean cel.json.marshal\?"),
        (
            lambda spec: UNTYPED.json(spec.name),
            NotInCelError,
            "cel.json is no function; it has encode, marshal",
        ),
        (lambda spec: UNTYPED.all(spec.ports), NotInCelError, "cel.all takes a value, then functions"),
        (lambda spec: UNTYPED.all(spec.ports, lambda: True), NotInCelError, "takes 1 or 2 arguments"),
        (lambda spec: UNTYPED.all(spec.name, lambda c: c == "a"), CompositionError, "is for a list or map, not"),
        (
            lambda spec: UNTYPED.all(spec.ports, lambda p: p.name),
            CompositionError,
            "'p' has no 'name': it is of type int",
        ),
    ],
)
def test_a_wrong_call(make: Callable[[Any], object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        built(make)


def test_everything_of_kro_is_there() -> None:
    assert {path for path in OVERLOADS if not path.startswith("runtime.")} == {
        name for name, function in FUNCTIONS.items() if not function.is_internal
    } - {"condition", "newCondition"}
    for path in MEMBERS - NAMESPACES:
        found: object = cel
        for name in path.split("."):
            found = getattr(found, f"{name}_" if name == "or" else name)
        assert repr(found) == f"cel.{path}"


def test_every_form_of_a_macro_has_its_types() -> None:
    """A variable is an argument of the functions, and everything else is one of Python's."""
    assert MACRO_TYPES.keys() == MACROS.keys()
    for name, macro in MACROS.items():
        bodies = {sum(len(each) > 1 for each in form) - (macro.receiver == "cel") for form in macro.argument_names}
        typed = {signature.count("Callable[") for signature in MACRO_TYPES[name]}
        assert typed == ({0} if name == "has" else bodies)


def test_the_stub() -> None:
    stub = cel_stub()
    assert "def size(value: builtins.bytes | builtins.list[_A] | Mapping[_A, _B] | builtins.str, /)" in stub
    assert "def or_(value: Optional[_V], other: Optional[_V], /) -> Optional[_V]:" in stub
    assert "Needs kro 0.9.1 or newer." in stub.partition("def sha256")[2]


def test_classes_of_values() -> None:
    assert all(hasattr(cel, name) for name in CEL_CLASSES.values())
    assert tuple(cel.Condition.__annotations__) == CONDITION_FIELDS
