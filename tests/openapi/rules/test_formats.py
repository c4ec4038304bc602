"""The named formats of validation rules; tests/golang compares the words about names with those of Kubernetes."""

from __future__ import annotations

import pytest

from kro_ls.cel.evaluation.program import compile_program
from kro_ls.cel.syntax.parser import parse
from kro_ls.openapi.json_values import JsonObject
from kro_ls.openapi.rules.compilation import compile_rule
from kro_ls.openapi.rules.evaluation import rule_errors
from kro_ls.openapi.rules.formats import FUNCTIONS
from kro_ls.openapi.rules.rule_environment import RULE_LIBRARIES
from kro_ls.openapi.rules.self_declaration import declaration

_RIGHT = {
    "dns1123Label": "my-name",
    "dns1123Subdomain": "apps.example.com",
    "dns1035Label": "my-name",
    "qualifiedName": "example.com/My_Name",
    "dns1123LabelPrefix": "my-name-",
    "dns1123SubdomainPrefix": "apps.example-",
    "dns1035LabelPrefix": "my-name-",
    "labelValue": "",
    "uri": "https://example.com/a",
    "uuid": "123e4567-e89b-12d3-a456-426614174000",
    "byte": "aGVsbG8=",
    "date": "2024-02-29",
    "datetime": "2024-02-29T00:00:00Z",
}
_TEXT: JsonObject = {"type": "string"}


def errors(text: str, rule: str, **more: str) -> list[str]:
    """Return what a rule says of a text that is a field `f`."""
    schema: JsonObject = {"properties": {"f": {**_TEXT, "x-kubernetes-validations": [{"rule": rule, **more}]}}}
    return [each.text for each in rule_errors({"f": text}, schema)]


@pytest.mark.parametrize("name", _RIGHT)
def test_texts_that_have_a_format(name: str) -> None:
    rule = f"!format.{name}().validate(self).hasValue()"
    assert not compile_rule(rule, declaration(_TEXT)).errors
    assert errors(_RIGHT[name], rule) == []
    assert errors("a b", rule) == [f'f: Invalid value: "a b": failed rule: {rule}']
    by_name = f"!format.named('{name}').value().validate(self).hasValue()"
    assert errors(_RIGHT[name], by_name) == []
    assert errors("a b", by_name) == [f'f: Invalid value: "a b": failed rule: {by_name}']


def test_what_is_wrong_can_be_reported() -> None:
    words = {"messageExpression": "format.dns1123Label().validate(self).value().join('; ')"}
    rule = "!format.dns1123Label().validate(self).hasValue()"
    assert errors("a.b", rule, **words) == ['f: Invalid value: "a.b": must not contain dots']
    long = "a" * 64
    assert errors(long, rule, **words) == [f'f: Invalid value: "{long}": must be no more than 63 characters']


@pytest.mark.parametrize(
    "rule",
    [
        "format.uri().validate(self).value() == ['parse \"a b\": invalid URI for request']",
        "format.uuid().validate(self).value() == ['does not match the UUID format']",
        "format.byte().validate(self).value() == ['invalid base64']",
        "format.date().validate(self).value() == ['invalid date']",
        "format.datetime().validate(self).value() == ['invalid datetime']",
        "format.named('uuid') == optional.of(format.uuid())",
        "format.uuid() != format.date()",
        "!format.named('email').hasValue()",
    ],
)
def test_values_of_the_functions(rule: str) -> None:
    assert errors("a b", rule) == []


def test_a_format_that_there_is_not() -> None:
    (text,) = errors("a", "format.named(self).value().validate('').hasValue()")
    assert "optional.none() dereference" in text


@pytest.mark.parametrize(
    "example", sorted({each.documentation.example for function in FUNCTIONS for each in function.overloads})
)
def test_examples_are_true(example: str) -> None:
    assert compile_program(parse(example, RULE_LIBRARIES.macro_set).root, RULE_LIBRARIES).evaluate({}) is True
