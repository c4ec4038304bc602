"""What the names in expressions may mean, and where."""

import pytest

from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.settings import Settings
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd, rgd_around
from tests.fixtures.diagnostics import check_diagnostics, check_fixed

SHARED = """\
  - id: shared
    readyWhen: ["${has(shared.data)}"]
    externalRef:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: shared}
"""


def in_template(expression: str, expectation: str = "") -> str:
    """Return resources with an expression in a template, and what is expected of it, carets from its own column 0."""
    below = "#               " + expectation if expectation else ""
    return f"""
resources:
{SHARED}
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {{name: config}}
      data:
        value: '${{{expression}}}'
{below}
"""


@pytest.mark.parametrize(
    ("expression", "expectation"),
    [
        (
            "share.metadata.name",
            "  ^^^^^ unresolved-reference: unknown name 'share'; did you mean 'shared'?",
        ),
        (
            "type(shared) == string ? 'a' : 'b'",
            "                  ^^^^^^ unresolved-reference: by name; compare 'type(a) == type(b)'",
        ),
        ("string(math)", "         ^^^^ unresolved-reference: kro does not enable the CEL library math (cel-go)"),
        ("wholly.different", "  ^^^^^^ unresolved-reference: no resource, iterator or variable is called that"),
        (
            ".shared.metadata.name",
            "  ^^^^^^^ unresolved-reference: unknown name '.shared'; no name in kro begins with a dot",
        ),
        ("string(.size(shared.data))", "         ^^^^^ unknown-function: uses unknown functions: [{.size}]"),
        ("config.metadata.name", "  ^^^^^^ self-reference: self references are not allowed"),
        ("each.metadata.name", "  ^^^^ misplaced-reference: node each does not exist"),
        (
            "string(dyn(runtime))",
            "             ^^^^^^^ misplaced-reference: runtime is only available in status.conditions",
        ),
        ("frobnicate(shared)", "  ^^^^^^^^^^ unknown-function: unknown function 'frobnicate'; no CEL library"),
        ("string(len(shared.data))", "         ^^^ unknown-function: did you mean 'size'?"),
        ("string(all(shared.data, x, x != 'a'))", "         ^^^ unknown-function: it is called on a value"),
    ],
)
def test_in_a_template(expression: str, expectation: str) -> None:
    source = in_template(expression.replace("'", '"'), expectation)
    check_diagnostics(source.replace("\n\n", "\n"))


def test_misspelt_macro() -> None:
    source = in_template(
        'shared.data.mapp(key, key + key).join(",")',
        "              ^^^^ unresolved-reference: unknown macro 'mapp'; did you mean 'map'?",
    )
    assert "shared.data.map(key, key + key)" in check_fixed(source.replace("\n\n", "\n"), "Change to 'map'")


def test_macro_with_a_missing_argument() -> None:
    source = in_template(
        'shared.data.map(key).join(",")',
        "              ^^^ unresolved-reference: 'map' does not take 1 argument; expected",
    )
    check_diagnostics(source.replace("\n\n", "\n"))


def test_fix_of_a_name() -> None:
    source = in_template("share.metadata.name", "  ^^^^^ unresolved-reference: did you mean 'shared'?")
    assert "${shared.metadata.name}" in check_fixed(source.replace("\n\n", "\n"), "Change to 'shared'")


def test_fix_of_a_function() -> None:
    source = in_template("string(len(shared.data))", "         ^^^ unknown-function: did you mean 'size'?")
    assert "size(shared.data)" in check_fixed(source.replace("\n\n", "\n"), "Change to 'size'")


def test_a_string_with_text_around_its_expressions() -> None:
    check_diagnostics("""
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: "a\\tb-${shema.metadata.name}-${schema.kind}-${other.kind}"
#                     ^^^^^ unresolved-reference: did you mean 'schema'?
#                                                           ^^^^^ unresolved-reference: [other]
""")


def test_ready_when_of_an_object() -> None:
    check_diagnostics(f"""
resources:
{SHARED}
  - id: config
    readyWhen:
      - ${{shared.metadata.name == config.metadata.name}}
#         ^^^^^^ misplaced-reference: 'shared' is not available in readyWhen; only the resource itself is
      - ${{schema.metadata.name != ""}}
#         ^^^^^^ misplaced-reference: references unknown identifiers: [schema]
      - ${{runtime != null}}
#         ^^^^^^^ misplaced-reference: references unknown identifiers: [runtime]
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {{name: config}}
""")


def test_each_in_ready_when_of_an_object() -> None:
    check_fixed(
        """
resources:
  - id: config
    readyWhen:
      - ${each.metadata.name != ""}
#         ^^^^ misplaced-reference: references unknown identifiers: [each]
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: config}
""",
        "Change to 'config'",
    )


def test_ready_when_of_a_collection() -> None:
    check_fixed(
        """
resources:
  - id: configs
    forEach:
      - suffix: ${["a", "b"]}
    readyWhen:
      - ${configs.metadata.name != ""}
#         ^^^^^^^ misplaced-reference: references unknown identifiers: [configs]
      - ${each.metadata.name != ""}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: "config-${suffix}"}
""",
        "Change to 'each'",
    )


def test_ready_when_of_an_external_collection() -> None:
    check_diagnostics("""
resources:
  - id: configs
    readyWhen:
      - ${size(configs) > 0}
#              ^^^^^^^ impossible-ready-when: so the collection is never ready
      - ${each.metadata.name != ""}
#         ^^^^ misplaced-reference: references unknown identifiers: [each]
    externalRef:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        selector: {}
""")


def test_iterators_outside_of_the_template() -> None:
    check_diagnostics("""
resources:
  - id: configs
    forEach:
      - first: ${["a", "b"]}
      - second: ${[first]}
#                  ^^^^^ iterator-reference: forEach iterator "second" cannot reference other iterators [first]
      - third: ${[third]}
#                 ^^^^^ iterator-reference: forEach iterator "third" cannot reference other iterators [third]
    includeWhen:
      - ${first == "a"}
#         ^^^^^ misplaced-reference: references unknown identifiers: [first]
    readyWhen:
      - ${each.metadata.name == second}
#                               ^^^^^^ misplaced-reference: references unknown identifiers: [second]
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: "${first + second + third}"}
""")


def test_own_id_in_for_each_and_include_when() -> None:
    check_diagnostics("""
resources:
  - id: configs
    forEach:
      - name: ${configs.map(each, each.metadata.name)}
#               ^^^^^^^ self-reference: self references are not allowed
    includeWhen:
      - ${size(configs) == 0}
#              ^^^^^^^ self-reference: self references are not allowed
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: "${name}"}
""")


def test_in_the_status() -> None:
    check_diagnostics(f"""
schema:
  apiVersion: v1
  kind: Example
  status:
    first: ${{runtime}}
#            ^^^^^^^ misplaced-reference: references unknown identifiers: [runtime]
    second: ${{each.kind}}
#             ^^^^ misplaced-reference: references unknown identifiers: [each]
    third: ${{share.kind}}
#            ^^^^^ unresolved-reference: did you mean 'shared'?
    fourth: ${{shared.kind + schema.kind}}
    conditions:
      - '${{runtime.newCondition({{type: "Available", status: each.status}})}}'
#                                                           ^^^^ misplaced-reference: unknown identifiers: [each]
resources:
{SHARED}
""")


def test_cycle() -> None:
    def config(name: str, value: str) -> str:
        return f"""\
  - id: {name}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {{name: {name}}}
      data:
        value: {value}
"""

    diagnostics = check_diagnostics(f"""
resources:
{config("first", "${third.kind}")}
{config("third", "${second.kind}")}
{config("second", "${first.kind}-${first.kind}").rstrip()}
#                ^^^^^ dependency-cycle: graph contains a cycle: first -> third -> second -> first
#                              ^^^^^ dependency-cycle: graph contains a cycle: first -> third -> second -> first
{config("alone", "${first.kind}")}
""")
    assert [related.message for related in diagnostics[0].related] == [
        "'first' depends on 'third' here",
        "'third' depends on 'second' here",
        "'second' depends on 'first' here",
    ]


def test_what_an_iterator_over_its_own_resource_gives_is_not_judged() -> None:
    check_diagnostics("""
resources:
  - id: configs
    forEach:
      - name: ${configs}
#               ^^^^^^^ self-reference: self references are not allowed
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: "${'a-' + name}"}
""")


def test_a_variable_that_hides_the_resource() -> None:
    source = in_template(
        'shared.data.map(shared, shared).join(",")',
        "                  ^^^^^^ shadowed-name: in the whole macro, so the value stays pending",
    )
    fixed = check_fixed(source.replace("\n\n", "\n"), "Rename to 'x'")
    assert 'shared.data.map(x, x).join(",")' in fixed


def test_a_bound_name_that_hides_the_resource() -> None:
    source = in_template(
        "cel.bind(shared, shared.kind, shared)",
        "           ^^^^^^ shadowed-name: in the whole macro, so the value stays pending",
    )
    fixed = check_fixed(source.replace("\n\n", "\n"), "Rename to 'x'")
    assert "cel.bind(x, shared.kind, x)" in fixed


def test_a_variable_over_something_else_is_fine() -> None:
    check_diagnostics(in_template('["a"].map(shared, shared).join(",")').replace("\n\n", "\n"))


def test_omit() -> None:
    resources = """
schema:
  apiVersion: v1
  kind: Example
  status:
    value: ${omit()}
#            ^^^^^^ omit-not-allowed: omit() can only be used in resource template expressions
resources:
  - id: config
    includeWhen:
      - ${true || omit()}
#                 ^^^^^^ omit-not-allowed: omit() requires the CELOmitFunction feature gate
    readyWhen:
      - ${config.kind == "" || omit()}
#                              ^^^^^^ omit-not-allowed: omit() can only be used in resource template expressions
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: '${schema.kind == "" ? omit() : "a"}'
#                                    ^^^^^^ omit-not-allowed: omit() requires the CELOmitFunction feature gate
"""
    check_diagnostics(resources)
    enabled = resources.replace(
        "\n#                 ^^^^^^ omit-not-allowed: omit() requires the CELOmitFunction feature gate\n", "\n"
    ).replace("omit() requires the CELOmitFunction feature gate", 'omit() cannot be used at path "metadata.name"')
    check_diagnostics(enabled, Settings(feature_gates=frozenset({"CELOmitFunction"})))


def test_severity_can_be_set() -> None:
    source = in_template("wholly.different", "  ^^^^^^ unresolved-reference: no resource").replace("\n\n", "\n")
    milder = Settings(severities=(("unresolved-reference", Severity.HINT),))
    assert [each.severity for each in check_diagnostics(source, milder)] == [Severity.HINT]


def test_all_unknown_names_of_an_expression_are_in_the_message_where_kro_lists_them() -> None:
    check_diagnostics(
        """
schema:
  apiVersion: v1alpha1
  kind: Example
  status:
    sum: ${string(zoo.a) + string(bar.b)}
    #             ^^^ unresolved-reference: unknown name 'zoo'; no resource
    #                             ^^^ unresolved-reference: unknown identifiers: [zoo bar]
    called: ${one(1) + two(schema.metadata.name) + one(2)}
    #         ^^^ unknown-function: unknown function 'one'; no CEL library
    #                  ^^^ unknown-function: uses unknown functions: [{one} {two} {one}]
    #                                              ^^^ unknown-function: [{one} {two} {one}]
resources:
  - id: config
    template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${schema.metadata.name}"}}
"""
    )


def test_a_long_cycle_is_shown_in_short() -> None:
    resources = "".join(
        f"""
  - id: r{number}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${{r{(number + 1) % 100}.metadata.name}}
"""
        for number in range(100)
    )
    diagnostics = diagnose_text(Text(rgd_around(f"resources:{resources}"))).diagnostics
    (cycle,) = [each for each in diagnostics if each.code == "dependency-cycle"]
    assert len(cycle.message) < 300
    assert "r9 -> ... 80 more ... -> r90" in cycle.message


def test_a_status_of_resources_that_are_not_written_yet_is_one_error() -> None:
    (diagnostic,) = check_diagnostics("""
schema:
  apiVersion: v1
  kind: Example
  status:
    address: ${service.spec.clusterIP}
#              ^^^^^^^ unresolved-reference: unknown names 'service' and 'deployment'; no resources
    replicas: ${deployment.status.replicas + size(service.spec.ports)}
""")
    assert [related.message for related in diagnostic.related] == [
        "'deployment' is used here",
        "'service' is used here",
    ]


def test_a_status_of_resources_of_which_the_last_is_not_finished() -> None:
    check_diagnostics("""
schema:
  apiVersion: v1
  kind: Example
  status:
    address: ${service.spec.clusterIP}
#              ^^^^^^^ unresolved-reference: unknown names 'service' and 'deployment'; no resources
    replicas: ${deployment.status.replicas}
    name: ${confik.metadata.name}
#           ^^^^^^ unresolved-reference: did you mean 'config'
resources:
  - id: config
#       ^^^^^^ resource-form: neither 'template' nor 'externalRef' is given
""")


def test_a_status_beside_resources_that_are_all_written_is_wrong_at_each_name() -> None:
    check_diagnostics("""
schema:
  apiVersion: v1
  kind: Example
  status:
    address: ${service.spec.clusterIP}
#              ^^^^^^^ unresolved-reference: [service]
    replicas: ${deployment.status.replicas}
#               ^^^^^^^^^^ unresolved-reference: [deployment]
resources:
  - id: config
    template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${schema.metadata.name}"}}
""")


READER = """\
    - id: config
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "${service.metadata.name}"}
"""


@pytest.mark.parametrize(
    "resources",
    [
        f"    resources:\n      - id: service\n        template: {{}}\n  resources:\n{READER}",
        f"  service:\n    id: service\n    template: {{}}\n  resources:\n{READER}",
        f"  resources:\n{READER}  - id: service\n    template: {{}}\n",
        f"  resources:\n{READER}      - id: service\n        template: {{}}\n",
        f"  resources:\n{READER}        - id: service\n          template: {{}}\n",
        f"  resources:\n{READER}- id: service\n  template: {{}}\n",
        f"  resources:\n{READER}resources:\n  - id: service\n    externalRef: {{}}\n",
    ],
    ids=["in the schema", "in spec", "before its list", "in a resource", "in a template", "at the root", "root list"],
)
def test_a_misplaced_resource_is_not_missed_as_well(resources: str) -> None:
    text = f"{rgd(spec='{name: string}')}{resources}"
    found = diagnose_text(Text(text)).diagnostics
    errors = {each.code for each in found if each.severity is Severity.ERROR}
    assert errors & {"yaml-syntax", "unknown-field"}
    assert "unresolved-reference" not in errors


def test_a_list_of_ids_in_a_template_is_no_misplaced_resource() -> None:
    text = rgd(READER + "        data: {list: [{id: service, template: a}]}\n")
    assert "unresolved-reference" in {each.code for each in diagnose_text(Text(text)).diagnostics}
