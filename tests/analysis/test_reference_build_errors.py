"""What kro's builder answers to one change of a small RGD: refused or not, on which text, with how many errors.

Each row has the change, the part of kro's text that people search for, our code and the marked text.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

import pytest

from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.settings import Settings
from kro_ls.yaml_positions.text import Text

_CLOSED_WORLD = Settings(severities=(("unknown-kind", Severity.ERROR),))

_HEAD = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: app
spec:
  schema:
    apiVersion: v1alpha1
    kind: App
    spec:
      name: string
      num: integer
      flag: boolean
      list: "[]string"
      m: "map[string]string"
      free: object
"""
_CONFIG = """\
- id: cm
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: ${schema.spec.name}
"""


@dataclass(frozen=True)
class Refused:
    """A change and the one error that it must give."""

    change: str
    said: str
    code: str
    marked: str


def whole(resources: str, schema: str = "") -> str:
    """Return an RGD with these resources, and these lines more in its schema."""
    return _HEAD + textwrap.indent(schema, "    ") + "  resources:\n" + textwrap.indent(resources, "    ")


def config(beside: str = "", inside: str = "") -> str:
    """Return the config map with lines beside its template and inside of it."""
    return _CONFIG + textwrap.indent(inside, "    ") + textwrap.indent(beside, "  ")


def value(text: str) -> str:
    """Return an RGD whose config map has one value, written without quotes."""
    return whole(config(inside=f"data:\n  k: {text}\n"))


def errors(source: str) -> list[tuple[str, str, str]]:
    """Return code, marked text and message of each error, its own and kro's."""
    text = Text(source)
    return [
        (each.code, text.content[each.span.start : each.span.end], f"{each.message}\n{each.kro_message}")
        for each in diagnose_text(text, _CLOSED_WORLD).diagnostics
        if each.severity is Severity.ERROR
    ]


def check(source: str, expected: Refused) -> None:
    """Check that an RGD has exactly the expected error."""
    found = errors(source)
    assert [(code, marked) for code, marked, _ in found] == [(expected.code, expected.marked)], found
    assert expected.said in found[0][2]


def change_of(row: Refused) -> str:
    return row.change.replace("\n", " ")


def test_the_base_is_accepted() -> None:
    assert errors(whole(config())) == []


@pytest.mark.parametrize(
    "row",
    [
        Refused("5", "expected string type for path data.k, got integer", "template-value-type", "5"),
        Refused("${other.x}", "references unknown identifiers: [other]", "unresolved-reference", "other"),
        Refused("${cm.data.j}", "self references are not allowed", "self-reference", "cm"),
        Refused("${each.x}", "node each does not exist", "misplaced-reference", "each"),
        Refused(
            "${runtime.x}",
            "runtime is only available in status.conditions expressions",
            "misplaced-reference",
            "runtime",
        ),
        Refused(
            "${schema.spec.num}", 'type kind mismatch: got "int", expected "string"', "type-mismatch", "schema.spec.num"
        ),
        Refused("${schema.spec.nope}", "undefined field 'nope'", "undefined-field", "nope"),
        Refused("${schema.status.a}", "undefined field 'status'", "undefined-field", "status"),
        Refused(
            "x-${schema.spec.num}",
            "found no matching overload for '_+_' applied to '(string, int)'",
            "no-matching-overload",
            "schema.spec.num",
        ),
        Refused(
            "\"${type(schema.spec.name) == string ? 'a' : 'b'}\"",
            "references unknown identifiers: [string]",
            "unresolved-reference",
            "string",
        ),
        Refused("${}", "Syntax error: mismatched input '<EOF>' expecting", "cel-syntax", "${}"),
        Refused("${schema.spec.name.length()}", "undeclared reference to 'length'", "unknown-method", "length"),
        Refused("${foo(1)}", "uses unknown functions: [{foo}]", "unknown-function", "foo"),
        Refused("${math.greatest(1, 2)}", "references unknown identifiers: [math]", "unresolved-reference", "math"),
        Refused(
            "${omit()}", "omit() requires the CELOmitFunction feature gate to be enabled", "omit-not-allowed", "omit()"
        ),
        Refused("${schema.spec.name.find('[')}", "error parsing regexp", "invalid-regular-expression", "'['"),
        Refused("${schema.spec.name.findAll('(', 1)[0]}", "error parsing regexp", "invalid-regular-expression", "'('"),
        Refused("${schema.spec.free.a.find('[')}", "error parsing regexp", "invalid-regular-expression", "'['"),
        Refused("${null}", 'type kind mismatch: got "null_type"', "type-mismatch", "null"),
        Refused("${optional.of(1)}", "type kind mismatch", "type-mismatch", "optional.of(1)"),
    ],
    ids=change_of,
)
def test_values_that_are_refused(row: Refused) -> None:
    check(value(row.change), row)


@pytest.mark.parametrize(
    "text",
    [
        "null",
        "${dyn(1)}",
        "${optional.of('a')}",
        "${schema.spec.free.anything}",
        "${schema.spec.list.map(cm, cm)[0]}",
        "${string(1/0)}",
        "${schema.spec.name.matches('[') ? 'a':'b'}",
        "${schema.spec.name",
    ],
)
def test_values_that_are_accepted(text: str) -> None:
    assert errors(value(text)) == []


@pytest.mark.parametrize(
    "row",
    [
        Refused("item", "id item is a reserved keyword in KRO", "reserved-resource-id", "item"),
        Refused("in", "id in is a reserved keyword in KRO", "reserved-resource-id", "in"),
        Refused("my-cm", "must be lower camelCase", "invalid-resource-id", "my-cm"),
        Refused("Pod", "must be lower camelCase", "invalid-resource-id", "Pod"),
        Refused("1pod", "must be lower camelCase", "invalid-resource-id", "1pod"),
        Refused("''", "must be lower camelCase", "invalid-resource-id", "''"),
        Refused("no", "must be of type string", "wrong-type", "no"),
    ],
    ids=change_of,
)
def test_ids(row: Refused) -> None:
    check(whole(config().replace("id: cm", f"id: {row.change}")), row)


@pytest.mark.parametrize("name", ["schemas", "omit", "name", "template", "json"])
def test_ids_that_only_look_reserved(name: str) -> None:
    assert errors(whole(config().replace("id: cm", f"id: {name}"))) == []


@pytest.mark.parametrize(
    "row",
    [
        Refused("foo: 1\n", "error getting field schema for path .foo", "unknown-template-field", "foo"),
        Refused("data: [a]\n", "expected object type for path data, got array", "template-value-type", "[a]"),
        Refused("immutable: .nan\n", "does not exist in JSON", "yaml-syntax", ".nan"),
    ],
    ids=change_of,
)
def test_fields_of_a_template(row: Refused) -> None:
    check(whole(config(inside=row.change)), row)


@pytest.mark.parametrize(
    "row",
    [
        Refused("5", "metadata field is not a map", "incomplete-object", "5"),
        Refused("[a]", "metadata field is not a map", "incomplete-object", "[a]"),
        Refused("'${schema.metadata}'", "metadata field is not a map", "incomplete-object", "'${schema.metadata}'"),
        Refused(
            "{labels: {kro.run/x: a}}", 'labels with prefix "kro.run/" are reserved', "reserved-label", "kro.run/x"
        ),
        Refused(
            "{annotations: {internal.kro.run/x: a}}",
            'annotations with prefix "internal.kro.run/" are reserved',
            "reserved-label",
            "internal.kro.run/x",
        ),
    ],
    ids=change_of,
)
def test_metadata_of_a_template(row: Refused) -> None:
    check(whole(config().replace("metadata:\n      name: ${schema.spec.name}", f"metadata: {row.change}")), row)


@pytest.mark.parametrize(
    "row",
    [
        Refused("''", 'cannot resolve group version ""', "invalid-api-version", "''"),
        Refused("/", 'cannot resolve group version "/"', "invalid-api-version", "/"),
        Refused("a/b/c", "unexpected GroupVersion string: a/b/c", "invalid-api-version", "a/b/c"),
        Refused("5", "apiVersion field is not a string", "incomplete-object", "5"),
    ],
    ids=change_of,
)
def test_versions_of_a_template(row: Refused) -> None:
    check(whole(config().replace("apiVersion: v1", f"apiVersion: {row.change}")), row)


def test_a_version_may_begin_with_a_slash() -> None:
    assert errors(whole(config().replace("apiVersion: v1", "apiVersion: /v1"))) == []


def test_no_metadata() -> None:
    resources = _CONFIG[: _CONFIG.index("    metadata")]
    check(whole(resources), Refused("", "metadata field not found", "incomplete-object", "template"))


def test_a_cycle() -> None:
    first = config(inside="data: {k: '${cm2.data.k}'}\n")
    second = config(inside="data: {k: '${cm.data.k}'}\n").replace("id: cm", "id: cm2")
    found = errors(whole(first + second))
    assert {code for code, _, _ in found} == {"dependency-cycle"}
    assert "graph contains a cycle: cm -> cm2 -> cm" in found[0][2]


_BOOL = "must return bool or optional_type(bool), but returns"


@pytest.mark.parametrize(
    "row",
    [
        Refused("readyWhen: ['x ${true}']", "only standalone", "not-standalone-expression", "'x ${true}'"),
        Refused("readyWhen: ['${true} ']", "only standalone", "not-standalone-expression", "'${true} '"),
        Refused(
            "readyWhen: ['${schema.spec.num > 0}']", "unknown identifiers: [schema]", "misplaced-reference", "schema"
        ),
        Refused("readyWhen: ['${each.data.a == \"\"}']", "identifiers: [each]", "misplaced-reference", "each"),
        Refused("readyWhen: ['${cm.metadata.name}']", f'{_BOOL} "string"', "condition-type", "cm.metadata.name"),
        Refused("readyWhen: ['${dyn(true)}']", f'{_BOOL} "dyn"', "condition-type", "dyn(true)"),
        Refused("readyWhen: '${true}'", "must be of type array", "wrong-type", "'${true}'"),
        Refused("readyWhen: ['${true || omit()}']", "omit() can only be used in", "omit-not-allowed", "omit()"),
        Refused("includeWhen: ['${schema.spec.name}']", f'{_BOOL} "string"', "condition-type", "schema.spec.name"),
        Refused("includeWhen: ['${schema.spec.free.a}']", f'{_BOOL} "dyn"', "condition-type", "schema.spec.free.a"),
        Refused("includeWhen: ['${cm.data.a == \"\"}']", "self references are not", "self-reference", "cm"),
        Refused("includeWhen: ['${each.a}']", "node each does not exist", "misplaced-reference", "each"),
        Refused("includeWhen: [true]", "must be of type string", "wrong-type", "true"),
    ],
    ids=change_of,
)
def test_conditions_of_a_resource(row: Refused) -> None:
    check(whole(config(beside=f"{row.change}\n")), row)


@pytest.mark.parametrize(
    "line",
    [
        "readyWhen: []",
        "readyWhen: ['${optional.of(true)}']",
        "includeWhen: ['${schema.spec.flag}', '${schema.spec.free.a == true}']",
    ],
)
def test_accepted_conditions_of_a_resource(line: str) -> None:
    assert errors(whole(config(beside=f"{line}\n"))) == []


_UNUSED = "all forEach dimensions must be used to produce a unique resource identity, missing: [v]"


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("a", Refused("[{v: '${schema.spec.list}'}]", _UNUSED, "unused-iterator", "v")),
        (
            "${v}",
            Refused("[{v: '${schema.spec.m}'}]", 'must return a list, got "map(string, string)"', "for-each-type", ""),
        ),
        ("${v}", Refused("[{v: '${schema.spec.free.a}'}]", 'got "dyn"', "for-each-type", "schema.spec.free.a")),
        ("${v}", Refused("[{v: '${v}'}]", "cannot reference other iterators [v]", "iterator-reference", "v")),
        (
            "${cm}",
            Refused("[{cm: '${schema.spec.list}'}]", "conflicts with resource ID", "conflicting-iterator-name", "cm"),
        ),
        ("${v}", Refused("[{item: '${schema.spec.list}'}]", "is a reserved keyword", "invalid-iterator-name", "item")),
        ("${v}", Refused("[{V: '${schema.spec.list}'}]", "must be lowerCamelCase", "invalid-iterator-name", "V")),
        ("${v}", Refused("[{v: a}]", "only standalone", "not-standalone-expression", "a")),
        ("${v}", Refused("[{v: '${schema.spec.list}', w: '${[1]}'}]", "Too many: 2", "invalid-value", "w")),
        ("${v}", Refused("[{}]", "should have at least 1 properties", "invalid-value", "{}")),
        ("${v}", Refused("no", "must be of type array", "wrong-type", "no")),
        ("${v}", Refused("['${schema.spec.list}']", "must be of type object", "wrong-type", "'${schema.spec.list}'")),
    ],
    ids=lambda each: change_of(each) if isinstance(each, Refused) else str(each),
)
def test_for_each(name: str, row: Refused) -> None:
    source = whole(config(beside=f"forEach: {row.change}\n").replace("${schema.spec.name}", name))
    found = errors(source)
    assert [code for code, _, _ in found] == [row.code], found
    assert row.marked in found[0][1]
    assert row.said in found[0][2]


_ONE_KIND = "{apiVersion: v1, kind: ConfigMap, metadata: "


@pytest.mark.parametrize(
    "row",
    [
        Refused("{name: '${schema.spec.num}'}", 'got "int", expected "string"', "type-mismatch", "schema.spec.num"),
        Refused("{name: a, namespace: '${[1]}'}", 'got "list(int)"', "type-mismatch", "[1]"),
        Refused("{name: '${cm.data.k}'}", "self references are not allowed", "self-reference", "cm"),
        Refused("{name: a, selector: {}}", "exactly one of name or selector", "resource-form", "selector"),
        Refused("{}", "exactly one of name or selector", "resource-form", "metadata"),
        Refused("{name: ''}", "at least 1 chars", "invalid-value", "''"),
        Refused("{selector: {matchLabels: {a: 'x${1}'}}}", "found no matching overload", "no-matching-overload", "1"),
    ],
    ids=change_of,
)
def test_external_references(row: Refused) -> None:
    check(whole(f"- id: cm\n  externalRef: {_ONE_KIND}{row.change}}}\n"), row)


@pytest.mark.parametrize("metadata", ["{selector: {}}", "{name: '${'}"])
def test_accepted_external_references(metadata: str) -> None:
    assert errors(whole(f"- id: cm\n  externalRef: {_ONE_KIND}{metadata}}}\n")) == []


def test_template_and_external_reference() -> None:
    resources = f"- id: cm\n  externalRef: {_ONE_KIND}{{name: a}}}}\n  template: {{}}\n"
    check(whole(resources), Refused("", "exactly one of template or externalRef", "resource-form", "template"))


_PLAIN = "status fields without expressions are not supported:"


@pytest.mark.parametrize(
    "row",
    [
        Refused("a: hello", f"{_PLAIN} [a]", "status-without-expression", "hello"),
        Refused("a: null", f"{_PLAIN} [a]", "status-without-expression", "null"),
        Refused("a: ${cm.data", f"{_PLAIN} [a]", "status-without-expression", "${cm.data"),
        Refused("a: ${x.y}", "references unknown identifiers: [x]", "unresolved-reference", "x"),
        Refused("a: ${1 + 1}", "must refer to a resource or schema: status.a", "status-without-reference", "${1 + 1}"),
        Refused("a: ${omit()}", "omit() can only be used in resource template", "omit-not-allowed", "omit()"),
        Refused("a: x-${schema.spec.num}", "no matching overload", "no-matching-overload", "schema.spec.num"),
        Refused(
            "conditions: {a: b}",
            "status.conditions must be a list, got map[string]interface {}",
            "conditions-form",
            "{a: b}",
        ),
        Refused("conditions: [5]", "status.conditions[0] must be a CEL expression string", "conditions-form", "5"),
        Refused(
            "conditions: ['${schema.spec.name}']",
            'must return runtime.newCondition(...) or a list of them, got "string"',
            "condition-result",
            "schema.spec.name",
        ),
        Refused("conditions: [a]", "only standalone expressions", "not-standalone-expression", "a"),
        Refused(
            'conditions: [\'${runtme.newCondition({type: "A", status: "True"})}\']',
            "references unknown identifiers: [runtme]",
            "unresolved-reference",
            "runtme",
        ),
    ],
    ids=change_of,
)
def test_status(row: Refused) -> None:
    check(whole(config(), f"status:\n  {row.change}\n"), row)


@pytest.mark.parametrize(
    "line", ["a: {}", "a: []", "conditions: []", "state: ${schema.spec.num}", "conditions: ['${dyn(1)}']"]
)
def test_accepted_status(line: str) -> None:
    assert errors(whole(config(), f"status:\n  {line}\n")) == []


_NAMESPACED = "is namespaced and must set metadata.namespace when the instance CRD is cluster-scoped"


@pytest.mark.parametrize(
    "row",
    [
        Refused("{name: a}", _NAMESPACED, "missing-namespace", "metadata"),
        Refused("{name: a, namespace: ' '}", _NAMESPACED, "missing-namespace", "namespace"),
        Refused("{name: a, namespace: null}", _NAMESPACED, "missing-namespace", "namespace"),
        Refused("{name: a, namespace: 5}", "expected string type", "template-value-type", "5"),
        Refused(
            "{name: a, namespace: '${schema.metadata.namespace}'}", "undefined field", "undefined-field", "namespace"
        ),
    ],
    ids=change_of,
)
def test_cluster_scope(row: Refused) -> None:
    resources = config().replace("metadata:\n      name: ${schema.spec.name}", f"metadata: {row.change}")
    check(whole(resources, "scope: Cluster\n"), row)


def test_a_misspelt_kind_of_the_rgd() -> None:
    source = whole(config()).replace("kind: ResourceGraphDefinition", "kindd: ResourceGraphDefinition")
    check(source, Refused("", "did you mean 'kind'?", "unknown-field", "kindd"))


@pytest.mark.parametrize("entry", ['"": "${schema.spec.name}"', "k: ${schema.spec.num}", '"a.b": ${schema.spec.num}'])
def test_keys_that_kro_reads_back(entry: str) -> None:
    assert [code for code, _, _ in errors(whole(config(inside=f"data:\n  {entry}\n")))] == ["type-mismatch"]


@pytest.mark.parametrize("entry", ['"a[0]": "${schema.spec.num}"', "'a.\"b': ${schema.spec.num}"])
def test_keys_that_kro_reads_back_as_something_else_take_any_type(entry: str) -> None:
    assert errors(whole(config(inside=f"data:\n  {entry}\n"))) == []


_UNKNOWN_KIND = "- id: cm\n  template: {apiVersion: example.com/v1, kind: Thing, metadata: {name: a}}\n"


@pytest.mark.parametrize(
    "lines",
    [
        "  readyWhen: ['${cm.status.ready}']\n",
        "  readyWhen: ['${cm.?status.?ready}']\n",
        "  forEach: [{v: '${[\"a\"]}'}]\n  readyWhen: ['${each.status.ready}']\n",
        (
            "- id: other\n  includeWhen: ['${cm.status.ready}']\n  externalRef: "
            "{apiVersion: v1, kind: Secret, metadata: {name: a}}\n"
        ),
        (
            "- id: other\n  forEach: [{v: '${cm.status.names}'}]\n  template: "
            "{apiVersion: v1, kind: Secret, metadata: {name: '${v}'}}\n"
        ),
    ],
)
def test_what_uses_an_unknown_kind_may_be_of_any_type(lines: str) -> None:
    resources = _UNKNOWN_KIND + lines
    if "forEach: [{v: '${[" in lines:
        resources = resources.replace("{name: a}", "{name: '${v}'}")
    text = Text(whole(resources))
    assert [each.code for each in diagnose_text(text).diagnostics if each.severity is Severity.ERROR] == []
    assert [code for code, _, _ in errors(text.content)] == ["unknown-kind"]


@pytest.mark.parametrize(
    ("field", "line"),
    [
        ("strng", "includeWhen: ['${schema.spec.field}']"),
        ("null", "includeWhen: ['${schema.spec.field}']"),
        ("strng", "forEach: [{v: '${schema.spec.field}'}]"),
    ],
)
def test_what_uses_a_field_in_error_may_be_of_any_type(field: str, line: str) -> None:
    resources = config(beside=f"{line}\n")
    if "forEach" in line:
        resources = resources.replace("${schema.spec.name}", "${v}")
    source = whole(resources).replace("name: string\n", f"name: string\n      field: {field}\n")
    assert [marked for _, marked, _ in errors(source)] == [field]


def test_a_known_value_of_any_type_is_still_no_condition() -> None:
    resources = _UNKNOWN_KIND + config(beside="includeWhen: ['${schema.spec.free.a}']\n").replace("id: cm", "id: other")
    assert [code for code, _, _ in errors(whole(resources))] == ["unknown-kind", "condition-type"]


@pytest.mark.parametrize("name", ["each", "runtime", "cm", "other"])
def test_a_wrong_name_in_the_identity_is_one_error(name: str) -> None:
    resources = config(beside="forEach: [{v: '${schema.spec.list}'}]\n").replace("schema.spec.name", f"{name}.a")
    assert [marked for _, marked, _ in errors(whole(resources))] == [name]
