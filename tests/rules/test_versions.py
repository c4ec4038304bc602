"""What depends on the version of kro."""

from __future__ import annotations

import pytest

from kro_ls.kro.versions.version import parse_version
from kro_ls.rules.settings import Settings
from tests.fixtures.diagnostics import check_fixed
from tests.rules.version_settings import CONFIG, check, without_marks


def test_a_new_field_is_reported_at_its_key_and_breeds_nothing() -> None:
    source = """\
resources:
  - id: configs
    forEach:
    MARK
      - number: ${lists.range(2)}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}-${string(number)}
"""
    check("0.8.5", source.replace("    MARK\n", ""))
    found = source.replace("    MARK", "#   ^^^^^^^ newer-kro-needed: 'forEach' needs kro 0.8.0")
    range_mark = "#                       ^^^^^ newer-kro-needed: 'lists.range' needs kro 0.8.0\n"
    check("0.7.1", found.replace("range(2)}\n", f"range(2)}}\n{range_mark}"))


def test_new_functions_macros_and_forms_of_functions_are_reported() -> None:
    source = (
        CONFIG
        + """\
        hash: ${string(hash.md5(schema.metadata.name))}
        #                   ^^^ newer-kro-needed: 'hash.md5' needs kro 0.9.1
        index: ${string(["a"].indexOf("a"))}
        #                     ^^^^^^^ newer-kro-needed: 'indexOf of a list' needs kro 0.9.0
        text: ${string("ab".indexOf("a"))}
        all: ${string(["a"].all(i, v, i < 1 && v == "a"))}
        #                   ^^^ newer-kro-needed: 'all with two variables' needs kro 0.9.0
        one: ${string([schema.metadata.name].all(v, v == "a"))}
"""
    )
    check("0.8.5", source)
    check("0.9.1", without_marks(source))


def test_regular_expressions_came_before_kro_looked_into_them() -> None:
    source = CONFIG + """        digits: ${schema.metadata.name.find("[0-9")}\n"""
    check("0.7.0", source + "#                                      ^^^^ newer-kro-needed: 'find' needs kro 0.7.1\n")
    check("0.8.4", source)
    check("0.8.5", source + "#                                           ^^^^^^ invalid-regular-expression\n")


def test_the_name_of_an_external_reference_could_once_be_empty() -> None:
    source = """\
resources:
  - id: config
    externalRef:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ""
        #     ^^ invalid-value
  - id: reader
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${config.metadata.name}
"""
    check("0.9.0", source)
    check("0.8.5", without_marks(source))


def test_values_of_a_map_could_once_be_of_any_type() -> None:
    source = """\
resources:
  - id: work
    template:
      apiVersion: apps/v1
      kind: Deployment
      metadata:
        name: ${size(schema.metadata.name)}
        #       ^^^^^^^^^^^^^^^^^^^^^^^^^^ type-mismatch
        labels: {size: "${size(schema.metadata.name)}"}
        #                 ^^^^^^^^^^^^^^^^^^^^^^^^^^ type-mismatch
      spec:
        selector: {matchLabels: {a: b}}
        template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: a}]}}
"""
    check("0.8.5", source)
    check("0.8.4", source.replace("        #                 ^^^^^^^^^^^^^^^^^^^^^^^^^^ type-mismatch\n", ""))


def test_a_field_with_a_dot_in_its_name_could_once_be_of_any_type() -> None:
    source = """\
//- rgd.yaml
resources:
  - id: box
    template:
      apiVersion: example.org/v1
      kind: Box
      metadata:
        name: x
      spec:
        plain: ${size(schema.metadata.name)}
        #        ^^^^^^^^^^^^^^^^^^^^^^^^^^ type-mismatch
        a.b: ${size(schema.metadata.name)}
        #      ^^^^^^^^^^^^^^^^^^^^^^^^^^ type-mismatch: expected "string"
//- crd.yaml
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boxes.example.org}
spec:
  group: example.org
  names: {kind: Box, listKind: BoxList, plural: boxes, singular: box}
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec: {type: object, properties: {a.b: {type: string}, plain: {type: string}}}
"""
    check("0.8.5", source)
    check("0.8.4", source.replace('        #      ^^^^^^^^^^^^^^^^^^^^^^^^^^ type-mismatch: expected "string"\n', ""))


def test_a_text_around_an_expression_could_once_fill_a_field_of_bytes() -> None:
    source = """\
resources:
  - id: secret
    template:
      apiVersion: v1
      kind: Secret
      metadata: {name: secret, creationTimestamp: "a-${schema.metadata.name}"}
      #                                            ^^^^^^^^^^^^^^^^^^^^^^^^^ type-mismatch: expected
      type: ${size(schema.metadata.name)}${size(schema.metadata.name)}
      #     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ type-mismatch: returns type "int"
      data:
        joined: a-${schema.metadata.name}
        #       ^^^^^^^^^^^^^^^^^^^^^^^^^ type-mismatch: expected "bytes"
        alone: ${schema.metadata.name}
        #        ^^^^^^^^^^^^^^^^^^^^ type-mismatch: expected "bytes"
"""
    check("0.9.0", source)
    lines = source.splitlines(keepends=True)
    of_type = """\
      #       ^^^^^^^^^^^^^^^^^^^^^^^^^^ type-mismatch: returns type "int"
      #                                    ^^^^^^^^^^^^^^^^^^^^^^^^^^ type-mismatch: returns type "int"
"""
    check("0.8.5", "".join([*lines[:6], lines[7], of_type, *lines[9:11], *lines[12:]]))


def test_a_crd_could_once_hold_no_expression() -> None:
    source = """\
resources:
  - id: crd
    template:
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata:
        name: ${schema.metadata.name}
        #     ^^^^^^^^^^^^^^^^^^^^^^^ expression-in-crd: an expression in a CustomResourceDefinition needs kro 0.7.0
        labels: {a: "x-${schema.metadata.name}"}
        #           ^^^^^^^^^^^^^^^^^^^^^^^^^^^ expression-in-crd: with text around it in a CustomResourceDefinition
      spec:
        group: ${schema.metadata.name}.com
        #      ^^^^^^^^^^^^^^^^^^^^^^^^^^^ expression-in-crd: only supported for metadata
        scope: Cluster
        names: {kind: Gadget, plural: gadgets}
        versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
"""
    check("0.6.3", source)
    lines = source.splitlines(keepends=True)
    check("0.7.1", "".join(lines[:7] + lines[8:]))
    check("0.8.0", "".join(lines[:7] + lines[8:9] + lines[10:]))


def test_one_expression_in_a_text_of_the_status_could_once_be_of_any_type() -> None:
    source = """\
schema:
  apiVersion: v1
  kind: App
  status:
    two: ${config.metadata.name}-${size(config.metadata.name)}
    #                              ^^^^^^^^^^^^^^^^^^^^^^^^^^ no-matching-overload
    one: n-${size(config.metadata.name)}
    #        ^^^^^^^^^^^^^^^^^^^^^^^^^^ no-matching-overload
resources:
  - id: config
    template: {apiVersion: v1, kind: ConfigMap, metadata: {name: one}}
"""
    check("0.9.0", source)
    separate = source.replace("no-matching-overload", "type-mismatch")
    check("0.8.0", separate)
    check("0.7.1", separate.replace("    #        ^^^^^^^^^^^^^^^^^^^^^^^^^^ type-mismatch\n", ""))


def test_conditions_were_once_a_status_field_as_any_other() -> None:
    source = """\
schema:
  apiVersion: v1
  kind: App
  spec: {}
  status:
    conditions:
      of-a-key: ${config.data.a}
      text: a-${config.metadata.name}
      schema: ${schema.metadata.name}
      #         ^^^^^^ newer-kro-needed: 'schema' in the status needs kro 0.9.3
      field: ${config.nothing}
      #               ^^^^^^^ undefined-field
      list:
        - ${string(hash.md5(config.metadata.name))}
        #               ^^^ newer-kro-needed: 'hash.md5' needs kro 0.9.1
        - ${nobody.metadata.name}
        #   ^^^^^^ unresolved-reference
        - ${1 + 1}
        # ^^^^^^^^ status-without-reference
resources:
  - id: config
    template: {apiVersion: v1, kind: ConfigMap, metadata: {name: one}}
"""
    check("0.8.5", source)


def test_conditions_of_the_author_are_new() -> None:
    source = """\
schema:
  apiVersion: v1
  kind: App
  spec: {}
  status:
    conditions:
      - '${runtime.newCondition({type: "A", status: config.data.a})}'
      #    ^^^^^^^ newer-kro-needed: a condition of your own needs kro 0.9.3
      - a-${config.metadata.name}
resources:
  - id: config
    template: {apiVersion: v1, kind: ConfigMap, metadata: {name: one}}
"""
    check("0.9.2", source)


def test_a_condition_of_the_author_uses_what_its_version_has() -> None:
    source = """\
schema:
  apiVersion: v1
  kind: App
  spec: {}
  status:
    conditions:
      - '${runtime.newCondition({type: "A", status: json.encode(schema.metadata)})}'
      #                                                  ^^^^^^ newer-kro-needed: 'json.encode' needs kro 0.9.4
"""
    check("0.9.3", source)


def test_include_when_and_status_once_knew_less() -> None:
    source = """\
schema:
  apiVersion: v1
  kind: App
  spec: {name: string}
  status:
    name: ${schema.spec.name}
    #       ^^^^^^ newer-kro-needed: 'schema' in the status needs kro 0.9.3
resources:
  - id: one
    template: {apiVersion: v1, kind: ConfigMap, metadata: {name: one}}
  - id: two
    includeWhen:
      - ${one.metadata.name == "one"}
      #   ^^^ newer-kro-needed: 'one' in includeWhen needs kro 0.9.0
    template: {apiVersion: v1, kind: ConfigMap, metadata: {name: two}}
"""
    check("0.8.5", source)


def test_what_only_newer_versions_refuse_is_fine_in_older_ones() -> None:
    source = """\
schema:
  apiVersion: v1
  kind: App
  spec: {name: string | required}
resources:
  - id: graphengine
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.spec.name}
        annotations: {kro.run/team: web}
        labels: {a: "x-${schema.spec.?name}"}
"""
    check("0.8.5", source)


def test_an_unclosed_expression_becomes_an_error() -> None:
    source = CONFIG + "        command: echo ${HOME\n"
    check("0.9.4", source + "#                     ^^ unterminated-expression: it is plain text\n")
    marked = source + "#                     ^^ unterminated-expression: unterminated expression\n"
    fixed = check_fixed(marked, "Keep it as text", Settings(version=parse_version("0.10")))
    assert """command: 'echo ${"${HOME"}'""" in fixed


@pytest.mark.parametrize("version", ["0.9.4", "0.10"])
def test_a_brace_in_single_quotes(version: str) -> None:
    source = CONFIG + "        text: \"${'}' + schema.metadata.name}\"\n"
    if version == "0.9.4":
        source += "#                ^ cel-syntax\n"
    check(version, source)


@pytest.mark.parametrize("opening", ["'{'", "'}'", "'a\"'", "'}{'", "'${'"])
def test_what_only_single_quotes_make_an_expression_is_checked(opening: str) -> None:
    source = CONFIG + f"        text: |-\n          ${{{opening} + schema.metadata.nam}}\n"
    check("0.10", source + f"#           {' ' * len(opening)}                   ^^^ undefined-field\n")


def test_a_selector_may_be_an_expression() -> None:
    source = """\
schema:
  apiVersion: v1
  kind: App
  spec: {labels: "map[string]string | required=true"}
resources:
  - id: pods
    externalRef:
      apiVersion: v1
      kind: Pod
      metadata:
        selector:
          matchLabels: ${schema.spec.labels}
  - id: count
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: "${string(size(pods))}"}
"""
    check("0.9.4", source)
    mark = "#                      ^^^^^^^^^^^^^^^^^^^^^ wrong-type: needs kro 0.9.4\n"
    check("0.9.3", source.replace("labels}\n", f"labels}}\n{mark}"))


def test_a_reserved_id_is_renamed_with_its_uses() -> None:
    source = """\
schema:
  apiVersion: v1
  kind: App
  status: {name: "${instance.metadata.name}"}
resources:
  - id: instance
    #   ^^^^^^^^ reserved-resource-id
    template: {apiVersion: v1, kind: ConfigMap, metadata: {name: one}}
  - id: two
    template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${instance.metadata.name}-2"}}
"""
    fixed = check_fixed(source, "Change to 'instanceResource'")
    assert fixed.count("${instanceResource.metadata.name}") == 2


@pytest.mark.parametrize("version", ["0.9.4", "0.10"])
def test_single_quotes_are_paired_from_0_10_on_even_where_cel_has_three(version: str) -> None:
    mark = "        #     ^^ unterminated-expression: unterminated expression\n" if version == "0.10" else ""
    check(version, f"{CONFIG}        text: ${{'''it's'''}}\n{mark}")
    check(version, CONFIG + """        text: ${"it's" + '''a'''}\n""")
    mark = "        #                 ^ cel-syntax\n" if version == "0.10" else ""
    check(version, f"{CONFIG}        text: ${{'''it's'''}}${{'''it's'''}}\n{mark}")


def test_a_variable_of_two_macros_was_once_forgotten() -> None:
    source = (
        CONFIG
        + """\
        chain: ${["a"].filter(x, x != "b").map(x, x + "c").join(",")}
        #                                         ^ newer-kro-needed: 'x' in two macros needs kro 0.9.0
        inside: ${["a"].filter(x, ["b"].exists(x, x == "b")).join(",")}
        #                      ^ newer-kro-needed: 'x' in two macros
        apart: ${["a"].filter(x, x != "b").map(y, y + "c").join(",") + ["a"].map(x, x).join("")}
"""
    )
    check("0.8.5", source)
    check("0.9.0", without_marks(source))


def test_a_variable_is_not_known_in_the_range_of_its_own_macro() -> None:
    check(
        "0.9.4",
        CONFIG
        + """\
        all: ${string([y].all(y, y == "a"))}
        #              ^ type-error: undeclared reference to 'y'
""",
    )


def test_lists_of_objects_are_new() -> None:
    source = """\
schema:
  apiVersion: v1
  kind: App
  types: {Part: {a: object}}
  spec:
    one: object
    part: Part
    many: "[]object"
    #        ^^^^^^ newer-kro-needed: type 'object' in a list or a map needs kro 0.8.0
resources:
  - id: config
    template: {apiVersion: v1, kind: ConfigMap, metadata: {name: x}}
"""
    check("0.7.1", source)
    check("0.8.0", without_marks(source))


def test_a_field_in_backticks_needs_0_9_4() -> None:
    source = (
        CONFIG
        + """\
        text: '${{"b/c": "x"}.`b/c`}'
        #                     ^^^^^ newer-kro-needed: a field in backticks needs kro 0.9.4
        other: '${"`"}'
"""
    )
    check("0.9.3", source)
    check("0.9.4", without_marks(source))


def test_an_id_that_is_a_type_of_cel_needs_0_9_where_kro_checks_an_expression() -> None:
    source = """\
resources:
  - id: list
  #     ^^^^ reserved-resource-id: 'list' is a type of CEL, which kro before 0.9.0 does not take as a resource id
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: x
"""
    reads_itself = """\
    readyWhen:
      - ${has(list.metadata.annotations)}
"""
    other = CONFIG.removeprefix("resources:\n").removesuffix("      data:\n")
    condition = """\
  - id: other
    includeWhen: ["${schema.metadata.name == 'a'}"]
    template: {apiVersion: v1, kind: ConfigMap, metadata: {name: y-other}}
"""
    for version in ("0.6.3", "0.8.5"):
        check(version, without_marks(source))
        check(version, source + reads_itself)
        check(version, source + other)
    check("0.8.4", without_marks(source) + condition)
    check("0.8.5", source + condition)
    check("0.9.0", without_marks(source) + other)


def test_each_was_once_an_id_as_any_other() -> None:
    source = """\
resources:
  - id: each
  #     ^^^^ reserved-resource-id
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
"""
    reader = """\
  - id: reader
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${each.metadata.name}-reader
"""
    check("0.7.1", without_marks(source + reader))
    check("0.8.0", source)
