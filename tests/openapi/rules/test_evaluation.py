"""What the rules of a schema may take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kro_ls.cel.evaluation.costs import Budget
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
    found = [each.text for each in rule_errors({"n": 1}, schema("self.n > 1", COSTLY, "self.n > 2"), budget=budget)]
    assert len(found) == 2
    assert found[0].endswith("too small")
    assert "takes more than 100000 steps" in found[1]
    assert found[1].endswith(f"evaluating rule: {COSTLY}")


def test_a_rule_of_many_values_is_stopped_once() -> None:
    budget = Budget(10_000)
    value: JsonObject = {"n": 1, "list": [{"n": each} for each in range(10_000)]}
    rules = schema("lists.range(100).all(x, x >= 0)")
    found = [each.text for each in rule_errors(value, rules, budget=budget)]
    assert len(found) == 1
    assert "evaluation stopped" in found[0]


def test_nothing_is_said_of_a_rule_that_takes_too_long_unless_there_is_a_budget() -> None:
    found = [each.text for each in rule_errors({"n": 1}, schema("self.n > 1", COSTLY, "self.n > 2"))]
    assert len(found) == 1


def changed(value: JsonObject, old: JsonObject | None, rule: JsonObject, **more: Any) -> list[str]:
    """Return what a rule about `n` says of a change."""
    number: JsonObject = {"type": "integer", "x-kubernetes-validations": [rule], **more}
    return [each.text for each in rule_errors(value, {"type": "object", "properties": {"n": number}}, old)]


GROWS: JsonObject = {"rule": "self >= oldSelf", "message": "must not shrink"}


def test_a_rule_about_a_change() -> None:
    assert changed({"n": 1}, {"n": 2}, GROWS) == ["n: Invalid value: 1: must not shrink"]
    assert changed({"n": 2}, {"n": 1}, GROWS) == []
    assert changed({"n": 1}, {}, GROWS) == []
    assert changed({"n": 1}, None, GROWS) == []


def test_a_rule_about_a_change_that_a_new_value_has_to_keep() -> None:
    rule: JsonObject = {"rule": "oldSelf.hasValue() || self > 5", "optionalOldSelf": True, "message": "too small"}
    assert changed({"n": 1}, None, rule) == ["n: Invalid value: 1: too small"]
    assert changed({"n": 1}, {}, rule) == ["n: Invalid value: 1: too small"]
    assert changed({"n": 1}, {"n": 1}, rule) == []
    bounded: JsonObject = {"rule": "self > oldSelf.orValue(0)", "optionalOldSelf": True, "message": "too small"}
    assert changed({"n": 3}, {"n": 4}, bounded) == ["n: Invalid value: 3: too small"]


def test_what_does_not_change_may_stay_as_it_is() -> None:
    rule: JsonObject = {"rule": "self > 5", "message": "too small"}
    assert changed({"n": 1, "other": 2}, {"n": 1}, rule) == []
    assert changed({"n": 2}, {"n": 1}, rule) == ["n: Invalid value: 2: too small"]


def listed(kind: str, items: list[int], old: list[int]) -> list[str]:
    item: JsonObject = {
        "type": "object",
        "properties": {"name": {"type": "string"}, "n": {"type": "integer"}},
        "x-kubernetes-validations": [{**GROWS, "rule": "self.n >= oldSelf.n", "fieldPath": ".n"}],
    }
    values: JsonObject = {"type": "array", "items": item, **LIST_TYPES[kind]}
    value, before = ({"list": [{"name": f"a{n}", "n": each} for n, each in enumerate(given)]} for given in (items, old))
    before["list"].reverse()
    return [each.text for each in rule_errors(value, {"type": "object", "properties": {"list": values}}, before)]  # type: ignore[arg-type] # of objects


LIST_TYPES: dict[str, JsonObject] = {
    "map": {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"]},
    "atomic": {"x-kubernetes-list-type": "atomic"},
}


def test_items_of_a_list_are_those_with_the_same_keys() -> None:
    assert listed("map", [1, 2, 3], [2, 1]) == ["list[0].n: Invalid value: must not shrink"]
    assert listed("atomic", [1, 2, 3], [2, 1]) == []
