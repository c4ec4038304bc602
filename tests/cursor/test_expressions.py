"""The expression being typed, its types, the expected type at the cursor, and the schemas of its parts."""

from __future__ import annotations

import pytest

from kro_ls.analysis.analysis import analyze
from kro_ls.analysis.model.model import Resource
from kro_ls.cel.syntax import ast
from kro_ls.cel.types.types import BOOL, DYN, INT, STRING, list_type, optional_type, parse_type
from kro_ls.cursor.open.expression import OpenExpression
from kro_ls.cursor.parts import PlacedPart, parts
from kro_ls.cursor.schemas.expressions import schema_of, template_keys
from kro_ls.cursor.typed_expression import (
    Fit,
    TypedExpression,
    expected_in_place,
    expected_types,
    fit,
    type_name,
    typed_expression,
)
from kro_ls.kro.places import Place
from kro_ls.yaml_positions.text import Text
from tests.fixtures.language import fixture

SOURCE = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: app}
spec:
  schema:
    apiVersion: v1alpha1
    kind: App
    spec:
      name: string
      zones: "[]string"
      level: 'string | enum="low,high"'
      nodes: "[]Node"
      byName: "map[string]Node"
    types: {Node: {level: 'string | enum="low,high"'}}
    status:
      x: ${web.metadata.name}
  resources:
    - id: web
      template:
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web, labels: {app: web, "my.label/x": y}}
        spec:
          replicas: 1
          template: {spec: {containers: [{name: a, image: b}]}}
    - id: pods
      forEach:
        - node: ${schema.spec.nodes}
      template:
        apiVersion: v1
        kind: Pod
        metadata: {name: "${node.level}"}
        data: {key: value}
    - id: others
      externalRef:
        apiVersion: v1
        kind: Pod
        metadata: {selector: {matchLabels: {a: b}}}
"""


def part(name: str) -> PlacedPart:
    (rgd,) = analyze(Text(SOURCE)).rgds
    return next(each for each in parts(rgd) if isinstance(each.part, Resource) and each.part.id == name)


def typed(text: str, name: str = "pods", place: Place = Place.TEMPLATE) -> TypedExpression:
    return typed_expression(part(name), place, text)


def at_cursor(lines: str) -> OpenExpression | None:
    """Return the open expression at `$0` in lines that are put after the resource `pods`."""
    return fixture(SOURCE.replace("        data: {key: value}\n", lines)).cursor.open_expression


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("schema.spec.nodes", "list(App.spec.nodes)"),
        ("schema.spec.byName", "map(string, App.spec.byName{})"),
        ("node", "App.spec.nodes[]"),
        ("pods", "list(Pod)"),
        ("others[0].spec", "Pod.spec"),
        ("web.spec.template.spec.containers", "list(Deployment.spec.template.spec.containers)"),
        ("schema.spec.?name", "optional_type(string)"),
        ("quantity('1')", "kubernetes.Quantity"),
        ("unknown", "error"),
    ],
)
def test_types_of_whole_texts(text: str, expected: str) -> None:
    found = typed(text)
    assert type_name(found.result.type, part("pods")).replace("!error!", "error") == expected


def test_iterators_are_known_in_the_template_only() -> None:
    assert str(typed("node").result.type) == "__type_schema.spec.nodes.@idx"
    assert typed("node", place=Place.INCLUDE_WHEN).result.errors
    assert typed("each.spec", place=Place.READY_WHEN).result.errors == ()


def test_parts_that_were_not_checked_have_types_all_the_same() -> None:
    found = typed("web.map(1, schema.spec.name.")
    select = ast.walk(found.root)
    receiver = next(node.operand for node in select if isinstance(node, ast.Select) and not node.field)
    assert found.type_of(receiver) == STRING


@pytest.mark.parametrize(
    ("text", "enum"),
    [
        ("schema.spec.level", True),
        ("node.level", True),
        ("schema.spec.nodes[0].level", True),
        ("schema.spec.nodes[?0].?level", True),
        ("schema.spec.nodes.first().value().level", True),
        ("schema.spec.byName['a'].level", True),
        ("schema.spec.byName.a.level", True),
        ("schema.spec.nodes.filter(n, n.level == 'low')[0].level", True),
        ("schema.spec.?level.orValue('low')", True),
        ("true ? schema.spec.level : 'x'", True),
        ("schema.spec.name", False),
        ("'a' + schema.spec.level", False),
        ("schema.spec.nodes.map(n, n.level)[0]", False),
        ("unknown.level", False),
    ],
)
def test_the_schema_of_a_value(text: str, enum: bool) -> None:
    found = typed(text)
    schema = schema_of(found, found.root)
    assert (schema.enum if schema else ()) == (("low", "high") if enum else ())


@pytest.mark.parametrize(
    "text", ["schema.spec.nodes.map(n, n.level", "cel.bind(l, schema.spec.level, l", "schema.spec.byName.map(k, k"]
)
def test_the_schema_of_a_variable(text: str) -> None:
    found = typed(text)
    schema = schema_of(found, found.nodes_touching(len(text))[-1])
    assert (schema is None) is ("byName" in text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "string"),
        ("x", "string"),
        ("true ? x", "string"),
        ("x ? ", "string"),
        ("1 + x", "int"),
        ("schema.spec.name == x", "string"),
        ("x in schema.spec.zones && y", "bool"),
        ("'a' in x", "list(string)"),
        ("schema.spec.zones[x", "int"),
        ("{'a': 1}[x", "string"),
        ("schema.spec.zones.filter(z, x", "bool"),
        ("schema.spec.zones.map(z, x > 1, y", None),
        ("schema.spec.name.startsWith(x", "string"),
        ("lists.range(x", "int"),
        ("optional.of('a').orValue(x", "string"),
        ("cel.bind(a, 1, x", "string"),
        ("x.y", "string"),
        ("unknown(x", None),
        ("{x", None),
    ],
)
def test_expected_types_at_the_end_of_a_text(text: str, expected: str | None) -> None:
    found = expected_types(typed(text), len(text), STRING)
    assert found == ((parse_type(expected),) if expected else ())


def test_expectations_go_into_lists_and_maps() -> None:
    assert expected_types(typed("[x"), 2, list_type(INT)) == (INT,)
    assert expected_types(typed("schema.spec.zones.map(z, x"), 26, list_type(INT)) == (INT,)
    values = parse_type("map(string, bool)")
    assert expected_types(typed("schema.spec.zones.transformMap(i, z, x"), 38, values) == (BOOL,)
    assert expected_types(typed("{'a': x"), 7, parse_type("map(string, bool)")) == (BOOL,)
    assert expected_types(typed("x"), 1, DYN) == ()


@pytest.mark.parametrize(
    ("place", "path", "standalone", "expected"),
    [
        (Place.TEMPLATE, ("spec", "replicas"), True, "int"),
        (Place.TEMPLATE, ("spec", "replicas"), False, "string"),
        (Place.TEMPLATE, ("no", "such", "field"), True, "dyn"),
        (Place.INCLUDE_WHEN, (0,), True, "bool"),
        (Place.FOR_EACH, (0, "x"), True, "list(dyn)"),
        (Place.STATUS, ("x",), True, "dyn"),
        (Place.EXTERNAL_REFERENCE, ("metadata", "name"), True, "string"),
    ],
)
def test_expected_in_place(place: Place, path: tuple[str | int, ...], standalone: bool, expected: str) -> None:
    assert expected_in_place(part("web"), place, path, standalone=standalone) == parse_type(expected)


def test_fit() -> None:
    assert fit(INT, ()) is Fit.FITS
    assert fit(INT, (INT,)) is Fit.FITS
    assert fit(STRING, (INT,)) is Fit.UNFIT
    assert fit(STRING, (BOOL,)) is Fit.LEADS_ON
    assert fit(DYN, (INT,)) is Fit.LEADS_ON
    assert fit(list_type(INT), (INT,)) is Fit.LEADS_ON
    assert fit(optional_type(INT), (INT,)) is Fit.LEADS_ON
    assert fit(list_type(INT), (parse_type("list(A)"),)) is Fit.FITS


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("web", ("apiVersion", "kind", "metadata", "spec")),
        ("web.metadata.labels", ("app", "my.label/x")),
        ("web.metadata['labels']", ("app", "my.label/x")),
        ("web.spec.template.spec.containers[0]", ("name", "image")),
        ("web.spec.template.spec.containers[7]", ()),
        ("pods[0].data", ("key",)),
        ("pods.data", ()),
        ("others[0].metadata", ()),
        ("schema.spec", ()),
        ("string(1)", ()),
    ],
)
def test_keys_that_templates_write(text: str, keys: tuple[str, ...]) -> None:
    assert template_keys(part("web"), typed(text).root) == keys


@pytest.mark.parametrize(
    ("lines", "text", "standalone"),
    [
        ("        a: ${b.$0\n", "b.", True),
        ('        a: "${b.$0\n', "b.", True),
        ('        a: "x-${b.$0}"\n', "b.", False),
        ("        a: x-${b.$0\n", "b.", False),
        ("        a: ${c ? d : b.$0\n", "c ? d : b.", True),
        ("        a: |\n          ${\n            b.$0\n", "\n  b.", True),
        ("        a: ${x}-${b.$0}\n", "b.", False),
    ],
)
def test_the_open_expression(lines: str, text: str, standalone: bool) -> None:
    found = at_cursor(lines)
    assert found is not None
    assert (found.text, found.standalone, found.place) == (text, standalone, Place.TEMPLATE)


@pytest.mark.parametrize(
    "lines", ["        a: ${b}$0\n", "        a: b$0\n", "        ${b$0}: c\n", "        a: ${b // c$0\n"]
)
def test_where_no_expression_is_open(lines: str) -> None:
    assert at_cursor(lines) is None


def test_an_open_string_is_cut_off() -> None:
    found = at_cursor("        a: ${b == 'c d$0\n")
    assert found is not None
    assert (found.text, found.quote, found.string) == ("b == ", "'", "c d")
