"""What a change of definitions and instances does to the objects of each instance."""

from __future__ import annotations

from pathlib import Path

import pytest

from kro_ls.openapi.sources.bundled import kubernetes
from kro_ls.rules.diagnosis import DEFAULT_SETTINGS
from kro_ls.runtime.plans.plan import Action, Fate, InstancePlan, TroubleKind
from kro_ls.workspace.editions import Edition, definition_plans
from kro_ls.workspace.planning import Planner, changes_between
from kro_ls.workspace.schemas import read_kinds

SHOP = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: shop}
spec:
  schema:
    apiVersion: v1
    kind: Shop
    spec:
      name: string | required=true
      replicas: integer | default=2
      regions: "[]string | default=[]"
  resources:
    - id: config
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "${schema.spec.name}"}
        data: {size: "${string(schema.spec.replicas)}"}
    - id: web
      template:
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: "${schema.spec.name}", labels: {config: "${config.metadata.name}"}}
        spec:
          replicas: ${schema.spec.replicas}
          selector: {matchLabels: {app: "${schema.spec.name}"}}
          template:
            metadata: {labels: {app: "${schema.spec.name}", tier: web}}
            spec: {containers: [{name: web, image: "nginx:1.27"}]}
    - id: account
      forEach: [{region: "${schema.spec.regions}"}]
      template:
        apiVersion: v1
        kind: ServiceAccount
        metadata: {name: "${schema.spec.name}-${region}"}
"""
ONE = """\
apiVersion: kro.run/v1
kind: Shop
metadata: {name: one, namespace: team}
spec: {name: one, regions: [a, b]}
"""
PLATFORM = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: platform}
spec:
  schema: {apiVersion: v1, kind: Platform, spec: {name: string}}
  resources:
    - id: shop
      template:
        apiVersion: kro.run/v1
        kind: Shop
        metadata: {name: "${schema.spec.name}"}
        spec: {name: "${schema.spec.name}"}
"""


def changed(text: str, *pairs: tuple[str, str]) -> str:
    for before, after in pairs:
        assert before in text, before
        text = text.replace(before, after)
    return text


def edition(texts: dict[str, str]) -> Edition:
    def refuse(error: Exception) -> None:
        raise error

    kinds = read_kinds(kubernetes(None), texts.items(), (), refuse)
    return Edition(texts, kinds, lambda _: DEFAULT_SETTINGS)


def plans(old: dict[str, str], new: dict[str, str]) -> list[InstancePlan]:
    planner = Planner(edition(old), edition(new))
    return [each for change in changes_between(old, new, planner.kinds) for each in planner.plan(change)]


def plan_of_edit(*pairs: tuple[str, str], instance: str = ONE) -> InstancePlan:
    """The plan of the instance when the definition is edited."""
    old = {"shop.yaml": SHOP, "one.yaml": ONE}
    (found,) = plans(old, {"shop.yaml": changed(SHOP, *pairs), "one.yaml": instance})
    return found


def actions(plan: InstancePlan) -> list[tuple[str, str]]:
    return [(each.action.value, each.name) for each in plan.objects]


def test_nothing_happens_where_nothing_changes() -> None:
    plan = plan_of_edit()
    assert (plan.fate, plan.objects, plan.before, plan.after) == (Fate.KEPT, (), "ACTIVE", "ACTIVE")
    assert plan.is_quiet


def test_a_comment_in_the_definition_changes_nothing() -> None:
    assert plan_of_edit(("  resources:\n", "  resources: # all of them\n")).is_quiet


def test_a_changed_field_is_reported_with_both_values() -> None:
    plan = plan_of_edit(("nginx:1.27", "nginx:1.28"))
    (change,) = plan.objects
    assert (change.action, change.node, change.name) == (Action.CHANGE, "web", "Deployment team/one")
    (field,) = change.fields
    expected = ("spec.template.spec.containers[web].image", "nginx:1.27", "nginx:1.28")
    assert (field.path, field.old, field.new) == expected
    assert not plan.fails


def test_another_name_replaces_an_object() -> None:
    plan = plan_of_edit(
        ('ConfigMap\n        metadata: {name: "${schema', 'ConfigMap\n        metadata: {name: "x-${schema')
    )
    replaced, web = plan.objects
    assert (replaced.action, replaced.former, replaced.name) == (
        Action.REPLACE,
        "ConfigMap team/one",
        "ConfigMap team/x-one",
    )
    assert replaced.why == "another name"
    assert [each.path for each in web.fields] == ["metadata.labels.config"], "what reads it changes as well"


def test_another_kind_replaces_an_object() -> None:
    plan = plan_of_edit(
        ("kind: ConfigMap", "kind: Secret"),
        ("data: {size", "stringData: {size"),
        ("config.metadata", "config.metadata"),
    )
    (replaced,) = plan.objects
    assert (replaced.action, replaced.why) == (Action.REPLACE, "another kind")


def test_another_namespace_replaces_an_object() -> None:
    plan = plan_of_edit(("ConfigMap\n        metadata: {", "ConfigMap\n        metadata: {namespace: other, "))
    (replaced,) = plan.objects
    assert (replaced.former, replaced.name, replaced.why) == (
        "ConfigMap team/one",
        "ConfigMap other/one",
        "another namespace",
    )


def test_objects_of_resources_that_are_new_or_gone_are_created_and_deleted() -> None:
    plan = plan_of_edit(("- id: account", "- id: people"), ("kind: ServiceAccount", "kind: ConfigMap"))
    assert actions(plan) == [
        ("create", "ConfigMap team/one-a"),
        ("create", "ConfigMap team/one-b"),
        ("delete", "ServiceAccount team/one-a"),
        ("delete", "ServiceAccount team/one-b"),
    ]


def test_a_renamed_resource_keeps_its_objects() -> None:
    assert actions(plan_of_edit(("- id: account", "- id: people"))) == []


def test_an_edited_instance_is_compared_with_what_it_was() -> None:
    plan = plan_of_edit(instance=changed(ONE, ("[a, b]", "[b, c, d]"), ("name: one, r", "name: one, replicas: 3, r")))
    assert plan.fate is Fate.EDITED
    assert sorted(each.path for each in plan.fields) == [
        "spec.regions[0]",
        "spec.regions[1]",
        "spec.regions[2]",
        "spec.replicas",
    ]
    assert actions(plan) == [
        ("change", "ConfigMap team/one"),
        ("change", "Deployment team/one"),
        ("create", "ServiceAccount team/one-c"),
        ("create", "ServiceAccount team/one-d"),
        ("delete", "ServiceAccount team/one-a"),
    ]


def test_a_new_default_changes_no_instance_that_exists() -> None:
    """The API server wrote the old default into it when it was created."""
    assert plan_of_edit(("default=2", "default=4")).is_quiet


def test_a_field_that_a_manifest_drops_gets_the_new_default() -> None:
    old = {"shop.yaml": SHOP, "one.yaml": changed(ONE, ("name: one, r", "name: one, replicas: 3, r"))}
    (plan,) = plans(old, {"shop.yaml": changed(SHOP, ("default=2", "default=4")), "one.yaml": ONE})
    assert [(each.path, each.old, each.new) for each in plan.fields] == [("spec.replicas", 3, 4)]
    assert actions(plan) == [("change", "ConfigMap team/one"), ("change", "Deployment team/one")]


def test_an_immutable_field_is_reported_in_the_words_of_the_api_server() -> None:
    plan = plan_of_edit(("matchLabels: {app", "matchLabels: {tier: web, app"))
    (blocked,) = plan.objects
    assert blocked.action is Action.BLOCKED
    assert blocked.is_immutable
    (trouble,) = plan.troubles
    assert trouble.kind is TroubleKind.IMMUTABLE
    assert trouble.text.startswith('Deployment.apps "one" is invalid: spec.selector: Invalid value: ')
    assert trouble.text.endswith("field is immutable")
    assert (plan.before, plan.after) == ("ACTIVE", "ERROR")
    assert plan.fails


def test_kro_deletes_nothing_beside_what_is_refused() -> None:
    plan = plan_of_edit(
        ("matchLabels: {app", "matchLabels: {tier: web, app"),
        ("- id: account", "- id: all"),
        ("}-${region}", "}-x${region}"),
    )
    assert [name for action, name in actions(plan) if action == "delete"] == []
    assert [note.partition(" (")[0] for note in plan.notes] == [
        "ServiceAccount team/one-a",
        "ServiceAccount team/one-b",
    ]


def test_an_object_that_is_invalid_is_refused() -> None:
    plan = plan_of_edit(('labels: {app: "${schema.spec.name}", tier', "labels: {tier"))
    (trouble,) = plan.troubles
    assert trouble.kind is TroubleKind.INVALID
    assert "`selector` does not match template `labels`" in trouble.text


def test_an_instance_that_the_new_schema_refuses_is_reported_and_goes_on() -> None:
    allowed = (
        "metadata: {name: shop}",
        "metadata: {name: shop, annotations: {kro.run/allow-breaking-changes: 'true'}}",
    )
    plan = plan_of_edit(("default=2", "default=2 minimum=5"), allowed)
    assert plan.troubles[0].kind is TroubleKind.REFUSED
    assert plan.troubles[0].text.startswith("the new schema refuses it when it is applied again: spec.replicas: ")
    assert plan.fails


def test_a_schema_that_kro_does_not_write_refuses_nothing() -> None:
    """kro writes no bound that is new, for it breaks what exists, unless the definition allows it."""
    plan = plan_of_edit(("default=2", "default=2 minimum=5"))
    assert plan.troubles == ()


def test_an_invalid_edit_of_an_instance_is_refused_and_nothing_happens() -> None:
    plan = plan_of_edit(instance=changed(ONE, ("name: one, r", "name: one, replicas: many, r")))
    (trouble,) = plan.troubles
    assert (trouble.kind, trouble.text) == (
        TroubleKind.REFUSED,
        "spec.replicas: 'replicas' must be an integer, not a string",
    )
    assert (plan.objects, plan.after) == ((), "ACTIVE")


def test_an_instance_that_waits_does_not_fail() -> None:
    plan = plan_of_edit(("    - id: web\n", '    - id: web\n      readyWhen: ["${web.spec.replicas == 3}"]\n'))
    (trouble,) = plan.troubles
    assert trouble.kind is TroubleKind.WAITS
    assert "readyWhen is false" in trouble.text
    assert (plan.after, plan.fails) == ("IN_PROGRESS", False)


def test_an_error_is_reported_with_what_kro_says() -> None:
    plan = plan_of_edit(("${string(schema.spec.replicas)}", "${string(schema.spec.replicas / 0)}"))
    (trouble,) = plan.troubles
    assert (trouble.kind, trouble.is_new, plan.after) == (TroubleKind.ERROR, True, "ERROR")
    assert "division by zero" in trouble.kro


def test_what_was_wrong_before_does_not_fail() -> None:
    broken = changed(SHOP, ("${string(schema.spec.replicas)}", "${string(schema.spec.replicas / 0)}"))
    (plan,) = plans(
        {"shop.yaml": broken, "one.yaml": ONE}, {"shop.yaml": changed(broken, ("1.27", "1.28")), "one.yaml": ONE}
    )
    (trouble,) = plan.troubles
    assert (trouble.kind, trouble.is_new, plan.fails) == (TroubleKind.ERROR, False, False)


def test_kro_goes_on_with_the_old_graph_where_it_refuses_the_new_one() -> None:
    plan = plan_of_edit(
        ("nginx:1.27", "${nope.x}"), instance=changed(ONE, ("name: one, r", "name: one, replicas: 3, r"))
    )
    assert plan.troubles == ()
    assert actions(plan) == [("change", "ConfigMap team/one"), ("change", "Deployment team/one")]
    old, new = edition({"shop.yaml": SHOP}), edition({"shop.yaml": changed(SHOP, ("nginx:1.27", "${nope.x}"))})
    (definition,) = definition_plans(old, new)
    assert definition.is_refused
    assert definition.changes[0].line == SHOP[: SHOP.index("nginx:1.27")].count("\n") + 1


def test_a_breaking_change_leaves_the_schema_but_not_the_graph() -> None:
    """A real kro compiles the new graph and uses it, although it does not change the CRD."""
    plan = plan_of_edit(
        ('      regions: "[]string | default=[]"\n', ""),
        ('[{region: "${schema.spec.regions}"}]', "[{region: \"${['z']}\"}]"),
    )
    assert actions(plan) == [
        ("create", "ServiceAccount team/one-z"),
        ("delete", "ServiceAccount team/one-a"),
        ("delete", "ServiceAccount team/one-b"),
    ]
    assert plan.troubles == (), "the old schema takes the field that the new one lacks"


def test_a_definition_cannot_change_its_scope() -> None:
    (definition,) = definition_plans(
        edition({"shop.yaml": SHOP}),
        edition({"shop.yaml": changed(SHOP, ("kind: Shop\n", "kind: Shop\n    scope: Cluster\n"))}),
    )
    assert definition.is_refused
    assert "the API server refuses it: scope is immutable" in [each.message for each in definition.changes]


def test_a_definition_cannot_change_its_kind() -> None:
    old = {"shop.yaml": SHOP, "one.yaml": ONE}
    other = changed(ONE, ("kind: Shop", "kind: Store"), ("name: one, n", "name: two, n"))
    new = {"shop.yaml": changed(SHOP, ("kind: Shop", "kind: Store")), "one.yaml": ONE, "two.yaml": other}
    shop, store = plans(old, new)
    assert shop.is_quiet, "the API server keeps the definition as it is"
    assert store.troubles[0].text == "the API server refuses the definition: kind is immutable"
    assert store.objects == ()


def test_an_instance_without_a_definition_is_left_alone() -> None:
    old = {"shop.yaml": SHOP, "one.yaml": ONE}
    (plan,) = plans(old, {"one.yaml": ONE})
    assert plan.objects == ()
    assert plan.troubles[0].kind is TroubleKind.NOT_SERVED
    assert plan.fails
    (definition,) = definition_plans(edition(old), edition({"one.yaml": ONE}))
    assert definition.is_refused


def test_a_new_instance_is_created_and_one_that_is_gone_deleted_in_order() -> None:
    created, deleted = plans(
        {"shop.yaml": SHOP, "one.yaml": ONE}, {"shop.yaml": SHOP, "two.yaml": changed(ONE, ("one", "two"))}
    )
    assert (created.name, created.fate, created.before, created.after) == ("team/two", Fate.CREATED, "", "ACTIVE")
    assert {each.action for each in created.objects} == {Action.CREATE}
    assert (deleted.name, deleted.fate) == ("team/one", Fate.DELETED)
    assert actions(deleted)[-1] == ("delete", "ConfigMap team/one"), "what others read goes last"


def test_a_moved_file_changes_nothing() -> None:
    (plan,) = plans({"shop.yaml": SHOP, "one.yaml": ONE}, {"kinds/shop.yaml": SHOP, "apps/one.yaml": ONE})
    assert plan.is_quiet


def test_instances_that_instances_make_are_planned_as_well() -> None:
    instance = "apiVersion: kro.run/v1\nkind: Platform\nmetadata: {name: p, namespace: team}\nspec: {name: one}\n"
    old = {"shop.yaml": SHOP, "platform.yaml": PLATFORM, "p.yaml": instance}
    platform, shop = plans(old, {**old, "shop.yaml": changed(SHOP, ("1.27", "1.28"))})
    assert (platform.kind, platform.is_quiet) == ("Platform", True)
    assert (shop.kind, shop.name, shop.source) == ("Shop", "team/one", "made by Platform team/p")
    assert actions(shop) == [("change", "Deployment team/one")]


def test_definitions_that_make_each_other_come_to_an_end() -> None:
    first = changed(PLATFORM, ("kind: Shop", "kind: Other"), ("name: platform", "name: first"))
    other = changed(
        PLATFORM,
        ("kind: Platform", "kind: Other"),
        ("kind: Shop", "kind: Platform"),
        ("{name: platform}", "{name: other}"),
    )
    instance = "apiVersion: kro.run/v1\nkind: Platform\nmetadata: {name: p, namespace: team}\nspec: {name: one}\n"
    texts = {"a.yaml": first, "b.yaml": other, "p.yaml": instance}
    assert len(plans(texts, texts)) <= 6


def test_a_made_up_status_stays_what_it_was() -> None:
    """A custom object's status is generated for the expressions that read it; reading more changes no other field."""
    reads = ('data: {size: "', 'data: {address: "${store.status.address}", size: "')
    store = """\
    - id: store
      template:
        apiVersion: example.com/v1
        kind: Store
        metadata: {name: "${schema.spec.name}"}
"""
    before = changed(SHOP, ("  resources:\n", f"  resources:\n{store}"), reads)
    after = changed(before, ("data: {address", 'data: {port: "${string(store.status.port)}", address'))
    (plan,) = plans({"shop.yaml": before, "one.yaml": ONE}, {"shop.yaml": after, "one.yaml": ONE})
    (change,) = plan.objects
    assert [each.path for each in change.fields] == ["data.port"]
    assert plan.after == "ACTIVE"


@pytest.mark.parametrize("text", ["", "kind: Shop", "{{ kind: Shop }}", "- kind: Shop\n  a: ["])
def test_other_files_are_no_instances(text: str) -> None:
    assert plans({"shop.yaml": SHOP, str(Path("x.yaml")): text}, {"shop.yaml": SHOP}) == []
