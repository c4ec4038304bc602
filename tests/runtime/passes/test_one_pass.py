"""One pass: the rendered, ignored, pending and failed nodes, with kro's texts (kro `pkg/runtime`)."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.examples import FEW
from tests.fixtures.one_pass import ObservedState, render, run_pass
from tests.fixtures.runtime import config_map, definition, instance, node, only, reason, rendered, states, thing


def test_types_of_standalone_expressions_are_kept() -> None:
    rgd = definition(thing("a", "'${schema.spec.name}'", spec="{size: '${1 + 2}', parent: 'x-${string(1)}'}"))
    assert only(rgd, name="n") == {
        "apiVersion": "example.com/v1",
        "kind": "Thing",
        "metadata": {"name": "n", "namespace": "ns"},
        "spec": {"size": 3, "parent": "x-1"},
    }


def test_values_of_the_instance_are_not_expressions() -> None:
    assert only(definition(config_map("a", "x", data="{v: '${schema.spec.name}'}")), name="${x.y}")["data"] == {
        "v": "${x.y}"
    }


def test_an_absent_optional_is_null() -> None:
    rgd = definition(config_map("a", "x", data="{v: '${schema.spec.?name}'}"))
    assert only(rgd)["data"] == {"v": None}


def test_omit_removes_fields_and_elements_and_keeps_emptied_containers() -> None:
    pod = """\
    - id: a
      template:
        apiVersion: v1
        kind: Pod
        metadata: {name: x, labels: {gone: '${omit()}'}}
        spec: {containers: [], tolerations: ["${omit()}"], hostname: '${schema.spec.flag ? "h" : omit()}'}
"""
    assert only(definition(pod), flag=False) == {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "x", "namespace": "ns", "labels": {}},
        "spec": {"containers": [], "tolerations": []},
    }


def test_missing_instance_fields_are_pending_and_name_the_place() -> None:
    found = rendered(definition(config_map("a", "'${schema.spec.name}-x'")))
    assert reason(found, "a") == (
        'node "a": failed to evaluate expression: eval "${schema.spec.name}-x": no such key: name (data pending)'
    )
    cause = found.nodes[0].reason.cause if found.nodes[0].reason else None
    assert cause is not None
    assert (cause.node, cause.failing) == ("a", "schema.spec.name")


def test_fatal_errors() -> None:
    found = rendered(definition(config_map("a", "x", data="{v: '${string(1 / size(schema.spec.list))}'}")), list=[])
    assert states(found) == {"a": "error"}
    assert reason(found, "a") == 'node "a": eval "string(1 / size(schema.spec.list))": division by zero'


def test_dependants_wait_for_what_is_not_observed() -> None:
    rgd = definition(thing("vpc", "v") + thing("subnet", "s", spec="{parent: '${vpc.status.id}'}"))

    class Empty(ObservedState):
        def find(self, node: object, desired: object) -> None:
            return None

    found = run_pass(rgd, instance(), Empty({}))
    assert states(found) == {"vpc": "rendered", "subnet": "pending"}
    assert reason(found, "subnet") == (
        'node "subnet": dependent node "vpc" not ready: node "vpc": no observed state: waiting for readiness '
        "(data pending)"
    )
    assert node(found, "subnet").reason.waits_for == "vpc"  # type: ignore[union-attr] # it is pending
    later = rendered(rgd)
    assert reason(later, "subnet").endswith("no such key: status (data pending)")
    assert states(rendered(rgd, {"vpc": [{"status": {"id": "1"}}]})) == {
        "vpc": "rendered",
        "subnet": "rendered",
    }


def test_ignoring_spreads_to_dependants() -> None:
    rgd = definition(
        config_map("a", "a", "      includeWhen: ['${schema.spec.flag}']\n")
        + config_map("b", "'${a.metadata.name}-b'")
        + config_map("c", "c"),
        schema="    spec: {flag: boolean}\n    status: {f: '${a.metadata.name}-${b.metadata.name}'}\n",
    )
    found = rendered(rgd, flag=False)
    assert states(found) == {"a": "ignored", "b": "ignored", "c": "rendered"}
    assert (node(found, "a").ignored_by, node(found, "b").ignored_by) == (None, "a")
    assert found.status == {}
    assert found.status_error is None
    assert states(rendered(rgd, flag=True)) == {"a": "rendered", "b": "rendered", "c": "rendered"}


def test_include_when_on_missing_data() -> None:
    own = definition(config_map("a", "a", "      includeWhen: ['${schema.spec.flag}']\n"))
    found = rendered(own)
    assert states(found) == {"a": "error"}
    assert reason(found, "a") == 'includeWhen "schema.spec.flag": eval "schema.spec.flag": no such key: flag'
    other = definition(thing("t", "t") + config_map("a", "a", "      includeWhen: ['${t.status.ready}']\n"))
    found = rendered(other)
    assert states(found) == {"t": "rendered", "a": "pending"}
    assert (
        reason(found, "a") == 'includeWhen "t.status.ready": eval "t.status.ready": no such key: status (data pending)'
    )


def test_include_when_waits_for_readiness() -> None:
    ready = "      readyWhen: ['${t.status.ready}']\n"
    rgd = definition(thing("t", "t", ready) + config_map("a", "a", "      includeWhen: ['${t.status.id == \"1\"}']\n"))
    found = rendered(rgd, {"t": [{"status": {"id": "1", "ready": False}}]})
    assert reason(found, "a") == (
        'includeWhen dependency "t" not ready: readyWhen condition evaluated to false: "t.status.ready" '
        "(waiting for readiness) (data pending)"
    )


def test_ready_when_outcomes() -> None:
    rgd = definition(thing("t", "t", "      readyWhen: ['${t.status.ready}', '${t.status.id.size() / 0 == 1}']\n"))
    texts = []
    statuses: list[dict[str, Any]] = [{}, {"ready": False}, {"ready": True, "id": "1"}]
    for status in statuses:
        result = node(rendered(rgd, {"t": [{"status": status}]}), "t")
        assert result.unready is not None
        texts.append((result.unready.text, result.unready_is_error))
    division = '"t.status.id.size() / 0 == 1"'
    assert texts == [
        ('node "t": failed to evaluate readyWhen expression: "t.status.ready" (waiting for readiness)', False),
        ('readyWhen condition evaluated to false: "t.status.ready" (waiting for readiness)', False),
        (f'node "t": failed to evaluate readyWhen expression: {division} (eval {division}: division by zero)', True),
    ]


def test_a_text_shared_with_ready_when_does_not_wait() -> None:
    """As in kro: the first use of a text decides about its names, and `readyWhen` records none."""
    text = "${th.status.ready == true}"
    rgd = definition(
        thing("th", "t", f"      readyWhen: ['{text}']\n") + config_map("cm", "c", f"      includeWhen: ['{text}']\n")
    )

    class Empty(ObservedState):
        def find(self, node: object, desired: object) -> None:
            return None

    found = run_pass(rgd, instance(), Empty({}))
    quoted = '"th.status.ready == true"'
    assert states(found)["cm"] == "error"
    assert reason(found, "cm") == f"includeWhen {quoted}: eval {quoted}: no such attribute(s): th"


COLLECTION = "      forEach: [{r: '${schema.spec.list}'}, {t: '${lists.range(2)}'}]\n"


def test_collections_are_cartesian_products_in_order() -> None:
    rgd = definition(
        config_map("c", "'${r}-${string(t)}'", COLLECTION)
        + config_map("sum", "sum", data="{count: '${string(size(c))}'}")
    )
    found = rendered(rgd, list=["e", "w"])
    assert [each["metadata"] for each in node(found, "c").desired] == [
        {"name": name, "namespace": "ns", "labels": {"kro.run/collection-index": str(index)}}
        for index, name in enumerate(["e-0", "e-1", "w-0", "w-1"])
    ]
    assert node(found, "sum").desired[0]["data"] == {"count": "4"}
    empty = rendered(rgd, list=[])
    assert node(empty, "c").desired == ()
    assert node(empty, "c").is_ready
    assert node(empty, "sum").desired[0]["data"] == {"count": "0"}


def test_collections_are_bounded() -> None:
    squared = "      forEach: [{r: '${lists.range(34)}'}, {t: '${lists.range(34)}'}]\n"
    found = rendered(definition(config_map("c", "'${string(r)}-${string(t)}'", squared)))
    assert reason(found, "c") == "collection size of 1156 is over the maximum collection size of 1000"


def test_the_items_of_a_collection_share_a_budget() -> None:
    costly = "size(lists.range(100000).map(x, x))"
    more = "      forEach: [{i: '${lists.range(1000)}'}]\n"
    found = rendered(definition(config_map("c", "'${string(i)}'", more, f"{{v: '${{string(i + {costly})}}'}}")))
    assert states(found) == {"c": "error"}
    assert "evaluation stopped" in reason(found, "c")


def test_items_need_names_of_their_own() -> None:
    rgd = definition(config_map("c", "'${r}'", "      forEach: [{r: '${schema.spec.list}'}]\n"))
    found = rendered(rgd, list=["a", "a"])
    assert states(found) == {"c": "error"}
    assert reason(found, "c") == 'node "c" identity collision: duplicate identity: /v1/ConfigMap//a'


def test_readiness_of_items() -> None:
    more = "      forEach: [{r: '${schema.spec.list}'}]\n      readyWhen: ['${each.status.ready}']\n"
    rgd = definition(thing("c", "'${r}'", more))
    given = {"c": [{"status": {"ready": True}}, {"status": {"ready": False}}]}
    result = node(rendered(rgd, given, list=["a", "b"]), "c")
    assert result.unready is not None
    assert result.unready.text == 'readyWhen condition evaluated to false: "each.status.ready" (waiting for readiness)'
    result = node(rendered(rgd, {"c": given["c"][:1]}, list=["a", "b"]), "c")
    assert result.unready is not None
    assert "(item 1) (waiting for readiness)" in result.unready.text


def test_values_of_the_cluster_follow_their_schema_but_not_in_ready_when() -> None:
    secret = "    - id: e\n      externalRef: {apiVersion: v1, kind: Secret, metadata: {name: s}}\n"
    schema = "    spec: {}\n    status: {all: '${e.data}', at: '${t.status.at}', whole: '${t.status}'}\n"
    rgd = definition(secret + thing("t", "t") + config_map("a", "a", data="{v: '${string(e.data.u)}'}"), schema=schema)
    at = "2024-05-06T07:08:09.123+02:00"
    found = rendered(rgd, {"e": [{"data": {"u": "YWJj"}}], "t": [{"status": {"at": at}}]})
    assert node(found, "a").desired[0]["data"] == {"v": "abc"}
    assert found.status == {"all": {"u": "YWJj"}, "at": "2024-05-06T05:08:09Z", "whole": {"at": at}}


def test_values_of_the_instance_follow_its_schema_whichever_resource_reads_them() -> None:
    first, second = (f"'${{json.encode(schema.spec.{name})}}'" for name in ("name", "list"))
    rgd = definition(config_map("a", "a", data=f"{{v: {first}}}") + config_map("b", "b", data=f"{{v: {second}}}"))
    found = rendered(rgd, name="n", list=["x"])
    assert node(found, "a").desired[0]["data"] == {"v": '"n"'}
    assert reason(found, "b").endswith("type conversion error from list to '*structpb.Value'")


def test_status_lists_keep_their_indices() -> None:
    schema = "    spec: {}\n    status: {l: ['${a.data.x}', '${a.data.y}']}\n"
    rgd = definition(config_map("a", "a"), schema=schema)
    assert rendered(rgd, {"a": [{"data": {"y": "1"}}]}).status == {"l": [None, "1"]}
    assert rendered(rgd, {"a": [{"data": {"x": "1"}}]}).status == {"l": ["1"]}
    assert [each.path for each in rendered(rgd, {"a": [{"data": {"x": "1"}}]}).missing_fields] == [("l", 1)]


def test_a_status_says_whether_its_node_is_left_out_or_not_there_yet() -> None:
    schema = "    spec: {flag: boolean}\n    status: {at: '${a.data.x}', of: '${b.data.x}'}\n"
    flagged = "      includeWhen: ['${schema.spec.flag}']\n"
    rgd = definition(config_map("a", "a", flagged) + config_map("b", "b", flagged), schema=schema)
    assert [each.plain for each in rendered(rgd, flag=False).missing_fields] == ["a is left out", "b is left out"]
    found = rendered(rgd, flag=True)
    assert [each.plain for each in found.missing_fields] == ["a.data.x is not there yet", "b.data.x is not there yet"]


def test_a_fatal_status_expression_writes_nothing() -> None:
    schema = "    spec: {}\n    status: {a: '${a.metadata.name}', b: '${1 / size(a.data)}'}\n"
    found = rendered(definition(config_map("a", "a"), schema=schema))
    assert found.status == {}
    assert found.status_error is not None
    assert found.status_error.text == 'eval "1 / size(a.data)": division by zero'


def test_cluster_scoped_instances_need_namespaces() -> None:
    namespace = "a, namespace: '${schema.spec.namespace}'"
    rgd = definition(config_map("a", namespace), schema="    scope: Cluster\n    spec: {namespace: string}\n")
    cluster_scoped = {**instance(namespace=""), "metadata": {"name": "x"}}
    found = render(rgd, cluster_scoped, {})
    wanted = 'node "a" is namespaced and must resolve metadata.namespace when the instance is cluster-scoped'
    assert reason(found, "a") == wanted


CONDITIONS = """\
    spec: {list: '[]string'}
    status:
      conditions:
        - "${runtime.newCondition({type: 'Static', status: 'True', reason: 'R', message: 'm'})}"
        - "${runtime.newCondition({type: 'X', status: a.data.x == '1' ? 'True' : 'False'})}"
        - "${schema.spec.list.map(n, runtime.newCondition({type: n, status: 'Unknown'}))}"
        - "${runtime.newCondition({type: 'Kro', status: 'True', reason: runtime.condition(schema, 'Ready').status})}"
"""


def test_conditions() -> None:
    rgd = definition(config_map("a", "a"), schema=CONDITIONS)
    found = rendered(rgd, {"a": [{"data": {"x": "2"}}]}, list=["P", "Q", "Q"]).conditions
    assert [(each.type, each.status) for each in found.conditions] == [
        ("Static", "True"),
        ("X", "False"),
        ("P", "Unknown"),
        ("Kro", "True"),
    ]
    assert found.failures == ("duplicate condition type(s) [Q] dropped",)
    pending = rendered(rgd, list=[]).conditions
    assert [each.type for each in pending.conditions] == ["Static", "Kro"]
    assert [each.plain for each in pending.pending] == ["a.data.x is not there yet"]
    assert not pending.failures


def test_long_chains_do_not_exhaust_the_stack() -> None:
    links = "".join(config_map(f"n{index}", f"'${{n{index - 1}.metadata.name}}x'") for index in range(1, 400))
    rgd = definition(config_map("n0", "a") + links)
    found = rendered(rgd)
    assert {each.state.value for each in found.nodes} == {"rendered"}


def test_omit_inside_values() -> None:
    labels = (
        "      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: x}, data: \"${{'a': omit(), 'b': '1'}}\"}\n"
    )
    assert only(definition(f"    - id: a\n{labels}", schema="    spec: {}\n"))["data"] == {"b": "1"}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "status", "data", "x"]), inner),
    max_leaves=8,
)


OBJECTS = st.lists(st.dictionaries(st.sampled_from(["status", "data", "metadata"]), JSON), max_size=2)
SCHEMA = """\
    spec: {name: string, list: '[]string', flag: boolean}
    status: {id: '${t.status.id}', all: '${c}'}
"""
CONDITIONAL = "      readyWhen: ['${t.status.ready}']\n      includeWhen: ['${schema.spec.flag}']\n"


@FEW
@given(st.dictionaries(st.sampled_from(["name", "list", "flag"]), JSON), OBJECTS)
def test_any_data_gives_a_state(spec: dict[str, Any], observed: list[dict[str, Any]]) -> None:
    each = config_map("c", "'${zone}'", "      forEach: [{zone: '${schema.spec.list}'}]\n", "{v: '${t.status.id}'}")
    rgd = definition(thing("t", "'${schema.spec.name}'", CONDITIONAL) + each, schema=SCHEMA)
    found = rendered(rgd, {"t": observed, "c": observed}, **spec)
    assert [each.id for each in found.nodes] == ["t", "c"]
