"""Hover on names, functions, fields and other parts of expressions."""

from __future__ import annotations

import pytest

from tests.fixtures.definitions import rgd
from tests.fixtures.features import check_hover, check_no_hover
from tests.fixtures.language import Fixture, fixture

RESOURCES = """
- id: config
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: "${schema.spec.name}-config"}
- id: thing
  template:
    apiVersion: example.com/v1
    kind: Thing
    metadata: {name: thing}
- id: deployment
  includeWhen:
    - ${schema.spec.name.startsWith("a")}
  template:
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: ${config.metadata.name}
      labels:
        joined: ${['a'].map(x, x).join(',')}
        random: ${random.seededString(3, 'a')}
        app: ${config.metadata.labels.app}
        found: ${string(thing.status.count) + broken. }
- id: pods
  forEach:
    - zone: ${schema.spec.zones}
    - port: ${deployment.spec.template.spec.containers}
  readyWhen:
    - ${each.spec.restartPolicy == "Always"}
  template:
    apiVersion: v1
    kind: Pod
    metadata: {name: "${zone}"}
    spec:
      hostname: ${port.imagePullPolicy}
      nodeName: ${[1, 2].size() == 2 ? "a" : "b"}
"""
SPEC = '{name: string, zones: "[]string"}'


def at(old: str, new: str) -> Fixture:
    return fixture(rgd(RESOURCES, spec=SPEC).replace(old, new, 1))


@pytest.mark.parametrize(("old", "new"), [("${config.", "${con$0fig."), ("id: config", "id: c$0onfig")])
def test_a_resource_shows_its_kind_name_and_place_in_the_graph(old: str, new: str) -> None:
    lines = check_hover(at(old, new), about="config").split("\n")
    assert lines[0] == "**config**: resource"
    assert lines[2] == "- kind: `ConfigMap` (`v1`)"
    assert lines[3].startswith("- schema: Kubernetes 1.")
    assert lines[4:] == [
        "- name: `${schema.spec.name}-config`",
        "- depends on: nothing",
        "- used by: `deployment`",
        "- order: 1 of 4",
    ]


def test_a_resource_of_an_unknown_kind() -> None:
    check_hover(at("${string(thing", "${string(thi$0ng"), "- schema: unknown")


def test_the_instance() -> None:
    check_hover(at("${schema.spec.name}-", "${sch$0ema.spec.name}-"), "instance")


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("map(x, x)", "map(x, $0x)", "**x**: `string`, variable of a macro"),
        ("map(x, x)", "map($0x, x)", "**x**: `string`, variable of a macro"),
        ("${zone}", "${z$0one}", "**zone**: `string`, iterator of `forEach` (line 36); one object is made for each"),
        ("- port", "- p$0ort", "**port**: `Deployment.spec.template.spec.containers[]`, iterator of `forEach`"),
    ],
)
def test_variables_have_their_types(old: str, new: str, text: str) -> None:
    assert check_hover(at(old, new), about=text.split("**")[1]).startswith(text)


@pytest.mark.parametrize(
    ("old", "new", "part", "marked"),
    [
        ("startsWith", "starts$0With", "startsWith(prefix: string) -> bool", "startsWith"),
        (".map(", ".m$0ap(", "list_or_map.map(x, transform)", "map"),
        (
            "seededString",
            "seeded$0String",
            "random.seededString(length: int, seed: string) -> string",
            "seededString",
        ),
    ],
)
def test_a_function_has_its_signature_and_documentation(old: str, new: str, part: str, marked: str) -> None:
    check_hover(at(old, new), part, about=marked)


def test_the_overload_that_fits_comes_first() -> None:
    text = check_hover(at("[1, 2].size()", "[1, 2].s$0ize()"))
    assert text.startswith("```cel\nlist(A).size() -> int\n"), text
    assert text.endswith("Here it gives `int`.")


def test_a_macro_says_what_it_gives() -> None:
    assert check_hover(at(".map(", ".m$0ap(")).endswith("Here it gives `list(string)`.")


@pytest.mark.parametrize(
    ("old", "new", "marked", "parts"),
    [
        (
            "each.spec.restartPolicy",
            "each.spec.restart$0Policy",
            "restartPolicy",
            ["**restartPolicy**: `string`\n\nRestart policy for all containers", "Field of `Pod.spec`"],
        ),
        ("each.spec.", "each.sp$0ec.", "spec", ["**spec**: `Pod.spec`", "Field of `Pod`"]),
        (
            "port.image",
            "port.im$0age",
            "imagePullPolicy",
            ["Image pull policy", "Field of `Deployment.spec.template.spec.containers[]`"],
        ),
        ("config.metadata.labels.app", "config.metadata.labels.$0app", "app", ["**app**: `string`"]),
        (
            "config.metadata.labels.app",
            "config.metadata.$0labels.app",
            "labels",
            ["`map(string, string)`", "Map of string keys"],
        ),
        ("thing.status", "thing.$0status", "status", ["**status**: `dyn`"]),
    ],
)
def test_a_field_has_its_type_and_documentation(old: str, new: str, marked: str, parts: list[str]) -> None:
    check_hover(at(old, new), *parts, about=marked)


@pytest.mark.parametrize(
    ("old", "new", "text", "marked"),
    [
        ('== "Always"', '=$0= "Always"', '`each.spec.restartPolicy == "Always"`: `bool`', None),
        ('"Always"', '"Alw$0ays"', '`"Always"`: `string`', '"Always"'),
        ("[1, 2]", "[1,$0 2]", "`[1, 2]`: `list(int)`", "[1, 2]"),
        ("== 2 ?", "== 2 $0?", '`[1, 2].size() == 2 ? "a" : "b"`: `string`', None),
        ("['a'].map", "[$0'a'].map", "`'a'`: `string`", "'a'"),
    ],
)
def test_any_part_has_its_type(old: str, new: str, text: str, marked: str | None) -> None:
    assert check_hover(at(old, new), about=marked or text.split("`")[1]) == text


def test_good_parts_of_a_broken_expression_have_their_types() -> None:
    check_hover(at("thing.status.count", "thing.status.c$0ount"), "**count**: `dyn`")


ROLE = """
- id: role
  readyWhen: ['${role.status.conditions.exists(c, c.status == "True")}']
  template:
    apiVersion: iam.services.k8s.aws/v1alpha1
    kind: Role
    metadata: {name: role}
- id: roles
  forEach: [{name: '${["a"]}'}]
  readyWhen: ['${each.status.roleID != ""}']
  template:
    apiVersion: iam.services.k8s.aws/v1alpha1
    kind: Role
    metadata: {name: "${name}"}
- id: thing
  template:
    apiVersion: example.com/v1
    kind: Thing
    metadata: {name: thing}
- id: config
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: x}
    data:
      arn: ${role.status.ackResourceMetadata.arn}
      id: ${thing.status.id + thing.metadata.name}
"""


@pytest.mark.parametrize(
    ("place", "reported"),
    [
        ("ackResourceMetadata.ar$0n", "Set by the controller; expect it once the Role is synced."),
        ("ackResource$0Metadata.arn", "Set by the controller; expect it once the Role is synced."),
        ("each.status.role$0ID", "Set by the controller; expect it once each Role is synced."),
        ("role.status.cond$0itions", "Set by the controller."),
        ("thing.status.i$0d", "Set by the controller."),
    ],
)
def test_a_field_of_a_status_says_when_it_is_there(place: str, reported: str) -> None:
    source = rgd(ROLE)
    assert source.count(place.replace("$0", "")) == 1
    assert check_hover(fixture(source.replace(place.replace("$0", ""), place))).endswith(reported)


def test_what_no_controller_sets_says_nothing_of_one() -> None:
    source = rgd(ROLE).replace("thing.metadata.name", "thing.metadata.na$0me")
    assert "controller" not in check_hover(fixture(source))


QUEUES = """
//- crd.yaml
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: queues.example.com}
spec:
  group: example.com
  names: {kind: Queue, plural: queues}
  scope: Namespaced
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
                mode: {type: string, enum: [fifo, any], default: fifo, description: In which order.}
                size: {type: integer, format: int64}
//- rgd.yaml
""" + rgd(
    """
- id: queue
  template:
    apiVersion: example.com/v1
    kind: Queue
    metadata: {name: queue}
- id: user
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: x}
    data: {mode: "${queue.spec.mode}", size: "${string(queue.spec.size)}"}
"""
)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "mode",
            (
                '**mode**: `string`\n\nIn which order.\n\n- default: `"fifo"`\n- one of: `"fifo"`, `"any"`\n\n'
                "Field of `Queue.spec`"
            ),
        ),
        ("size", "**size**: `int`\n\n- format: `int64`\n\nField of `Queue.spec`"),
    ],
)
def test_an_enum_a_default_and_a_format_are_shown(name: str, text: str) -> None:
    assert check_hover(fixture(QUEUES.replace(f"spec.{name}", f"spec.$0{name}"))) == text


def test_the_schema_of_a_custom_kind_is_named() -> None:
    check_hover(fixture(QUEUES.replace("id: queue", "id: que$0ue")), "- schema: crd.yaml")


def test_texts_around_expressions_are_quiet() -> None:
    check_no_hover(at("broken. }", "brok$0en. }"))


EVIL = "![x](https://evil.example/a.png) <img src=https://evil.example> [go](command:evil) www.evil.example"
SHOWN = (
    "!\\[x](`https://evil.example/a.png`) \\<img `src=https://evil.example`> \\[go](command:evil) `www.evil.example`"
)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("kind: Queue\n        meta", "kind: Que$0ue\n        meta"),  # what the kind is
        ("metadata: {name: queue}\n", "metadata: {name: queue}\n        spec: {mo$0de: any}\n"),  # a key
        ("metadata: {name: queue}\n", "metadata: {name: queue}\n        spec: {mode: an$0y}\n"),  # a value
        ("spec.mode", "spec.mo$0de"),  # a field in an expression
    ],
)
def test_a_description_loads_and_links_nothing(old: str, new: str) -> None:
    text = QUEUES.replace("description: In which order.", f"description: '{EVIL}'")
    text = text.replace("          type: object\n", f"          type: object\n          description: '{EVIL}'\n", 1)
    assert text.count(EVIL) == 2
    check_hover(fixture(text.replace(old, new)), SHOWN)


def test_a_description_of_simple_schema_loads_and_links_nothing() -> None:
    spec = """{na$0me: 'string | description="![x](https://evil.example/a.png)"'}"""
    check_hover(fixture(rgd(spec=spec)), "!\\[x](`https://evil.example/a.png`)")


def test_a_rule_and_a_default_cannot_leave_their_code() -> None:
    text = QUEUES.replace("default: fifo", "default: '` ![x](https://evil.example/a.png)'")
    check_hover(
        fixture(text.replace("spec.mode", "spec.mo$0de")), '- default: ``"` ![x](https://evil.example/a.png)"``'
    )
