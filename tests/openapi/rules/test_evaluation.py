"""What the rules of a schema may take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.cel.evaluation.failures import Budget
from kro_ls.openapi.rules.evaluation import rule_errors

if TYPE_CHECKING:
    from kro_ls.openapi.json_values import JsonObject

COSTLY = "lists.range(1000000).all(x, lists.range(1000000).all(y, x + y + self.n >= 0))"


def schema(*rules: str) -> JsonObject:
    return {
        "type": "object",
        "properties": {
            "n": {"type": "integer"},
            "list": {
                "type": "array",
                "items": {"type": "object", "x-kubernetes-validations": [{"rule": rules[0], "message": "no"}]},
            },
        },
        "x-kubernetes-validations": [{"rule": each, "message": "too small"} for each in rules],
    }


def test_rules_share_a_budget_and_what_uses_it_up_is_named() -> None:
    budget = Budget(100_000)
    found = [each.text for each in rule_errors({"n": 1}, schema("self.n > 1", COSTLY, "self.n > 2"), budget)]
    assert len(found) == 2
    assert found[0].endswith("too small")
    assert "takes more than 100000 steps" in found[1]
    assert found[1].endswith(f"evaluating rule: {COSTLY}")


def test_a_rule_of_many_values_is_stopped_once() -> None:
    budget = Budget(10_000)
    value: JsonObject = {"n": 1, "list": [{"n": each} for each in range(10_000)]}
    rules = schema("lists.range(100).all(x, x >= 0)")
    found = [each.text for each in rule_errors(value, rules, budget)]
    assert len(found) == 1
    assert "evaluation stopped" in found[0]


def test_nothing_is_said_of_a_rule_that_takes_too_long_unless_there_is_a_budget() -> None:
    found = [each.text for each in rule_errors({"n": 1}, schema("self.n > 1", COSTLY, "self.n > 2"))]
    assert len(found) == 1
