"""Fixes that are computed on request: which is first, its result, and that it mends."""

from __future__ import annotations

from typing import Any

import pytest

from kro_ls.repairs import proof
from kro_ls.repairs.proof import errors, fixes, fixes_in_steps
from kro_ls.workspace.documents import Document
from kro_ls.yaml_positions.scalars.writing import edited
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd_around

SCHEMA = """\
schema:
  apiVersion: v1alpha1
  kind: App
  spec:
    name: string | required=true
    size: integer | default=1
    nick: string | default=""
    on: string
"""
RESOURCES = """\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.spec.name}
      data:
        key: VALUE
  - id: many
    forEach:
      - letter: ${["a", "b"]}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.spec.name}-${letter}
  - id: deployment
    includeWhen:
      - CONDITION
    template:
      apiVersion: apps/v1
      kind: Deployment
      metadata:
        name: ${schema.spec.name}
      spec:
        replicas: REPLICAS
        selector: {matchLabels: {app: x}}
        template: {metadata: {labels: {app: x}}, spec: {containers: [{name: x, image: x}]}}
"""
POD = "{metadata: {labels: {app: x}}, spec: {containers: [{name: x, image: x}]}}"
SPEC = f"spec: {{selector: {{matchLabels: {{app: x}}}}, template: {POD}}}"


def definition(value: str = "x", condition: str = "${schema.spec.size > 1}", replicas: str = "1") -> str:
    resources = RESOURCES.replace("VALUE", value).replace("CONDITION", condition).replace("REPLICAS", replicas)
    return rgd_around(SCHEMA + resources)


def document(content: str) -> Document:
    return Document("file:///rgd.yaml", 1, Text(content))


def offered(content: str) -> list[tuple[str, str]]:
    """Return the fixes of the one error, each with its title and the resulting text."""
    broken = document(content)
    (error,) = errors(broken)
    return [(fix.title, edited(content, fix.replacements)) for fix in fixes(broken, error)]


def check_first(content: str, title: str, line: str) -> None:
    """Check the first fix of the one error, a line of its result, and that kro accepts the result."""
    (found, result), *_ = offered(content)
    assert found == title
    assert line in map(str.strip, result.splitlines())
    assert not errors(document(result))


def test_the_definition_is_right() -> None:
    assert not errors(document(definition()))


@pytest.mark.parametrize(
    ("value", "title", "line"),
    [
        ("${schema.spec.nme}", "Change to 'name'", "key: ${schema.spec.name}"),
        ("${schema.spec.nmae + 'a'}", "Change to 'name'", "key: ${schema.spec.name + 'a'}"),
        ("${schema.status.name}", "Change to 'spec'", "key: ${schema.spec.name}"),
        ("${schema.name}", "Change to 'spec.name'", "key: ${schema.spec.name}"),
        ("${deployment.spec.type}", "Change to 'strategy.type'", "key: ${deployment.spec.strategy.type}"),
        ("${nick}", "Change to 'schema.spec.nick'", "key: ${schema.spec.nick}"),
        ("${other}", "Quote 'other' as text", 'key: ${"other"}'),
        ("${(schema.spec.name}", "Close the '('", "key: ${(schema.spec.name)}"),
        ("${schema.spec.name)}", "Remove the ')'", "key: ${schema.spec.name}"),
        ("${schema.spec.name +}", "Remove '+'", "key: ${schema.spec.name}"),
        ("${schema.spec.name + 'x}", "Close the string with '", "key: ${schema.spec.name + 'x'}"),
        (
            "${schema.spec.name = 'a' ? 'b':'c'}",
            "Write '==' for '='",
            "key: ${schema.spec.name == 'a' ? 'b':'c'}",
        ),
        ("x-${schema.spec.size}", "Convert to text with string()", "key: x-${string(schema.spec.size)}"),
        (
            "x-${schema.spec.?nick}",
            'Use "" where it is left out: .orValue("")',
            'key: x-${schema.spec.?nick.orValue("")}',
        ),
        ("${schema.spec.name.length()}", "Change to 'size', convert to text with string()", None),
        ("${frobnicate(schema.spec.name)}", "Remove the call of 'frobnicate'", "key: ${schema.spec.name}"),
        (
            "${many.metadata.name}",
            'Join it of all: many.map(x, x.metadata.name).join(",")',
            'key: ${many.map(x, x.metadata.name).join(",")}',
        ),
        ("[x]", "Change to x", "key: x"),
        ("8080", 'Quote the value', 'key: "8080"'),
        ("${schema.spec.name}: x", "Quote the value", 'key: "${schema.spec.name}: x"'),
    ],
)  # fmt: skip
def test_a_value(value: str, title: str, line: str | None) -> None:
    content = definition(value)
    if line is None:
        assert offered(content)[0][0] == title
    else:
        check_first(content, title, line)


@pytest.mark.parametrize(
    ("condition", "title", "line"),
    [
        ("${schema.spec.name}", 'Compare with text: != ""', '- ${schema.spec.name != ""}'),
        ("${schema.spec.size}", "Compare with 0: > 0", "- ${schema.spec.size > 0}"),
        ("schema.spec.size > 1", "Wrap in '${...}'", '- "${schema.spec.size > 1}"'),
        ("x ${schema.spec.size > 1}", "Remove what stands around it", '- "${schema.spec.size > 1}"'),
    ],
)
def test_a_condition(condition: str, title: str, line: str) -> None:
    check_first(definition(condition=condition), title, line)


@pytest.mark.parametrize(
    ("replicas", "title", "line"),
    [
        ('"3"', "Change to 3", "replicas: 3"),
        ("${schema.spec.nick}", "Convert to a number with int()", "replicas: ${int(schema.spec.nick)}"),
        ("x-${schema.spec.size}", "Use the expression alone", 'replicas: "${schema.spec.size}"'),
        ("{schema.spec.size}", "Write as an expression: ${...}", 'replicas: "${schema.spec.size}"'),
        ("many", "Make it a field of the schema: 'replicas: integer'", "replicas: ${schema.spec.replicas}"),
    ],
)
def test_a_number(replicas: str, title: str, line: str) -> None:
    check_first(definition(replicas=replicas), title, line)


@pytest.mark.parametrize(
    ("old", "new", "title", "line"),
    [
        ("id: many", "id: config", "Rename to 'configMap'", "- id: configMap"),
        ("id: many", "id: spec", "Rename to 'specConfigMap'", "- id: specConfigMap"),
        ("id: many", "id: my-many", "Rename to 'myMany'", "- id: myMany"),
        ("- id: many\n      ", "- ", "Add 'id: configMap'", "- id: configMap"),
        ("integer | default=1", "integer | default=x", "Remove the default", None),
        (
            "nick: string",
            "flag: boolean | default=fasle\n      nick: string",
            "Change the default to false",
            "flag: boolean | default=false",
        ),
        ("        kind: Deployment\n", "", "Add 'kind: Deployment'", "kind: Deployment"),
        ("apiVersion: apps/v1", "apiVersion: app/v1", "Change to 'apps/v1'", "apiVersion: apps/v1"),
        ("    apiVersion: v1alpha1", "\tapiVersion: v1alpha1", "Indent with 4 blanks", "apiVersion: v1alpha1"),
        ("    - id: deployment", "   - id: deployment", "Indent with 4 blanks", "- id: deployment"),
        ("kind: ConfigMap", "kind:ConfigMap", "Add a blank after ':'", "kind: ConfigMap"),
    ],
)
def test_a_line(old: str, new: str, title: str, line: str | None) -> None:
    content = definition().replace(old, new, 1)
    broken = document(content)
    titles = [fix.title for error in errors(broken) for fix in fixes(broken, error)]
    assert title in titles
    if line:
        (error, *_) = errors(broken)
        fix = next(fix for fix in fixes(broken, error) if fix.title == title)
        assert line in map(str.strip, edited(content, fix.replacements).splitlines())


@pytest.mark.parametrize(
    ("missing", "title"),
    [
        ("      metadata:\n        name: ${schema.metadata.name}\n", "Add 'metadata:'"),
        ("      kind: Deployment\n      metadata:\n        name: ${schema.metadata.name}\n", "Add 'kind: Deployment'"),
        ("      kind: Deployment\n", "Add 'kind: Deployment'"),
        ("      apiVersion: apps/v1\n", "Add 'apiVersion: apps/v1'"),
        (
            "      apiVersion: apps/v1\n      metadata:\n        name: ${schema.metadata.name}\n",
            "Add 'apiVersion: apps/v1'",
        ),
    ],
)
def test_what_an_object_lacks_is_added_where_people_write_it(missing: str, title: str) -> None:
    right = f"""\
resources:
  - id: deployment
    template:
      apiVersion: apps/v1
      kind: Deployment
      metadata:
        name: ${{schema.metadata.name}}
      # the rest
      {SPEC}
"""
    without = right
    for line in missing.splitlines(keepends=True):
        assert line in without
        without = without.replace(line, "", 1)
    assert (title, rgd_around(right)) in offered(rgd_around(without))


@pytest.mark.parametrize(
    ("old", "new", "title"),
    [
        ("replicas: 1\n", "replicas: 1\n          bucketName: ${schema.spec.name}\n", "Remove 'bucketName'"),
        ("replicas: 1\n", "replicas: 1\n          access:\n            - read\n", "Remove 'access'"),
        ("- id: many\n", "- id: many\n      color: blue\n", "Remove 'color'"),
    ],
)
def test_a_field_that_is_not_known_is_removed_with_what_is_below_it(old: str, new: str, title: str) -> None:
    right = definition()
    assert old in right
    assert (title, right) in offered(right.replace(old, new))


def test_a_field_that_nothing_reads_is_removed() -> None:
    content = definition()
    unused = next(each for each in document(content).diagnosis.diagnostics if "'nick' is never read" in each.message)
    fix = next(fix for fix in fixes(document(content), unused) if fix.title == "Remove 'nick'")
    assert edited(content, fix.replacements) == content.replace('      nick: string | default=""\n', "")


def test_of_a_repeated_key_the_first_is_removed_as_the_last_one_counts() -> None:
    right = definition("blue")
    content = right.replace("      data:\n", "      data:\n          key:\n            red\n")
    repeated = next(each for each in document(content).diagnosis.diagnostics if each.code == "duplicate-key")
    (fix,) = fixes(document(content), repeated)
    assert (fix.title, edited(content, fix.replacements)) == ("Remove the first 'key'", right)


NOT_INDENTED = rgd_around("""\
resources:
  - id: settings
    externalRef:
      apiVersion: v1
      kind: ConfigMap
      metadata:
      name: ours
      namespace: ${schema.metadata.namespace}
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${settings.metadata.name}
""")


def test_lines_that_belong_together_are_indented_together() -> None:
    broken = document(NOT_INDENTED)
    found = errors(broken)
    assert [each.code for each in found] == ["missing-field", "unknown-field"]
    assert found[0].message == "'metadata' is empty; it names the objects by exactly one of 'name' and 'selector'"
    for error in found:
        fix = fixes(broken, error)[0]
        assert fix.title == "Indent these 2 fields with 10 blanks"
        content = edited(broken.text.content, fix.replacements)
        assert "        metadata:\n          name: ours\n          namespace: ${" in content
        assert not errors(document(content))


def test_a_single_line_below_an_empty_field_is_indented() -> None:
    broken = document(NOT_INDENTED.replace("        namespace: ${schema.metadata.namespace}\n", ""))
    missing, unknown = errors(broken)
    assert fixes(broken, missing)[0].title == "Indent the next line with 10 blanks"
    assert fixes(broken, unknown)[0].title == "Indent with 10 blanks"


def test_the_titles_of_fixes_tell_them_apart() -> None:
    titles = [title for title, _ in offered(definition(value="${(schema.spec.name}"))]
    assert len(titles) > 1
    assert len(set(titles)) == len(titles)


def test_an_id_that_only_has_to_be_respelt_is_offered_no_invented_names() -> None:
    titles = [title for title, _ in offered(definition().replace("id: many", "id: my-many"))]
    assert [title for title in titles if title.startswith("Rename")] == ["Rename to 'myMany'", "Rename to 'configMap'"]


def test_what_does_not_mend_is_not_offered() -> None:
    # A resource with this id would depend on itself; no other name helps.
    broken = document(definition("${schema.spec.nme.nothing}"))
    for error in errors(broken):
        for fix in fixes(broken, error):
            after = errors(document(edited(broken.text.content, fix.replacements)))
            assert error.message not in [each.message for each in after]


def test_a_boolean_of_yaml_as_a_name() -> None:
    check_first(definition("${schema.spec.on}"), 'Quote the name where it is declared: "on"', '"on": string')


def test_the_message_says_how_to_read_a_field_of_a_collection() -> None:
    (error,) = errors(document(definition("${many.metadata.name}")))
    assert error.message == "'metadata' cannot be read of a collection; write 'many.map(x, x.metadata.name)'"


def test_a_fix_that_changes_the_advice_of_another_error_is_offered() -> None:
    broken = document(definition("${schema.spec.portNumber + schema.spec.portNumbers}"))
    assert [fixes(broken, error)[0].title for error in errors(broken)] == [
        "Declare 'portNumber: string' in the schema",
        "Declare 'portNumbers: string' in the schema",
    ]


def test_others_get_their_turn_before_each_fix_that_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = document(definition(value="x").replace("metadata:", "metadata", 1))
    tried = 0

    def document_after(*given: Any) -> Document:
        nonlocal tried
        tried += 1
        return original(*given)

    original = proof.document_after
    monkeypatch.setattr(proof, "document_after", document_after)
    most = total = 0
    for error in errors(broken):
        for _ in fixes_in_steps(broken, error):
            most, total, tried = max(most, tried), total + tried, 0
    assert (most, total > 1) == (1, True)


def test_the_ids_that_have_what_is_read_are_offered_for_a_name_like_none_of_them() -> None:
    document = Document("file:///a.yaml", 1, Text(definition(value="${xyz.metadata.name}")))
    [error] = errors(document)
    assert error.fixes == ()
    assert [each.title for each in fixes(document, error)] == ["Change to 'deployment'"]


@pytest.mark.parametrize(("name", "meant"), [("svc", "server"), ("srv", "server"), ("cm", "last"), ("xyz", "first")])
def test_the_id_comes_first_of_which_the_name_is_an_abbreviation(name: str, meant: str) -> None:
    others = """\
  - {id: first, template: {apiVersion: v1, kind: Secret, metadata: {name: a}}}
  - {id: server, template: {apiVersion: v1, kind: Service, metadata: {name: a}}}
  - {id: last, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}}
"""
    use = RESOURCES.replace("VALUE", f"${{{name}.metadata.name}}").replace("resources:\n", f"resources:\n{others}")
    content = rgd_around(SCHEMA + use.replace("CONDITION", "${true}").replace("REPLICAS", "1"))
    assert offered(content)[0][0] == f"Change to '{meant}'"


def test_no_id_is_offered_that_lacks_what_is_read() -> None:
    document = Document("file:///a.yaml", 1, Text(definition(value="${xyz.spec.replicas}")))
    [error] = errors(document)
    assert [each.title for each in fixes(document, error)] == ["Change to 'deployment', convert to text with string()"]
    document = Document("file:///a.yaml", 1, Text(definition(value="${string(xyz.spec.replicas)}")))
    [error] = errors(document)
    assert [each.title for each in fixes(document, error)] == ["Change to 'deployment'"]


def test_fixes_are_the_same_for_an_equal_diagnostic_of_another_analysis() -> None:
    field = "size: integer | default=1"
    text = definition().replace(field, f"{field}\n      extra: integer | default=hello")
    first, second = (Document("file:///a.yaml", None, Text(text)) for _ in range(2))
    (diagnostic,) = (each for each in first.diagnosis.diagnostics if each.code == "invalid-default")
    found = [each.title for each in fixes(second, diagnostic)]
    assert found == [each.title for each in fixes(first, diagnostic)]
    assert "Change the type to float" not in found


def test_what_was_tried_for_another_diagnostic_is_not_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []
    original = proof.document_after

    def document_after(document: Document, replacements: tuple[Any, ...]) -> Document:
        made.append((document, replacements))
        return original(document, replacements)

    monkeypatch.setattr(proof, "document_after", document_after)
    broken = definition().replace("  - id: many\n", "  - id: a<<: *a\n.?uid.haabels: *a}\n")
    document = Document("file:///a.yaml", None, Text(broken))
    found = [diagnostic for diagnostic in errors(document) if fixes(document, diagnostic)]
    assert len(found) > 1
    assert len(made) == len(set(made)) > 10


def test_a_resource_without_an_object_is_given_a_template() -> None:
    content = definition().rstrip("\n") + "\n    - id: further\n"
    found = [fix for error in errors(document(content)) for fix in fixes(document(content), error)]
    (fix,) = [each for each in found if each.title == "Add 'template'"]
    mended = edited(content, fix.replacements)
    assert errors(document(mended)) == []
    assert "    - id: further\n      template:\n        apiVersion: v1\n        kind: ConfigMap\n" in mended


def test_a_cycle_is_broken_by_writing_out_what_is_read() -> None:
    resources = """\
resources:
  - id: first
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: "${schema.spec.name}-first"}
      data: {other: "${second.metadata.name}"}
  - id: second
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: other}
      data: {label: "for ${first.metadata.name}"}
"""
    content = rgd_around(SCHEMA + resources)
    broken = document(content)
    (error,) = errors(broken)
    assert error.code == "dependency-cycle"
    (fix,) = fixes(broken, error)
    assert fix.title == "Write the value of 'first.metadata.name' here, which needs no 'first'"
    assert 'label: "for ${(schema.spec.name + \\"-first\\")}"' in edited(content, fix.replacements)
    assert errors(document(edited(content, fix.replacements))) == []


def test_where_lines_are_moved_only_what_heals_most_is_offered() -> None:
    text = f"  {definition()}"
    document = Document("file:///a.yaml", 1, Text(text))
    first = errors(document)[0]
    assert first.code == "yaml-syntax"
    (fix,) = fixes(document, first)
    mended = Document(document.uri, 2, Text(edited(text, fix.replacements)))
    assert (fix.title, errors(mended)) == ("Indent these 3 fields with 4 blanks", [])


def test_two_fixes_that_give_the_same_text_are_one() -> None:
    broken = definition().replace("metadata:\n  name: example", "metadata:\nname: example", 1)
    document = Document("file:///a.yaml", 1, Text(broken))
    missing = next(each for each in errors(document) if each.code == "missing-field")
    assert [fix.title for fix in fixes(document, missing)] == ["Indent the next line with 2 blanks"]
