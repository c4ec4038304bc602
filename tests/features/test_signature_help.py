"""Signature help: which forms a call has, which fits, and which parameter is being typed."""

from __future__ import annotations

import pytest
from lsprotocol import types

from kro_ls.features.hints.signature_help import signature_help
from tests.fixtures.definitions import rgd
from tests.fixtures.features import check_signature
from tests.fixtures.language import Fixture, fixture

RESOURCES = """
- id: config
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: $HERE
"""
SPEC = '{name: string, zones: "[]string", size: integer}'


def at(value: str) -> Fixture:
    return fixture(rgd(RESOURCES, spec=SPEC).replace("$HERE", value))


@pytest.mark.parametrize(
    ("value", "signature", "parameter"),
    [
        ("${schema.spec.name.startsWith($0)}", "string.startsWith(prefix: string) -> bool", "prefix: string"),
        ("${schema.spec.name.startsWith($0", "string.startsWith(prefix: string) -> bool", "prefix: string"),
        ("${schema.spec.name.startsWith('a$0", "string.startsWith(prefix: string) -> bool", "prefix: string"),
        ("${schema.spec.name.substring($0)}", "string.substring(start: int) -> string", "start: int"),
        ("${schema.spec.name.substring(1, $0)}", "string.substring(start: int, end: int) -> string", "end: int"),
        ("${schema.spec.name.substring(1, 2$0", "string.substring(start: int, end: int) -> string", "end: int"),
        ("${lists.range($0)}", "lists.range(size: int) -> list(int)", "size: int"),
        (
            "${random.seededString(3, $0)}",
            "random.seededString(length: int, seed: string) -> string",
            "seed: string",
        ),
        ("${[1].map($0", "list_or_map.map(x, transform)", "x"),
        ("${[1].map(x, $0", "list_or_map.map(x, transform)", "transform"),
        ("${[1].map(x, x > 1, $0", "list_or_map.map(x, predicate, transform)", "transform"),
        ("${[1].exists($0", "list_or_map.exists(x, predicate)", "x"),
        ("${cel.bind(a, $0", "cel.bind(x, value, expression)", "value"),
        ("${has($0", "has(field)", "field"),
        ("${string(schema.spec.name.size() + $0", None, None),
        ("${[1].map(x, schema.spec.name.startsWith($0))}", "string.startsWith(prefix: string) -> bool", None),
        ("${[1].map(x, schema.spec.name.startsWith('a'), $0", "list_or_map.map(x, predicate, transform)", "transform"),
        ("${lists.range([1, (2$0", "lists.range(size: int) -> list(int)", None),
    ],
)
def test_the_active_signature_and_parameter(value: str, signature: str | None, parameter: str | None) -> None:
    check_signature(at(value), signature, parameter)


@pytest.mark.parametrize(
    ("value", "signature"),
    [
        ("${string(1$0", "string(value: int) -> string"),
        ("${string(true$0", "string(value: bool) -> string"),
        ("${int('1'$0", "int(value: string) -> int"),
    ],
)
def test_the_overload_is_chosen_by_the_arguments_before(value: str, signature: str) -> None:
    check_signature(at(value), signature, None)


def test_without_arguments_every_overload_is_shown() -> None:
    answer = check_signature(at("${string($0"), None, None)
    assert all(each.label.startswith("string(") for each in answer.signatures)


def test_a_method_shows_the_overloads_of_its_receiver() -> None:
    answer = check_signature(at("${schema.spec.zones.indexOf($0)}"), None, None)
    assert all(signature.label.startswith("list(") for signature in answer.signatures)
    answer = check_signature(at("${schema.spec.name.indexOf($0)}"), None, None)
    assert [signature.label for signature in answer.signatures] == [
        "string.indexOf(text: string) -> int",
        "string.indexOf(text: string, offset: int) -> int",
    ]


def test_signatures_are_documented() -> None:
    answer = check_signature(at("${schema.spec.name.startsWith($0)}"), None, None)
    documentation = answer.signatures[0].documentation
    assert isinstance(documentation, types.MarkupContent)
    assert "Example" in documentation.value


def test_parameters_are_given_as_offsets_to_clients_that_take_them() -> None:
    answer = signature_help(at("${[1].exists($0").cursor, label_offsets=True)
    assert answer is not None
    signature = answer.signatures[0]
    labels = [parameter.label for parameter in signature.parameters or []]
    assert labels == [(19, 20), (22, 31)]
    assert [signature.label[19:20], signature.label[22:31]] == ["x", "predicate"]


@pytest.mark.parametrize(
    "value",
    [
        "text($0)",
        "${schema.spec.name$0}",
        "${schema.spec.name.startsWith('a')$0}",
        "${($0",
        "${[$0",
        "${unknown($0",
        "${string(1)} ($0)",
        "${'f($0'}",
    ],
)
def test_elsewhere_there_is_none(value: str) -> None:
    assert signature_help(at(value).cursor, label_offsets=False) is None
