"""An expression needs a field that an instance may leave out."""

from __future__ import annotations

import pytest

from tests.fixtures.diagnostics import check_diagnostics, check_fixed

SCHEMA = """\
schema:
  apiVersion: v1alpha1
  kind: Example
  types:
    Port:
      number: integer | required=true
      name: string
  spec:
    name: string | required=true
    title: string
    flag: boolean
    size: integer | default=1
    names: "[]string"
    labels: "map[string]string | default={}"
    ports: "[]Port | default=[]"
    owner:
      user: string
      group: string | default=staff
    place:
      city: string
"""


def template(expression: str, expectation: str = "", conditions: str = "") -> str:
    """Return an RGD with an expression in a template; `owner` in it is always there, `place` is not."""
    below = f"\n#           {expectation}" if expectation else ""
    return f"""\
{SCHEMA}
resources:
  - id: all
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {{name: all}}
      data: {{all: "${{json.marshal(dyn([?schema.?spec]))}}"}}
  - id: config
{conditions}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {{name: config}}
      data:
        v: '${{{expression}}}'{below}
""".replace("\n\n", "\n")


@pytest.mark.parametrize(
    "expression",
    [
        "schema.spec.name",
        "string(schema.spec.size)",
        "schema.spec.?title",
        'schema.spec.?title.orValue("none")',
        'has(schema.spec.title) ? schema.spec.title : "none"',
        '!has(schema.spec.title) ? "none" : schema.spec.title',
        'schema.spec.?title.hasValue() ? schema.spec.title : "none"',
        'string(has(schema.spec.title) && schema.spec.title != "")',
        'string(schema.spec.title != "" && has(schema.spec.title))',
        'string(!has(schema.spec.title) || schema.spec.title == "")',
        'has(schema.spec.title) && has(schema.spec.place) ? schema.spec.title : "none"',
        '!(has(schema.spec.title) && has(schema.spec.place)) ? "none" : schema.spec.title',
        'schema.spec.?title.orValue("") != "" ? schema.spec.title : "none"',
        'schema.spec.?title != optional.none() ? schema.spec.title : "none"',
        'schema.spec.?flag.orValue(false) ? string(schema.spec.flag) : "none"',
        'size(schema.spec.?names.orValue([])) > 0 ? schema.spec.names[0] : "none"',
        'schema.spec.?names.orValue([]).size() == 0 ? "none" : schema.spec.names[0]',
        'has(schema.spec.place) && has(schema.spec.place.city) ? schema.spec.place.city : "none"',
        'schema.spec.?place.city.orValue("none")',
        'schema.spec.?place.optMap(p, has(p.city) ? p.city : "none").orValue("none")',
        "schema.spec.owner.group",
        'schema.spec.labels["team"]',
        "schema.spec.labels.team",
        'schema.spec.ports.filter(p, has(p.name)).map(p, p.name).join(",")',
        'schema.spec.ports.map(p, has(p.name), p.name).join(",")',
        'schema.spec.ports.map(p, string(p.number)).join(",")',
        'string(schema.spec.ports.all(p, !has(p.name) || p.name != ""))',
        'cel.bind(s, schema.spec, has(s.title) ? s.title : "none")',
        'has(schema.spec.title) ? cel.bind(s, schema.spec, s.title) : "none"',
        'true ? "none" : schema.spec.title',
        "schema.metadata.namespace",
    ],
)
def test_guarded(expression: str) -> None:
    check_diagnostics(template(expression))


@pytest.mark.parametrize(
    ("expression", "marked"),
    [
        ("schema.spec.title", "title"),
        ('has(schema.spec.title) ? "none" : schema.spec.title', "title"),
        ('has(schema.spec.title) || has(schema.spec.flag) ? schema.spec.title : "none"', "title"),
        ('!(has(schema.spec.title) || schema.spec.size > 1) ? "none" : schema.spec.title', "title"),
        ('schema.spec.?title.orValue("x") != "" ? schema.spec.title : "none"', "title"),
        ('schema.spec.?title.orValue("") == "" ? schema.spec.title : "none"', "title"),
        ("schema.spec.?title.value()", "title"),
        ("schema.spec.place.city", "place"),
        ("string(has(schema.spec.place.city))", "place"),
        ('schema.spec.place.?city.orValue("none")', "place"),
        ('has(schema.spec.place) ? schema.spec.place.city : "none"', "city"),
        ("schema.spec.owner.user", "user"),
        ('schema.spec.ports.map(p, p.name).join(",")', "name"),
        ('string(schema.spec.ports.exists_one(i, p, p.name == ""))', "name"),
        ("schema.spec.ports[0].name", "name"),
        ("cel.bind(s, schema.spec, s.title)", "title"),
        ("schema.spec.names[0]", "names"),
    ],
)
def test_unguarded(expression: str, marked: str) -> None:
    start = expression.rindex(f".{marked}") + 1 if f".{marked}" in expression else expression.index(f"?{marked}") + 1
    if expression.startswith(("string(has", "schema.spec.place")):
        start = expression.index(".place") + 1
    carets = " " * (3 + start - 1) + "^" * len(marked)
    check_diagnostics(template(expression, f"{carets} pending-optional-field: '{marked}' is optional"))


@pytest.mark.parametrize(
    "condition",
    [
        "has(schema.spec.title)",
        "schema.spec.?title.hasValue()",
        'has(schema.spec.title) && schema.spec.title != "x"',
        'schema.spec.?title.orValue("") != ""',
    ],
)
def test_a_condition_of_the_resource_guards(condition: str) -> None:
    check_diagnostics(template("schema.spec.title", conditions=f"    includeWhen:\n      - '${{{condition}}}'"))


def test_an_earlier_condition_guards_a_later_one() -> None:
    check_diagnostics(
        template(
            "schema.spec.title",
            conditions="    includeWhen:\n      - ${has(schema.spec.title)}\n      - ${schema.spec.title != ''}",
        )
    )


def test_a_resource_is_ignored_with_the_one_it_depends_on() -> None:
    check_diagnostics(f"""\
{SCHEMA.rstrip()}
resources:
  - id: first
    includeWhen:
      - ${{has(schema.spec.title)}}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {{name: first}}
      data: {{all: "${{json.marshal(dyn(schema.?spec))}}"}}
  - id: second
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${{first.metadata.name}}-second
  - id: third
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${{second.metadata.name}}-third
      data:
        title: ${{schema.spec.title}}
""")


def test_iterators_are_followed() -> None:
    check_diagnostics(f"""\
{SCHEMA.rstrip()}
resources:
  - id: configs
    forEach:
      - port: ${{schema.spec.ports}}
      - place: ${{schema.spec.names}}
#                            ^^^^^ pending-optional-field: stays pending
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: config-${{string(port.number)}}-${{place}}
      data:
        name: ${{port.name}}
#                    ^^^^ pending-optional-field: stays pending
        all: ${{json.marshal(dyn(schema.?spec))}}
""")


def test_a_condition_on_schema_alone_fails() -> None:
    fixed = check_fixed(
        template(
            '"none"',
            conditions="""\
    includeWhen:
      - ${schema.spec.flag}
#                     ^^^^ pending-optional-field: the instance fails""",
        ),
        "Read as '.?flag' (left out counts as false)",
    )
    assert "${schema.spec.?flag}" in fixed


def test_fix_of_a_template_field() -> None:
    source = template("schema.spec.title", "              ^^^^^ pending-optional-field: 'title' is optional")
    assert "${schema.spec.?title}" in check_fixed(source, "Read as '.?title' (left out gives null)")


def test_a_name_has_no_fix_that_makes_it_null() -> None:
    (diagnostic,) = check_diagnostics("""
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    name: string
    title: string | required=true
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.spec.name}
#                           ^^^^ pending-optional-field: 'name' is optional
      data:
        title: ${schema.spec.title}
        again: ${schema.spec.name}
""")
    assert diagnostic.fixes == ()
    assert [related.message for related in diagnostic.related] == ["declared as optional here"]


def test_a_field_that_several_resources_read_is_reported_once() -> None:
    source = """
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    name: string | required=true
    title: string
#   ^^^^^ pending-optional-field: 2 resources stay pending without it
resources:
  - id: first
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.spec.name}
      data: {title: "${schema.spec.title}"}
  - id: second
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.spec.name}-2
      data: {title: "${schema.spec.title}"}
"""
    (diagnostic,) = check_diagnostics(source)
    assert len(diagnostic.related) == 2
    assert check_fixed(source, "Read as '.?title' everywhere (left out gives null)").count("schema.spec.?title") == 2


def test_a_field_that_another_resource_asks_for_is_optional() -> None:
    check_diagnostics("""
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    title: string
resources:
  - id: first
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.spec.?title.orValue("first")}
  - id: second
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.spec.title}
#                           ^^^^^ pending-optional-field: 'title' is optional
""")


def test_a_schema_in_error_says_nothing() -> None:
    check_diagnostics("""
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    title: string | requird=true
#                   ^^^^^^^ unknown-marker: requird
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.spec.title}
""")


def test_long_conditions_are_bounded() -> None:
    condition = " && ".join(["has(schema.spec.title)"] * 900)
    check_diagnostics(template(f'{condition} ? schema.spec.title : "none"'))


def test_near_miss() -> None:
    check_diagnostics("""
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    name: string | required=true
    image: string
resources:
  - id: pod
    template:
      apiVersion: v1
      kind: Pod
      metadata:
        name: ${schema.spec.name}
      spec:
        containers:
          - name: main
            image: ${schema.spec.?image.orValue("nginx")}
#                                ~~~~~~ pending-optional-field
""")
