"""What a plan becomes with the answers of an API server."""

from __future__ import annotations

from typing import Any

import pytest

from kro_ls.runtime.plans.applying import asked_objects, with_answers
from kro_ls.runtime.plans.plan import Action, Fate, InstancePlan, ObjectChange, Plan, TroubleKind


def change(action: Action, kind: str, name: str, namespace: str = "team") -> ObjectChange:
    value: Any = {"apiVersion": "v1", "kind": kind, "metadata": {"name": name, "namespace": namespace}}
    return ObjectChange(action, name, f"{kind} {namespace}/{name}", 1, value=None if action is Action.DELETE else value)


def plan(*changes: ObjectChange) -> Plan:
    return Plan("a cluster", (), (InstancePlan("Shop", "team/one", "one.yaml", Fate.KEPT, tuple(changes)),))


def test_deleted_objects_are_not_asked_about() -> None:
    found = plan(change(Action.CREATE, "ConfigMap", "a"), change(Action.DELETE, "ConfigMap", "b"))
    assert [place for place, _ in asked_objects(found)] == [(0, 0)]


def test_a_refused_object_makes_the_plan_fail() -> None:
    answered = with_answers(plan(change(Action.CREATE, "ConfigMap", "a")), {(0, 0): "exceeded quota"}, 1)
    (instance,) = answered.instances
    assert answered.fails
    assert answered.asked == 1
    assert (instance.objects[0].action, instance.objects[0].text) == (Action.BLOCKED, "exceeded quota")
    assert [(each.kind, each.text) for each in instance.troubles] == [(TroubleKind.INVALID, "exceeded quota")]


@pytest.mark.parametrize(
    ("creates", "text", "fails"),
    [
        ("Namespace", 'Error from server (NotFound): namespaces "team" not found', False),
        ("Secret", 'Error from server (NotFound): namespaces "team" not found', True),
        ("CustomResourceDefinition", 'resource mapping not found: no matches for kind "Bucket"', False),
        ("Secret", 'resource mapping not found: no matches for kind "Bucket"', True),
    ],
)
def test_what_the_plan_itself_creates_is_not_missing(creates: str, text: str, fails: bool) -> None:
    made = plan(change(Action.CREATE, creates, "team", ""), change(Action.CREATE, "Bucket", "a"))
    answered = with_answers(made, {(0, 1): text}, 2)
    assert answered.fails is fails
    assert any(text in each for each in answered.instances[0].notes) is not fails


def test_what_is_known_to_be_refused_is_reported_once() -> None:
    answered = with_answers(plan(change(Action.BLOCKED, "ConfigMap", "a")), {(0, 0): "field is immutable"}, 1)
    assert answered.instances[0].troubles == ()
