"""CustomResourceDefinitions as diagnostics."""

from __future__ import annotations

from pathlib import Path

import pytest

from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.kinds.broken_crd import check_crds, may_hold_crds
from kro_ls.rules.settings import Settings
from kro_ls.workspace.documents import Document
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd_around
from tests.fixtures.diagnostics import check_diagnostics, check_workspace

CRD = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: buckets.example.com
spec:
  group: example.com
  scope: Everywhere
  names: {kind: Bucket, plural: buckets}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
"""


def test_a_problem_is_a_warning_at_its_place() -> None:
    text = Text(CRD)
    (found,), silenced = check_crds(text, Settings())
    assert (found.code, found.severity, silenced) == ("broken-crd", Severity.WARNING, ())
    assert text.position(found.span.start).line == 6
    assert found.message == "'Everywhere' is not a scope; expected 'Cluster' or 'Namespaced'"
    assert found.kro_message == 'spec.scope: Unsupported value: "Everywhere": supported values: "Cluster", "Namespaced"'


def test_its_severity_can_be_set_and_comments_silence_it() -> None:
    (found,), _ = check_crds(Text(CRD), Settings((("broken-crd", Severity.ERROR),)))
    assert found.severity is Severity.ERROR
    assert check_crds(Text(CRD), Settings((("broken-crd", None),))) == ((), ())
    quiet = CRD.replace("Everywhere", "Everywhere  # kro-ls: ignore[broken-crd]")
    shown, silenced = check_crds(Text(quiet), Settings())
    assert (shown, len(silenced)) == ((), 1)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (CRD, True),
        (CRD.replace("kind: Custom", '"kind": "Custom').replace("Definition\n", 'Definition"\n'), True),
        ('{\n  "kind": "CustomResourceDefinition"\n}', True),
        ("kind: List\nitems:\n  - kind: CustomResourceDefinition\n", True),
        ("kind: ConfigMap\n", False),
        ("kind: ResourceGraphDefinition\nspec:\n  resources:\n    kind: CustomResourceDefinition\n", False),
    ],
)
def test_only_texts_with_definitions_are_read(content: str, expected: bool) -> None:
    assert may_hold_crds(Text(content)) is expected


def test_finding_and_near_miss(tmp_path: Path) -> None:
    head, tail = CRD.split("  scope: Everywhere\n")
    for scope in (
        "  scope: Everywhere\n         ^^^^^^^^^^ broken-crd: 'Everywhere' is not a scope\n",
        "  scope: Namespaced\n  ~~~~~ broken-crd\n",
    ):
        check_workspace(tmp_path, f"//- crd.yaml\n{head}{scope}{tail}")


TEMPLATE = """
resources:
  - id: gadgets
    template:
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata:
        name: gadgets.example.com
      spec:
        group: example.com
        scope: Namespaced
        names: {kind: Gadget, plural: gadgets}
        versions:
          - name: v1
            served: true
            storage: true
            schema:
              openAPIV3Schema:
                type: object
                properties:
                  spec:
                    type: object
                    properties:
"""
SIZE = "                      size: {type: integer}\n"


LIST, MAP, KEYS = "x-kubernetes-list-type", "x-kubernetes-map-type", "x-kubernetes-list-map-keys"


@pytest.mark.parametrize(
    ("size", "marked", "message"),
    [
        ("{type: intger}", "intger", "'intger' is not a type of schemas; did you mean 'integer'?"),
        ("{tpye: integer}", "tpye", "unknown field 'tpye'; did you mean 'type'?"),
        ("{type: string, frmt: a}", "frmt", "unknown field 'frmt'; there is no such field"),
        ("{type: array, items: {type: string, frmt: a}}", "frmt", "unknown field 'frmt'; Kubernetes ignores it"),
        ("{type: string, format: datetme}", "datetme", "'datetme' is not a format; did you mean 'date-time'?"),
        ("{type: string, maxLength: long}", "long", "'maxLength' must be an integer, not a string"),
        ("{type: integer, default: small}", "small", "the default must be an integer, not a string"),
        ("{type: string, enum: [a, b], default: c}", "c", "the default \"c\" is not one of the values in 'enum'"),
        (f"{{type: array, items: {{type: string}}, {LIST}: sett}}", "sett", f"'sett' is not a value of '{LIST}'; did"),
        (f"{{type: string, {LIST}: set}}", LIST, f"'{LIST}' is only allowed on the type array"),
        (f"{{type: string, {MAP}: atomic}}", MAP, f"'{MAP}' is only allowed on the type object"),
        (
            "{type: object, additionalProperties: {type: string}, properties: {a: {type: string}}}",
            "additionalProperties",
            "'additionalProperties' is not allowed beside 'properties'",
        ),
        ("{type: array, uniqueItems: true, items: {type: string}}", "uniqueItems", f"use '{LIST}: set'"),
        (f"{{type: array, items: {{type: object}}, {LIST}: set}}", "items", f"needs '{MAP}: atomic'"),
        (f"{{type: array, items: {{type: string, nullable: true}}, {LIST}: set}}", "nullable", "cannot be nullable"),
        (f"{{type: array, items: {{type: object}}, {LIST}: map}}", LIST, f"the list type 'map' needs '{KEYS}'"),
        (f"{{type: array, items: {{type: string}}, {KEYS}: [a]}}", KEYS, f"'{KEYS}' needs '{LIST}: map'"),
    ],
)
def test_findings_in_a_template(size: str, marked: str, message: str) -> None:
    document = Document("file:///a.yaml", 1, Text(rgd_around(TEMPLATE + SIZE.replace("{type: integer}", size))))
    (found,) = document.diagnosis.diagnostics
    assert (found.code, found.severity) == ("broken-crd", Severity.WARNING)
    assert document.text.content[found.span.start : found.span.end] == marked
    assert message in found.message


@pytest.mark.parametrize(
    ("items", "message"),
    [
        ("{type: string}", "the items of a list with the list type 'map' must be objects"),
        (
            "{type: object, required: [name], properties: {nam: {type: string}}}",
            "the items have no field 'name'; did you",
        ),
        (
            "{type: object, required: [name], properties: {name: {type: array, items: {type: string}}}}",
            "must be a scalar",
        ),
        ("{type: object, properties: {name: {type: string}}}", "must be required in the items or have a default"),
        ("{type: object, required: [name], properties: {name: {type: string, nullable: true}}}", "cannot be nullable"),
    ],
)
def test_the_keys_of_a_list_that_is_a_map(items: str, message: str) -> None:
    flow = f"{{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name], items: {items}}}"
    text = CRD.replace("Everywhere", "Cluster").replace("{type: object}", schema_of(flow))
    (found,), _ = check_crds(Text(text), Settings())
    assert message in found.message


def schema_of(size: str) -> str:
    return f"{{type: object, properties: {{size: {size}}}}}"


@pytest.mark.parametrize(
    "size",
    [
        "{type: array, items: {type: object}}",
        "{type: object, additionalProperties: true, properties: {a: {type: string}}}",
        "{type: string, format: made-up-by-somebody}",
        "{type: string, format: datetime}",
        "{type: integer, format: int32, default: 3, enum: [3, 4]}",
        "{type: number, default: 3}",
        "{x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}], default: a}",
        "{type: array, x-kubernetes-list-type: set, items: {type: array, items: {type: string}}}",
        (
            "{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [a], "
            "items: {type: object, properties: {a: {type: string, default: b}}}}"
        ),
        "{type: object, default: {}, example: {a: 1}, nullable: true}",
    ],
)
def test_sound_schemas(size: str) -> None:
    text = CRD.replace("Everywhere", "Cluster").replace("{type: object}", schema_of(size))
    assert check_crds(Text(text), Settings()) == ((), ())


def test_a_sound_template() -> None:
    check_diagnostics(TEMPLATE + SIZE)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("name: gadgets.example.com", "name: ${schema.metadata.name}"),
        ("group: example.com", "group: ${schema.metadata.name}"),
        ("plural: gadgets", 'plural: "${schema.metadata.name}"'),
        ("scope: Namespaced", "scope: ${schema.metadata.name}"),
        ("storage: true", "storage: ${schema.metadata.name == 'a'}"),
        ("{type: integer}", "${schema.metadata.name}"),
        ("type: integer", 'type: "${schema.metadata.name}"'),
    ],
)
def test_what_an_expression_gives_is_not_judged(old: str, new: str) -> None:
    text = (TEMPLATE + SIZE).replace(old, new)
    codes = {each.code for each in Document("file:///a.yaml", 1, Text(rgd_around(text))).diagnosis.diagnostics}
    assert codes <= {"expression-in-crd"}


def test_what_is_meant_is_offered() -> None:
    (found,) = check_diagnostics(
        TEMPLATE + SIZE.replace("type: integer}", "tpye: integer}\n#                            ^^^^ broken-crd")
    )
    assert [each.title for each in found.fixes] == ["Change to 'type'"]
    (found,) = check_diagnostics(
        TEMPLATE + SIZE.replace("integer}", "intger}\n#                                  ^^^^^^ broken-crd")
    )
    assert [each.title for each in found.fixes] == ["Change to 'integer'"]
    (found,), _ = check_crds(Text(CRD.replace("Everywhere", "namespaced")), Settings())
    assert [each.title for each in found.fixes] == ["Change to 'Namespaced'"]
