"""Rules of CustomResourceDefinitions that the API server refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kro_ls.openapi.sources.crds.definition_problems import definition_problems
from kro_ls.openapi.sources.crds.rule_problems import rule_problems

if TYPE_CHECKING:
    from kro_ls.openapi.json_values import JsonObject

TEXTS: JsonObject = {"type": "array", "items": {"type": "string"}}
NESTED = "self.texts.all(a, self.texts.all(b, a != b + 'x'))"


def schema(*rules: JsonObject, **properties: JsonObject) -> JsonObject:
    return {
        "type": "object",
        "properties": {"n": {"type": "integer"}, **properties},
        "x-kubernetes-validations": list(rules),
    }


def reported(value: JsonObject) -> list[tuple[str, str]]:
    return [(".".join(map(str, each.path)), each.message) for each in rule_problems(value)]


@pytest.mark.parametrize(
    "rule",
    [
        {"rule": "self.n > 1"},
        {"rule": "self.metadata.name != 'a' && self.kind == 'Widget'"},
        {"rule": "self.n >= oldSelf.n"},
        {"rule": "!oldSelf.hasValue() || self.n >= oldSelf.value().n", "optionalOldSelf": True},
        {"rule": "self.n > 1 &&\nself.n < 5", "message": "between"},
        {"rule": "self.n > 1", "messageExpression": "'%d is too small'.format([self.n])"},
        {"rule": "self.n > oldSelf.n", "messageExpression": "'it was %d'.format([oldSelf.n])"},
        {"rule": "self.n > 1", "reason": "FieldValueForbidden", "fieldPath": ".n"},
        {"rule": "self.n > 1", "fieldPath": "['n']"},
    ],
)
def test_rules_that_are_taken(rule: JsonObject) -> None:
    assert reported(schema(rule)) == []


@pytest.mark.parametrize(
    ("rule", "place", "message"),
    [
        ({"rule": "self.n > 'a'"}, "0.rule", "does not compile"),
        ({"rule": "self.m > 1"}, "0.rule", "does not compile"),
        ({"rule": "self.n + 1"}, "0.rule", "does not compile"),
        ({"rule": "self.n >= oldSelf.value().n"}, "0.rule", "does not compile"),
        ({"message": "a"}, "0", "this has no rule"),
        ({"rule": "self.n > 1 &&\nself.n < 5"}, "0", "needs a 'message'"),
        ({"rule": "self.n > 1", "messageExpression": "self.n"}, "0.messageExpression", "it gives int, not a string"),
        ({"rule": "self.n > 1", "messageExpression": "self.m"}, "0.messageExpression", "does not compile"),
        ({"rule": "self.n > 1", "messageExpression": "  "}, "0.messageExpression", "is empty"),
        ({"rule": "self.n > 1", "message": " "}, "0.message", "is empty"),
        ({"rule": "self.n > 1", "message": "a\nb"}, "0.message", "must be one line"),
        ({"rule": "self.n > 1", "reason": "Wrong"}, "0.reason", "'Wrong' is no reason"),
        ({"rule": "self.n > 1", "fieldPath": ".m"}, "0.fieldPath", "leads to no field"),
        ({"rule": "self.n > 1", "fieldPath": "n"}, "0.fieldPath", "leads to no field"),
        ({"rule": "self.n > 1", "optionalOldSelf": True}, "0.optionalOldSelf", "does not use 'oldSelf'"),
    ],
)
def test_rules_that_are_refused(rule: JsonObject, place: str, message: str) -> None:
    ((path, said),) = reported(schema(rule))
    assert path == f"x-kubernetes-validations.{place}"
    assert message in said


def test_a_rule_that_costs_too_much() -> None:
    (found,) = rule_problems(schema({"rule": NESTED}, texts=TEXTS))
    assert found.message.startswith("this rule can cost more than 100 times of what is allowed; bound what it reads")
    assert found.printed.startswith(
        "x-kubernetes-validations[0].rule: Forbidden: estimated rule cost exceeds budget by factor of more than 100x"
    )
    bounded: JsonObject = {"type": "array", "maxItems": 10, "items": {"type": "string", "maxLength": 10}}
    assert reported(schema({"rule": NESTED}, texts=bounded)) == []


@pytest.mark.parametrize(
    "costly", ["self.texts.map(a, self.texts.map(b, a + b).join()).join()", "'a' + string(self.n)"]
)
def test_a_message_that_costs_too_much(costly: str) -> None:
    """As a real API server says: it takes the text of a number for one of any length."""
    ((path, message),) = reported(schema({"rule": "self.n > 1", "messageExpression": costly}, texts=TEXTS))
    assert path == "x-kubernetes-validations.0.messageExpression"
    assert message.startswith("this message can cost")


def test_rules_around_one_of_a_wrong_shape_are_not_compiled() -> None:
    inner = schema({"rule": "self.n > 1", "reason": "Wrong"})
    paths = [path for path, _ in reported(schema({"rule": "self.m > 1"}, inner=inner))]
    assert paths == ["properties.inner.x-kubernetes-validations.0.reason"]


def test_rules_that_cost_too_much_together() -> None:
    once: JsonObject = {"rule": "self.texts.all(a, a.startsWith('x'))"}
    assert reported(schema(once, texts=TEXTS)) == []
    paths = reported(schema(*[once] * 60, texts=TEXTS))
    assert [path for path, _ in paths] == ["x-kubernetes-validations.0.rule"]
    assert paths[0][1].startswith("all rules, of which this is the dearest, can cost")


def test_items_without_keys_have_no_old_values() -> None:
    item = schema({"rule": "self.n == oldSelf.n"})
    keyed: JsonObject = {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["n"]}
    ((path, message),) = reported(schema(list={"type": "array", "items": item, "maxItems": 5}))
    assert path == "properties.list.items.x-kubernetes-validations.0.rule"
    assert "whose items have no old values" in message
    assert reported(schema(list={"type": "array", "items": item, "maxItems": 5, **keyed})) == []


def test_rules_are_looked_at_where_the_schema_is_structural() -> None:
    widget = schema({"rule": "self.m"})
    definition: JsonObject = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"plural": "widgets", "kind": "Widget"},
            "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": widget}}],
        },
    }
    (found,) = definition_problems(definition, {})
    assert found.path[-3:] == ("x-kubernetes-validations", 0, "rule")
    assert found.printed.startswith("spec.versions[0].schema.openAPIV3Schema.x-kubernetes-validations[0].rule: Invalid")
