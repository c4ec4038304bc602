"""Signature help: which forms a call has, which fits, and which parameter is being typed."""

from __future__ import annotations

import pytest
from lsprotocol import types

from kro_ls.features.hints.signature_help import signature_help
from tests.features.fixtures import fixture, rgd

RESOURCES = """
- id: config
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: $HERE
"""
SPEC = '{name: string, zones: "[]string", size: integer}'


def help_at(value: str, *, label_offsets: bool = False) -> types.SignatureHelp | None:
    found = fixture(rgd(RESOURCES, spec=SPEC).replace("$HERE", value))
    return signature_help(found.document, found.cursor, label_offsets=label_offsets)


def active(value: str) -> tuple[str, str | None]:
    """Return the active signature and the text of its active parameter, None if it has no such parameter."""
    answer = help_at(value)
    assert answer is not None, "there is no help"
    signature = answer.signatures[answer.active_signature or 0]
    parameters = signature.parameters or []
    number = answer.active_parameter or 0
    label = parameters[number].label if number < len(parameters) else None
    assert label is None or isinstance(label, str)
    return signature.label, label


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
    found = active(value)
    assert found[0] == signature or signature is None
    assert found[1] == parameter or parameter is None


def test_the_overload_is_chosen_by_the_arguments_before() -> None:
    assert active("${string($0")[0].startswith("string(")
    assert active("${string(1$0")[0] == "string(value: int) -> string"
    assert active("${string(true$0")[0] == "string(value: bool) -> string"
    assert active("${int('1'$0")[0] == "int(value: string) -> int"


def test_a_method_shows_the_overloads_of_its_receiver() -> None:
    answer = help_at("${schema.spec.zones.indexOf($0)}")
    assert answer is not None
    assert all(signature.label.startswith("list(") for signature in answer.signatures)
    answer = help_at("${schema.spec.name.indexOf($0)}")
    assert answer is not None
    assert [signature.label for signature in answer.signatures] == [
        "string.indexOf(text: string) -> int",
        "string.indexOf(text: string, offset: int) -> int",
    ]


def test_signatures_are_documented() -> None:
    answer = help_at("${schema.spec.name.startsWith($0)}")
    assert answer is not None
    documentation = answer.signatures[0].documentation
    assert isinstance(documentation, types.MarkupContent)
    assert "Example" in documentation.value


def test_parameters_are_told_by_offsets_to_clients_that_take_them() -> None:
    answer = help_at("${[1].exists($0", label_offsets=True)
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
    assert help_at(value) is None
