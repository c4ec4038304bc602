"""Objects read with their schema: what each value is, what counts as absent, lists that are sets or maps."""

import pytest

from kro_ls.cel.evaluation.values import MISSING, Duration, EvaluationError, ListValue, MapValue, Timestamp, Value
from kro_ls.kro.conversion import to_json
from kro_ls.openapi.cel_values import wrap
from kro_ls.openapi.json_values import JsonObject, JsonValue
from tests.kro.test_library import evaluate

STRING: JsonObject = {"type": "string"}
SCHEMA: JsonObject = {
    "type": "object",
    "properties": {
        "name": STRING,
        "my-field": {"type": "integer"},
        "namespace": STRING,
        "data": {"type": "object", "additionalProperties": {"type": "string", "format": "byte"}},
        "when": {"type": "string", "format": "date-time"},
        "tags": {"type": "array", "items": STRING, "x-kubernetes-list-type": "set"},
        "ports": {
            "type": "array",
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["port"],
            "items": {"type": "object", "properties": {"port": {"type": "integer"}, "name": STRING}},
        },
        "inner": {
            "type": "object",
            "properties": {"times": {"type": "array", "items": {"type": "string", "format": "date"}}},
        },
        "ratio": {"type": "number"},
    },
}
OBJECT: JsonObject = {
    "name": "web",
    "my-field": 3,
    "namespace": "ns",
    "data": {"k-1": "aGk="},
    "when": "2024-01-02T03:04:05Z",
    "tags": ["a", "b"],
    "ports": [{"port": 80, "name": "http"}, {"port": 443}],
    "inner": {"times": ["2024-01-02"], "gone": None},
    "ratio": 2,
    "unknown": {"x": 1},
}


@pytest.mark.parametrize(
    "expression",
    [
        "o.name == 'web' && o.my__dash__field == 3 && o.namespace == 'ns' && o.__namespace__ == 'ns'",
        "o.data['k-1'] == b'hi' && 'k-1' in o.data && size(o.data) == 1 && o.data.map(k, k) == ['k-1']",
        "o.when.getFullYear() == 2024 && o.when - timestamp('2024-01-02T03:04:00Z') == duration('5s')",
        "o.inner.times[0] == timestamp('2024-01-02T00:00:00Z')",
        "o.ratio == 2.0 && type(o.ratio) == type(1.0)",
        "o.unknown.x == 1 && !has(o.nothing) && !has(o.inner.gone) && !o.inner.?gone.hasValue()",
        "o.tags == ['b', 'a'] && o.tags != ['a', 'c'] && o.tags + ['b', 'c'] == ['a', 'b', 'c']",
        "o.ports == [{'port': 443}, {'port': 80, 'name': 'http'}] && o.ports[1].port == 443",
        "(o.ports + [{'port': 80, 'name': 'web'}, {'port': 1}]).map(p, p.port) == [80, 443, 1]",
        "(o.ports + [{'port': 80, 'name': 'web'}])[0].name == 'web'",
        "o.ports.exists(p, p.name == 'http') && o.tags.join('-') == 'a-b' && o.tags.size() == 2",
        "dyn(o).map(k, k).exists(k, k == 'my__dash__field') && type(o) == type({})",
        "o == o && o.inner == o.inner && o.inner != dyn({'times': [], 'gone': null})",
        'json.marshal(o.ports) == \'[{"name":"http","port":80},{"port":443}]\'',
    ],
)
def test_reads(expression: str) -> None:
    assert evaluate(expression, o=wrap(OBJECT, SCHEMA)) is True


@pytest.mark.parametrize(
    ("value", "schema", "expected"),
    [
        (None, {"type": "string", "nullable": True}, None),
        ("a", {"x-kubernetes-int-or-string": True}, "a"),
        (1, {"format": "int-or-string", "oneOf": [{"type": "integer"}, STRING]}, 1),
        (2.0, {"type": "integer"}, 2),
        (1, {"type": "number"}, 1.0),
        (True, {"type": "boolean"}, True),
        ("1h", {"type": "string", "format": "duration"}, Duration(3600 * 10**9)),
        ("2 days", {"type": "string", "format": "duration"}, Duration(48 * 3600 * 10**9)),
        ("2024-01-02T03:04:05", {"type": "string", "format": "date-time"}, Timestamp(1704164645 * 10**9)),
        ({"a": 1}, {"x-kubernetes-preserve-unknown-fields": True}, {"a": 1}),
        ({"a": 1}, {"type": "object"}, {"a": 1}),
        ("1Gi", {"oneOf": [STRING, {"type": "number"}]}, "1Gi"),
    ],
)
def test_converts(value: JsonValue, schema: JsonObject, expected: Value) -> None:
    found = wrap(value, schema)
    assert found == expected
    assert type(found) is type(expected)


@pytest.mark.parametrize(
    ("value", "schema", "message"),
    [
        (None, STRING, "invalid data, got null for schema with nullable=false"),
        (1, STRING, "invalid data, expected string, got int"),
        (1.5, {"type": "integer"}, "invalid data, expected int, got non-integer float 1.5"),
        (True, {"type": "integer"}, "invalid data, expected int, got bool"),
        ([], {"type": "object"}, "invalid data, expected a map"),
        ({}, {"type": "array", "items": STRING}, "invalid data, expected an array"),
        ([], {"type": "array"}, "invalid array type"),
        ("?", {"type": "string", "format": "byte"}, "Invalid byte formatted string ?: "),
        ("soon", {"type": "string", "format": "date-time"}, "Invalid date-time formatted string soon: "),
        ("soon", {"type": "string", "format": "duration"}, "Invalid duration soon: "),
        ({}, {}, "invalid type, expected object"),
    ],
)
def test_refuses(value: JsonValue, schema: JsonObject, message: str) -> None:
    with pytest.raises(EvaluationError, match=message.replace("?", r"\?")):
        wrap(value, schema)


def test_what_is_wrong_inside_fails_when_it_is_read() -> None:
    wrapped = wrap({"name": 1, "tags": ["a", 2]}, SCHEMA)
    assert evaluate("has(dyn(o).unknown)", o=wrapped) is False
    for expression in ("o.name", "o.tags[1]", "o.tags.map(x, x)"):
        with pytest.raises(EvaluationError, match="expected string, got int"):
            evaluate(expression, o=wrapped)


def test_a_whole_object_is_written_as_it_is() -> None:
    wrapped = wrap(OBJECT, SCHEMA)
    assert to_json(wrapped) == OBJECT
    assert isinstance(wrapped, MapValue)
    assert to_json(wrapped.find("inner")) == OBJECT["inner"]
    with pytest.raises(EvaluationError, match="bytes value cannot be used directly"):
        to_json(evaluate("o.data.map(k, o.data[k])", o=wrapped))


def test_an_embedded_resource_has_metadata() -> None:
    schema: JsonObject = {"type": "object", "x-kubernetes-embedded-resource": True, "properties": {}}
    wrapped = wrap({"metadata": {"name": "a", "labels": {"x": "y"}}}, schema)
    assert evaluate("o.metadata.name == 'a' && o.metadata.labels.x == 'y'", o=wrapped) is True


def test_an_object_has_no_field_of_another_name() -> None:
    wrapped = wrap(OBJECT, SCHEMA)
    assert isinstance(wrapped, MapValue)
    assert wrapped.find("a__nothing__b") is MISSING


@pytest.mark.parametrize("expression", ["json.encode(o)", "json.encode(o.tags)", "json.encode([{'a': o.ports}])"])
def test_json_encode_cannot_take_what_was_read(expression: str) -> None:
    with pytest.raises(EvaluationError, match=r"type conversion error from (map|list) to"):
        evaluate(expression, o=wrap(OBJECT, SCHEMA))
    assert evaluate("json.encode(o.tags[0])", o=wrap(OBJECT, SCHEMA)) == '"a"'


def test_a_value_is_converted_once_however_often_it_is_read() -> None:
    texts: JsonObject = {"type": "object", "additionalProperties": {"type": "string", "format": "byte"}}
    properties: JsonObject = {"data": texts, "list": {"type": "array", "items": texts}}
    schema: JsonObject = {"type": "object", "properties": properties}
    value = wrap({"data": {"k": "YWJj", "wrong": "!"}, "list": [{}]}, schema)
    assert isinstance(value, MapValue)
    data = value.find("data")
    assert data is value.find("data")
    assert isinstance(data, MapValue)
    assert data.find("k") == b"abc"
    assert data.find("k") is data.find("k")
    problems = []
    for _ in range(2):
        with pytest.raises(EvaluationError) as raised:
            data.find("wrong")
        problems.append(raised.value.message)
    assert problems[0] == problems[1] != ""
    elements = value.find("list")
    assert isinstance(elements, ListValue)
    assert elements[0] is next(iter(elements)) is elements[-1]
