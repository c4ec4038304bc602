"""Completion inside expressions, whole and half-typed."""

from __future__ import annotations

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types
from lsprotocol.converters import get_converter

from kro_ls.features.completion.completion_list import completion, resolve
from kro_ls.features.convert import to_offset
from kro_ls.features.lsp_types import CompletionItem
from tests.fixtures.definitions import rgd
from tests.fixtures.examples import FEW
from tests.fixtures.features import as_read, check_completion, check_described
from tests.fixtures.language import Fixture, fixture

RESOURCES = """
- id: config
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: config
    data: {first: a, key.with.dots: b}
- id: custom
  template:
    apiVersion: example.com/v1
    kind: Thing
    metadata:
      name: custom
    spec: {size: 1, my-key: 2}
- id: web
  template:
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: $HERE
    spec:
      replicas: $REPLICAS
- id: pods
  forEach:
    - zone: $EACH
  includeWhen:
    - $INCLUDE
  readyWhen:
    - $READY
  template:
    apiVersion: v1
    kind: Pod
    metadata: {name: "${zone}"}
    spec:
      restartPolicy: $POLICY
"""

SPEC = (
    '{name: string, zones: "[]string", sizes: "[]Size", size: Size, level: \'string | enum="low,high"\', '
    'my-field: string, namespace: string, labels: "map[string]string"}\n'
    "    types: {Size: {cpu: integer, name: string}}"
)
DEFAULTS = {
    "$HERE": "x",
    "$REPLICAS": "1",
    "$EACH": "${schema.spec.zones}",
    "$INCLUDE": "${true}",
    "$READY": "${true}",
    "$POLICY": "Always",
}


def at(value: str, place: str = "$HERE", status: str = "") -> Fixture:
    source = rgd(RESOURCES, spec=SPEC, status=status).replace(place, value)
    for each, default in DEFAULTS.items():
        source = source.replace(each, default)
    return fixture(source)


def items(found: Fixture, *, snippets: bool = False) -> list[CompletionItem]:
    return check_completion(found, snippets=snippets)


def labels(value: str, place: str = "$HERE") -> list[str]:
    return [item.label for item in items(at(value, place))]


def item_at(value: str, label: str, place: str = "$HERE", *, snippets: bool = False) -> CompletionItem:
    return next(item for item in items(at(value, place), snippets=snippets) if item.label == label)


def after(value: str, label: str, place: str = "$HERE", *, snippets: bool = False) -> str:
    """Return the cursor's line after an item was taken."""
    found = at(value, place)
    item = next(item for item in items(found, snippets=snippets) if item.label == label)
    assert item.text_edit is not None
    start, end = item.text_edit.range.start, item.text_edit.range.end
    assert start.line == end.line == found.position.line
    line = found.content.split("\n")[start.line]
    return (line[: start.character] + item.text_edit.new_text + line[end.character :]).strip()


@pytest.mark.parametrize(
    "value",
    [
        "${$0}",
        '"${$0}"',
        "a-${$0}-b",
        "${$0",
        '"${$0',
        "${schema.spec.name + $0}",
        "${[1].map(x, $0)}",
        "|\n        ${$0}",
    ],
)
def test_names_are_offered_wherever_an_expression_can_begin(value: str) -> None:
    found = labels(value)
    assert {"pods", "schema", "size", "random", "has"} <= set(found)
    assert "web" not in found, "a resource cannot refer to itself"
    assert "zone" not in found, "iterators belong to their own resource"


@pytest.mark.parametrize(
    ("value", "is_offered"),
    [
        ("${custom.spec.s$0}", True),
        ("${custom.spec.isez$0}", True),
        ("${custom.spec.repl$0}", True),
        ("${custom.spec.replicas$0}", False),
    ],
)
def test_a_word_that_no_item_can_become_has_no_list(value: str, is_offered: bool) -> None:
    assert bool(labels(value)) is is_offered


def test_macro_variables_come_first() -> None:
    assert labels("${schema.spec.zones.map(item_zone, it$0")[0] == "item_zone"


def test_variables_show_their_types() -> None:
    assert item_at("${schema.spec.sizes.map(s, $0", "s").detail == "App.spec.sizes[], macro variable"
    assert item_at("${$0}", "zone", "$POLICY").detail == "string, iterator over ${schema.spec.zones}"


def test_of_variables_with_one_name_the_innermost_around_the_cursor_counts() -> None:
    inner = "${schema.spec.sizes.map(x, schema.spec.zones.filter(x, $0"
    assert item_at(inner, "x").detail == "string, macro variable"
    outer = "${schema.spec.sizes.map(x, schema.spec.zones.filter(x, true) == $0"
    assert item_at(outer, "x").detail == "App.spec.sizes[], macro variable"
    assert labels("${schema.spec.zones.map(a, schema.spec.zones.map(b, $0")[:2] == ["b", "a"]


@pytest.mark.parametrize(
    "value",
    [
        "plain$0",
        '${"text $0"}',
        "${schema.spec.name} $0",
        "${1}$0",
        "${string(1)$0}",
        "${schema.spec.name $0",
        "${[1] sch$0",
        "${true $0",
        "${schema // schema.$0",
        "${'a'$0}",
    ],
)
def test_nothing_is_offered_outside_of_expressions(value: str) -> None:
    assert labels(value) == []


SIZE = ["cpu", "name"]
SPEC_FIELDS = ["name", "level", "my__dash__field", "namespace", "zones", "sizes", "size", "labels"]


@pytest.mark.parametrize(
    ("value", "fields"),
    [
        ("${schema.$0}", ["apiVersion", "kind", "spec", "metadata"]),
        ("${schema.spec.$0}", SPEC_FIELDS),
        ("${schema.spec.na$0", SPEC_FIELDS),
        ('"${schema.spec.$0', SPEC_FIELDS),
        ("a-${schema.spec.$0}-b", SPEC_FIELDS),
        ("${ schema.spec.$0 + 'a' }", SPEC_FIELDS),
        ("${schema.spec.size.$0}", ["name", "cpu"]),
        ("${schema.?spec.?size.?$0}", SIZE),
        ("${schema.spec.sizes[0].$0}", ["name", "cpu"]),
        ("${schema.spec.sizes[?0].$0}", SIZE),
        ("${schema.spec.sizes.first().value().$0}", ["name", "cpu"]),
        ("${schema.spec.sizes.map(s, s.$0", SIZE),
        ("${schema.spec.sizes.map(s, s.$0)}", SIZE),
        ("${schema.spec.sizes.filter(s, s.cpu > 1).map(t, t.$0", SIZE),
        ("${schema.spec.sizes.map(s, schema.spec.sizes.filter(t, t.$0", SIZE),
        ("${schema.spec.sizes.transformList(i, s, s.$0", SIZE),
        ("${cel.bind(s, schema.spec.size, s.$0", ["name", "cpu"]),
        ("${schema.?spec.optMap(s, s.size.$0", SIZE),
        ("${has(schema.spec.size.$0", SIZE),
        ("${[schema.spec.size.$0", SIZE),
        ("${(schema.spec.size).$0", ["name", "cpu"]),
        ("${wrong.name + schema.spec.size.$0", SIZE),
        ("${schema.spec.name.map(1, schema.spec.size.$0", SIZE),
        ("${web.metadata.n$0", None),
    ],
)
def test_the_fields_of_the_receiver_come_first(value: str, fields: list[str] | None) -> None:
    found = items(at(value))
    if fields is None:
        fields = ["name"]
        found = [item for item in found if item.label == "name"]
    assert sorted(item.label for item in found[: len(fields)]) == sorted(fields)
    assert all(item.kind is types.CompletionItemKind.Field for item in found[: len(fields)])


def test_fields_of_kubernetes_kinds_have_their_types() -> None:
    assert item_at("${pods[0].spec.$0}", "containers").detail == "list(Pod.spec.containers)"
    assert item_at("${pods.map(p, p.spec.containers[0].$0", "ports").detail == "list(Pod.spec.containers[].ports)"
    assert item_at("${config.$0}", "data").detail == "map(string, string)"
    assert item_at("${config.metadata.$0", "namespace").detail == "string"


def test_fields_of_each_object_in_ready_when() -> None:
    assert {"phase", "podIP"} <= set(labels("${each.status.$0}", "$READY"))


def test_fields_of_what_an_iterator_runs_over() -> None:
    source = rgd(RESOURCES, spec=SPEC).replace("$EACH", "${schema.spec.sizes}").replace("$POLICY", "${zone.$0}")
    assert {item.label for item in items(fixture(source))[:2]} == {"name", "cpu"}


def test_presence_tests_take_fields_only() -> None:
    assert sorted(labels("${has(schema.spec.size.$0")) == SIZE


@pytest.mark.parametrize(
    ("value", "place", "first"),
    [
        ("${schema.spec.size.$0}", "$REPLICAS", "cpu"),
        ("${schema.spec.size.$0}", "$HERE", "name"),
        ("${1 + schema.spec.size.$0}", "$HERE", "cpu"),
        ("${schema.spec.size.cpu == schema.spec.size.$0}", "$HERE", "cpu"),
        ("${schema.spec.name.startsWith(schema.spec.size.$0)}", "$HERE", "name"),
        ("${schema.spec.name.substring(schema.spec.size.$0)}", "$HERE", "cpu"),
        ("${schema.spec.$0}", "$EACH", "zones"),
        ("${schema.spec.zones.$0}", "$INCLUDE", "exists"),
        ("${schema.spec.name.$0}", "$INCLUDE", "contains"),
        ("${schema.spec.name.$0}", "$REPLICAS", "size"),
        ("${true ? schema.spec.size.$0", "$REPLICAS", "cpu"),
        ("${random.seededString(schema.spec.size.$0", "$HERE", "cpu"),
    ],
)
def test_what_fits_comes_first(value: str, place: str, first: str) -> None:
    assert labels(value, place)[0] == first


def test_variables_that_fit_come_first() -> None:
    found = labels("${cel.bind(a, 1, cel.bind(b, 'b', $0", "$HERE")
    assert found[0] == "b"
    assert labels("${cel.bind(a, 2, cel.bind(b, 'b', $0", "$REPLICAS")[0] == "a"


def test_methods_are_those_of_the_type() -> None:
    text = labels("${schema.spec.name.$0}")
    assert {"startsWith", "size"} <= set(text)
    assert not {"pods", "map", "join", "hasValue"} & set(text)
    texts = labels("${schema.spec.zones.$0}")
    assert {"join", "map", "filter"} <= set(texts)
    assert "startsWith" not in texts
    optional = labels("${schema.?spec.?name.$0}")
    assert {"orValue", "optMap"} <= set(optional)
    assert "map" not in optional


def test_a_number_has_no_methods() -> None:
    assert labels("${schema.spec.size.cpu.$0}") == []


def test_in_a_condition_every_field_leads_on() -> None:
    assert labels("${schema.spec.$0", "$INCLUDE")[:2] == ["name", "zones"]


def test_of_an_unknown_kind_what_objects_have_and_what_is_used_is_offered_and_few_methods() -> None:
    found = labels("${custom.$0}")
    assert set(found[:5]) == {"apiVersion", "kind", "metadata", "spec", "status"}
    assert {"map", "orValue"} <= set(found)
    assert len(found) < 40
    assert {"startsWith", "getDayOfWeek"} <= {*labels("${custom.st$0}"), *labels("${custom.getD$0}")}
    assert labels("${custom.spec.$0}")[0] == "size"
    status = "state: ${custom.status.state}\naddress: ${custom.status.address}"
    used = items(at("${custom.status.$0}", status=status))
    assert {item.label for item in used[:2]} == {"state", "address"}


def test_keys_of_maps_follow_a_dot_and_stand_in_brackets() -> None:
    assert labels("${config.data.$0}")[0] == "first"
    assert labels("${config.data['$0") == ["first", "key.with.dots"]
    assert after("${config.data['$0']}", "key.with.dots") == "name: ${config.data['key.with.dots']}"
    assert after("${config.data['$0", "first") == "name: ${config.data['first'"
    assert after("${config.data[$0]}", "first") == 'name: ${config.data["first"]}'
    assert after('"${config.data[$0]}"', "first") == "name: \"${config.data['first']}\""
    assert after('"${config.data[\\"fi$0"', "first") == 'name: "${config.data[\\"first\\""'
    assert labels("${custom.spec['$0']}") == ["size", "my-key"]


@pytest.mark.parametrize(
    "value",
    [
        "${schema.spec.level == '$0'}",
        "${'low' == schema.spec.level ? schema.spec.level != '$0",
        '${schema.spec.level != "$0',
        "${schema.spec.level in ['low', '$0",
        "${[schema.spec.level].filter(l, l == '$0",
    ],
)
def test_values_of_an_enum_inside_a_string(value: str) -> None:
    expected = [] if "filter" in value else ["low", "high"]
    assert labels(value, "$INCLUDE") == expected


def test_values_of_an_enum_beside_a_comparison() -> None:
    assert labels("${schema.spec.level == $0}", "$INCLUDE")[:2] == ["low", "high"]
    assert after("${schema.spec.level == lo$0}", "low", "$INCLUDE") == '- ${schema.spec.level == "low"}'
    assert after("${schema.spec.level in [$0]}", "low", "$INCLUDE") == '- ${schema.spec.level in ["low"]}'
    assert after("${schema.spec.level == 'l$0'}", "low", "$INCLUDE") == "- ${schema.spec.level == 'low'}"


@pytest.mark.parametrize(
    ("expression", "fields"),
    [
        ("runtime.newCondition({$0", ["type", "status", "reason", "message"]),
        ("runtime.newCondition({ty$0", ["type", "status", "reason", "message"]),
        ("runtime.newCondition({type: 'A', $0", ["status", "reason", "message"]),
        ("runtime.newCondition({type: 'A', status: $0", []),
        ("{$0", []),
    ],
)
def test_the_fields_of_a_new_condition(expression: str, fields: list[str]) -> None:
    status = f"conditions:\n  - |-\n    ${{{expression}"
    found = items(at("x", status=status))
    assert [item.label for item in found if item.kind is types.CompletionItemKind.Field] == fields
    assert [item.label for item in found][: len(fields)] == fields


def test_deprecated_fields_are_marked_and_come_last() -> None:
    found = [item for item in items(at("${pods[0].spec.$0}")) if item.kind is types.CompletionItemKind.Field]
    deprecated = [item.label for item in found if item.tags]
    assert "serviceAccount" in deprecated
    assert [item.label for item in found][-len(deprecated) :] == deprecated


def test_a_namespace_offers_its_functions_only() -> None:
    assert labels("${random.$0}") == ["seededString", "seededInt"]
    assert labels("${cel.$0}") == ["bind"]


def test_a_variable_hides_a_namespace() -> None:
    assert "cpu" in labels("${schema.spec.sizes.map(random, random.$0")


def test_ready_when_of_a_collection_offers_each_and_no_resource() -> None:
    found = labels("${$0}", place="$READY")
    assert "each" in found
    assert not {"config", "pods", "schema", "zone"} & set(found)


def test_the_word_being_typed_is_replaced() -> None:
    assert after("${schema.spec.na$0me}", "name") == "name: ${schema.spec.nameme}"
    assert after("${schema.spec.na$0}", "namespace") == "name: ${schema.spec.namespace}"
    assert after("${sche$0}", "schema") == "name: ${schema}"


def test_snippets_leave_the_cursor_where_typing_goes_on() -> None:
    assert after("${schema.spec.name.$0}", "startsWith", snippets=True) == "name: ${schema.spec.name.startsWith($0)}"
    assert after("${schema.spec.name.$0}", "lowerAscii", snippets=True) == "name: ${schema.spec.name.lowerAscii()$0}"
    assert after("${schema.spec.zones.$0}", "map", snippets=True) == "name: ${schema.spec.zones.map(${1:x}, $0)}"
    assert after("${schema.spec.name.$0}", "startsWith") == "name: ${schema.spec.name.startsWith}"


@pytest.mark.parametrize(
    ("value", "label", "part"),
    [
        ("${schema.spec.name.$0}", "startsWith", "startsWith(prefix: string) -> bool"),
        ("${schema.spec.zones.$0}", "map", "map(x, transform)"),
        ("${pods[0].spec.$0}", "restartPolicy", "Restart policy for all containers"),
        ("${pods.map(p, p.spec.containers.filter(c, c.$0", "imagePullPolicy", "Image pull policy"),
        ("${config.meta$0}", "metadata", "metadata"),
        ("${con$0}", "config", "kind: `ConfigMap`"),
        ("${schema.metadata.$0}", "namespace", "Namespace defines the space"),
    ],
)
def test_documentation_comes_when_asked(value: str, label: str, part: str) -> None:
    check_described(at(value), label, part)


def test_an_item_of_a_closed_document_stays_as_it_is() -> None:
    assert (
        resolve(as_read(item_at("${pods[0].spec.$0}", "restartPolicy"), types.CompletionItem), {}).documentation is None
    )


@pytest.mark.parametrize("shared_range", [False, True])
def test_lists_are_sent_as_the_protocol_has_them(*, shared_range: bool) -> None:
    answer = completion(at("${schema.spec.$0}").cursor, snippets=True, shared_range=shared_range)
    sent = msgspec.json.encode(answer)
    read = get_converter().structure(json.loads(sent), types.CompletionList)
    first = read.items[0]
    assert (read.is_incomplete, first.label, first.sort_text) == (True, answer.items[0].label, "0000")
    assert isinstance(first.text_edit, types.TextEdit) is not shared_range
    assert (read.item_defaults is not None) is shared_range
    assert json.loads(json.dumps(get_converter().unstructure(read))) == json.loads(sent)


@pytest.mark.parametrize(
    ("typed", "word", "whole"),
    [
        ("${schema.spec.$0level}", "", "level"),
        ("${schema.spec.le$0vel == 'a'}", "le", "level"),
        ("${schema.spec.le$0-1}", "le", "le"),
        ("${schema.spec.$0}", "", ""),
    ],
)
def test_the_rest_of_a_word_is_replaced_for_a_client_without_a_choice(typed: str, word: str, whole: str) -> None:
    cursor = at(typed).cursor
    for whole_words, expected in ((False, word), (True, whole)):
        first = completion(cursor, snippets=False, whole_words=whole_words).items[0]
        assert first.text_edit
        place = first.text_edit.range
        start, end = to_offset(cursor.document, place.start), to_offset(cursor.document, place.end)
        assert cursor.document.text.content[start:end] == expected


def test_a_client_may_be_told_once_what_is_replaced() -> None:
    found = at("${schema.spec.level == lo$0}", "$INCLUDE")
    answer = completion(found.cursor, snippets=True, shared_range=True)
    assert answer.item_defaults is not None
    replaced = answer.item_defaults.edit_range
    assert isinstance(replaced, types.Range)
    assert (replaced.end, replaced.end.character - replaced.start.character) == (found.position, 2)
    inserted = {item.label: item.text_edit_text for item in answer.items}
    assert (inserted["low"], inserted["schema"], inserted["has"]) == ('"low"', None, "has($0)")
    assert all(item.text_edit is None and item.insert_text is None for item in answer.items)


EXPRESSION = (
    '${schema.spec.sizes.map(s, {"a": s.cpu == 1 && schema.spec.level in ["low"] ? pods[0].spec.containers'
    '.filter(c, has(c.name)).map(c, c.ports[?0].?name.orValue("x")) : [config.data["first"]]})}'
)


@FEW
@given(st.integers(2, len(EXPRESSION)), st.integers(0, 20), st.booleans())
def test_any_prefix_of_an_expression_is_answered(end: int, left_out: int, cut: bool) -> None:
    text = EXPRESSION[:end] + "$0" + ("" if cut else EXPRESSION[end + left_out :])
    found = at(f"|-\n        {text}")
    assert all(item.text_edit for item in items(found, snippets=True))
