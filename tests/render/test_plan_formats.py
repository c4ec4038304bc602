"""Plans as people and programs read them."""

from __future__ import annotations

import json

from kro_ls.render.plan_groups import field_text, groups, headline, object_text, order_text, totals
from kro_ls.render.plan_json import plan_json
from kro_ls.render.plan_markdown import plan_markdown
from kro_ls.runtime.plans.field_changes import FieldChange
from kro_ls.runtime.plans.plan import (
    Action,
    DefinitionPlan,
    Fate,
    InstancePlan,
    ObjectChange,
    Plan,
    SchemaChange,
    Trouble,
    TroubleKind,
)


def instance(name: str, *objects: ObjectChange, trouble: Trouble | None = None) -> InstancePlan:
    troubles = (trouble,) if trouble else ()
    return InstancePlan("Shop", name, f"{name}.yaml", Fate.KEPT, objects, "ACTIVE", "ACTIVE", troubles)


def change(action: Action = Action.CHANGE, node: str = "web", step: int = 1, path: str = "spec.a") -> ObjectChange:
    return ObjectChange(action, node, f"Service {node}", step, (FieldChange(path, 1, 2),))


def test_instances_to_which_the_same_happens_are_one_group() -> None:
    plan = Plan(
        "HEAD", (), (*(instance(f"n{number}", change()) for number in range(9)), instance("x", change(path="b")))
    )
    first, second = groups(plan)
    assert first.others_text == "the same happens to n1, n2, n3, n4, n5 and 3 more"
    assert (second.first.name, second.others_text) == ("x", "")


def test_what_fails_comes_first_and_what_is_quiet_is_left_out() -> None:
    failing = instance("bad", trouble=Trouble(TroubleKind.ERROR, "why"))
    waiting = instance("slow", trouble=Trouble(TroubleKind.WAITS, "why"))
    plan = Plan("HEAD", (), (instance("quiet"), instance("fine", change()), waiting, failing))
    assert [group.first.name for group in groups(plan)] == ["bad", "slow", "fine"]
    assert plan.fails
    assert list(totals(plan)) == [
        "1 of 4 instances changes",
        "objects: 1 changed",
        "1 instance in error",
        "1 instance waiting",
    ]


def test_the_order_is_reported_where_kro_needs_several_passes() -> None:
    assert order_text(instance("a", change(), change(node="b"))) == ""
    assert order_text(instance("a", change(), change(node="b"), change(node="c", step=3))) == "web and b, then c"


def test_fields_and_objects_are_one_line_each() -> None:
    assert field_text(FieldChange("a", "x\ny", {"b": [1]})) == 'a: "x\\ny" -> {"b": [1]}'
    assert field_text(FieldChange("a", None, 1, was=False)) == "a: 1 (new)"
    assert field_text(FieldChange("a", 1, None, stays=False)) == "a: 1 (gone)"
    assert len(field_text(FieldChange("a", "x" * 1_000, "y" * 1_000))) < 140
    replaced = ObjectChange(Action.REPLACE, "web", "Service b", 1, former="Service a", why="another name")
    assert object_text(replaced) == "Service a -> Service b (web): another name"


def test_an_instance_to_which_nothing_can_happen_is_not_created() -> None:
    assert headline(InstancePlan("Shop", "a", "a.yaml", Fate.CREATED)) == "not created; nothing happens"


def test_markdown_mentions_nobody_and_closes_nothing() -> None:
    trouble = Trouble(TroubleKind.ERROR, "@all </details> `x` [link](http://example.com)")
    plan = Plan(
        "HEAD", (DefinitionPlan("A|B", "a.yaml", "<b>"),), (instance("@team</summary>", change(), trouble=trouble),)
    )
    text = plan_markdown(plan)
    assert "@" not in text
    assert text.count("</details>") == 1
    assert "\\</details\\>" in text
    assert "](http" not in text.replace("\\](", "")


def test_a_fence_in_a_value_does_not_end_the_fence() -> None:
    text = plan_markdown(Plan("HEAD", (), (instance("a", change(path="```\nx")),)))
    assert text.count("```") == 2


def test_json_says_all_of_it() -> None:
    changes = (SchemaChange("spec.a: gone", "a.yaml", 3, 5, is_refused=True),)
    plan = Plan(
        "HEAD",
        (DefinitionPlan("A (kro.run)", "a.yaml", "refused", changes, is_refused=True),),
        (instance("a", change()),),
    )
    found = json.loads(plan_json(plan))
    assert (found["fails"], found["definitions"][0]["changes"]) == (
        True,
        [{"message": "spec.a: gone", "refused": True, "file": "a.yaml", "line": 3, "column": 5}],
    )
    assert found["instances"][0]["objects"][0]["fields"] == [{"path": "spec.a", "old": 1, "new": 2}]
