"""Validation rules as the API server compiles them; its own code gave the costs (`tests/oracle`)."""

from __future__ import annotations

import pytest

from kro_ls.openapi.rules.compilation import compile_rule, total_cost
from kro_ls.openapi.rules.self_declaration import declaration

TEXT = {"type": "string"}
TEXTS = {"type": "array", "items": TEXT}
OBJECT = {"type": "object", "properties": {"name": TEXT, "if": {"type": "integer"}}, "required": ["name"]}


@pytest.mark.parametrize(
    ("schema", "rule"),
    [
        (TEXT, "self.startsWith('a') && self.size() < 10"),
        (TEXTS, "sets.contains(self, ['a']) && self.all(x, x.matches('^[a-z]+$'))"),
        (OBJECT, "has(self.name) && self.if > 1.5 && self.__if__ == 2"),
        (OBJECT, "self == oldSelf"),
        ({"type": "object", "additionalProperties": TEXT}, "self.all(k, v, k != v)"),
        (TEXT, "isQuantity(self) && quantity(self).isGreaterThan(quantity('1'))"),
        (TEXT, "!format.dns1123Label().validate(self).hasValue()"),
    ],
)
def test_rules_that_compile(schema: dict[str, object], rule: str) -> None:
    assert not compile_rule(rule, declaration(schema)).errors  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("schema", "rule", "wrong"),
    [
        (TEXT, "self > 1", ">"),
        (TEXT, "self.nope()", "nope"),
        (OBJECT, "self.nope == 1", "nope"),
        (TEXT, "self.size()", "self.size()"),
        (TEXT, "self.matches('(')", "'('"),
        (TEXT, "self.find('[') == ''", "'['"),
        (TEXT, "duration('x') > duration(self)", "'x'"),
        (TEXT, "self in ['a', 1]", "1"),
        (TEXT, "[dyn(self), 'a'].size() > 0", "'a'"),
        (TEXT, "json.marshal(self) == ''", "json"),
        (TEXT, "self.reverse() == self", "reverse"),
        (TEXT, "cel.bind(x, self, x == '')", "cel"),
        (TEXT, "schema.spec.name == self", "schema"),
    ],
)
def test_rules_that_do_not_compile(schema: dict[str, object], rule: str, wrong: str) -> None:
    error = compile_rule(rule, declaration(schema)).errors[0]  # type: ignore[arg-type]
    assert (rule[error.start : error.end]) == wrong


@pytest.mark.parametrize(
    ("schema", "rule", "cost"),
    [
        (TEXT, "self == 'abc'", 2),
        (TEXT, "self.matches('^[a-z]+$')", 629_147),
        ({**TEXT, "maxLength": 64}, "self.matches('^[a-z]+$')", 53),
        (TEXTS, "self.all(x, x == 'a')", 5_242_877),
        ({**TEXTS, "maxItems": 10}, "self.all(x, self.exists_one(y, x == y))", 31_457_762),
    ],
)
def test_what_rules_cost(schema: dict[str, object], rule: str, cost: int) -> None:
    assert compile_rule(rule, declaration(schema)).cost == cost  # type: ignore[arg-type]


def test_how_often_a_rule_is_evaluated() -> None:
    declared = declaration(OBJECT)  # type: ignore[arg-type]
    assert total_cost(3, 7, declared) == 21
    least = len('{"name": "",}')
    assert total_cost(1, None, declared) == 3 * 1024 * 1024 // least
