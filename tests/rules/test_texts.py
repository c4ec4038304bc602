"""The texts that hold expressions: nesting, ends, what stands around them, syntax, keys."""

import pytest

from kro_ls.analysis.model.reading import MOST_DOCUMENTS
from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.rules.diagnostics import Severity
from kro_ls.workspace.documents import Document, Edit
from kro_ls.yaml_positions.builder import MOST_REPEATED
from kro_ls.yaml_positions.positions import PositionEncoding
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd_of_config_maps
from tests.fixtures.diagnostics import check_diagnostics, check_fixed


def in_name(value: str, expectation: str = "") -> str:
    """Return a resource with a value as its name; the carets of the expectation start under the value."""
    below = f"\n#             {expectation}" if expectation else ""
    return f"""
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: {value}{below}
"""


def in_condition(value: str, expectation: str = "") -> str:
    """Return a resource with a value as its one includeWhen; the carets start under the value."""
    below = f"\n#       {expectation}" if expectation else ""
    return f"""
resources:
  - id: config
    includeWhen:
      - {value}{below}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {{name: config}}
"""


def test_nested_expression() -> None:
    source = in_name("${string(${schema.kind})}-x", "         ^^ nested-expression: nested expressions are not allowed")
    assert "name: ${string(schema.kind)}-x" in check_fixed(source, "Remove the inner '${' and '}'")


def test_nested_expression_that_is_not_closed_has_no_fix() -> None:
    (diagnostic,) = check_diagnostics(in_name("${a ${b", "    ^^ nested-expression: inside string literals"))
    assert diagnostic.fixes == ()


def test_expression_in_a_string_is_fine() -> None:
    check_diagnostics(in_name("""'${"a-${b}-" + schema.kind}'"""))


@pytest.mark.parametrize("value", ["${schema.kind", "'${schema.kind'", "x-${schema.kind"])
def test_unterminated_expression(value: str) -> None:
    column = value.index("$")
    source = in_name(value, " " * column + "^^ unterminated-expression: it is plain text")
    assert "${schema.kind}" in check_fixed(source, "Add the missing '}'")


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("${size('\"') > 0}", "a lone double quote opens a string for kro, even in single quotes"),
        ('${size("a) > 0}', "a double quote opens a string that never ends"),
        ("${size('{') > 0}", "a '{' counts as open even inside single quotes"),
    ],
)
def test_why_an_expression_is_not_closed(value: str, reason: str) -> None:
    check_diagnostics(in_name(value, f"^^ unterminated-expression: {reason}"))


def test_an_unterminated_expression_beside_others() -> None:
    check_diagnostics(
        in_name("${schema.kind} ${schema", "               ^^ unterminated-expression: the '}' is missing")
    )


def test_plain_text_with_dollars_is_fine() -> None:
    check_diagnostics(in_name("$HOME-$(date)-{{x}}-$"))


def test_condition_with_text_around() -> None:
    check_diagnostics(
        in_condition('"x-${schema.kind}"', "^^^^^^^^^^^^^^^^^^ not-standalone-expression: with nothing around it")
    )


def test_condition_without_braces() -> None:
    source = in_condition(
        'schema.kind == "A"', "^^^^^^^^^^^^^^^^^^ not-standalone-expression: only standalone expressions"
    )
    assert """- '${schema.kind == "A"}'""" in check_fixed(source, "Wrap in '${...}'")


def test_word_as_condition_has_no_fix() -> None:
    (diagnostic,) = check_diagnostics(
        in_condition("enabled", "^^^^^^^ not-standalone-expression: write it as one '${...}'")
    )
    assert diagnostic.fixes == ()


def test_two_expressions_in_one_condition() -> None:
    source = in_condition(
        '${schema.kind != "A"} && ${schema.kind != "B"}',
        "^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ not-standalone-expression: combine the parts inside",
    )
    fixed = check_fixed(source, "Combine into one expression")
    assert """- '${schema.kind != "A" && schema.kind != "B"}'""" in fixed


def test_blanks_around_a_condition() -> None:
    source = in_condition(
        """' ${schema.kind != "A"} '""", "^^^^^^^^^^^^^^^^^^^^^^^^^ not-standalone-expression: remove the blanks"
    )
    assert """- '${schema.kind != "A"}'""" in check_fixed(source, "Remove the blanks")


@pytest.mark.parametrize(("header", "new"), [("|", "|-"), ("|+", "|-"), (">", ">-")])
def test_block_scalar_as_condition(header: str, new: str) -> None:
    source = in_condition(
        f"{header}\n"
        f"#       {'^' * len(header)} not-standalone-expression: keeps a line break after the expression\n"
        '          ${schema.kind != "A"}'
    )
    fixed = check_fixed(source, f"Change to '{new}'")
    assert f"- {new}\n" in fixed


def test_unterminated_condition() -> None:
    check_diagnostics(in_condition("${schema.kind", "^^^^^^^^^^^^^ not-standalone-expression: '${' is never closed"))


def test_iterator_that_is_not_an_expression() -> None:
    check_diagnostics("""
resources:
  - id: configs
    forEach:
      - name: x-${schema.kind}
#             ^^^^^^^^^^^^^^^^ not-standalone-expression: only standalone expressions are allowed
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: "${name}"}
""")


@pytest.mark.parametrize(
    ("value", "expectation"),
    [
        ("${schema.kind +}", "               ^ cel-syntax: Syntax error: mismatched input '<EOF>'"),
        ("${(schema.kind}-x", "              ^ cel-syntax: Syntax error"),
        ("${schema..kind}", "         ^ cel-syntax: Syntax error"),
        ("${schema.kind schema.kind}-x", "              ^^^^^^ cel-syntax: Syntax error"),
        ("${}", "^^^ cel-syntax: the expression is empty"),
    ],
)
def test_syntax_errors(value: str, expectation: str) -> None:
    check_diagnostics(in_name(value, expectation))


def test_a_syntax_error_does_not_breed() -> None:
    check_diagnostics(in_name("${unknown(nothing.at) +}", "                       ^ cel-syntax: Syntax error"))


def test_syntax_error_in_a_block_scalar() -> None:
    check_diagnostics(
        """
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: config}
      data:
        text: |
          first line
          ${schema.kind.}
#                       ^ cel-syntax: Syntax error
          ${shema.kind}
""".replace("${shema.kind}", "${schema.kind}")
    )


def test_expressions_in_keys() -> None:
    check_diagnostics("""
schema:
  apiVersion: v1
  kind: Example
  status:
    inner:
      "${schema.kind}": ${schema.kind}
#     ^^^^^^^^^^^^^^^^ expression-in-key: kro does not evaluate expressions in keys
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: config}
      data:
        ${schema.kind}: value
#       ^^^^^^^^^^^^^^ expression-in-key: kro does not evaluate expressions in keys
        $KEY: value
""")


def test_a_silenced_line() -> None:
    check_diagnostics(in_name("${share.kind}  # kro-ls: ignore[unresolved-reference]"))


def test_duplicate_key_names_the_first() -> None:
    (diagnostic,) = check_diagnostics("""
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      kind: ConfigMap
#     ^^^^ duplicate-key: already set in map
      metadata: {name: config}
""")
    assert [related.message for related in diagnostic.related] == ["the first of the two"]


def test_what_aliases_repeat_too_often_is_told_and_not_checked() -> None:
    values = "".join(f"          k{n}: v\n" for n in range(99)) + "          k: ${nothing}\n"
    written = "          more: [" + "x, " * 2000 + "]\n"
    aliases = "".join(f"          a{n}: *all\n" for n in range(150))
    text = f"{rgd_of_config_maps(('a', 'b'))}        data: &all\n{values}        other:\n{written}{aliases}"
    diagnosis = diagnose_text(Text(text))
    told = [each for each in diagnosis.diagnostics if each.code == "yaml-syntax"]
    assert [each.severity for each in told] == [Severity.INFORMATION]
    assert f"the aliases of this document stand for more than {MOST_REPEATED:,} values" in told[0].message
    assert len(diagnosis.analysis.rgds[0].resources["a"].resource.expressions) == 1 + MOST_REPEATED // 201


def test_what_stands_after_very_many_documents_is_told_and_not_checked() -> None:
    text = rgd_of_config_maps(("a", "b")) + "---\nkind: X\n" * (MOST_DOCUMENTS - 1) + "---\n"
    text += rgd_of_config_maps(("a", "${nothing}"))
    (told,) = [each for each in diagnose_text(Text(text)).diagnostics if each.code == "yaml-syntax"]
    assert told.severity is Severity.INFORMATION
    assert f"the file has more than {MOST_DOCUMENTS} documents" in told.message
    assert len(diagnose_text(Text(text)).analysis.rgds) == 1


def test_an_edit_of_a_text_with_very_many_documents_says_what_a_fresh_one_says() -> None:
    text = rgd_of_config_maps(("a", "b")) + "---\nkind: X\n" * (MOST_DOCUMENTS + 1)
    for start, end, new in ((0, 0, "# c\n"), (len(text) - 12, len(text), ""), (len(text) - 24, len(text), "")):
        document = Document("file:///a.yaml", 1, Text(text), PositionEncoding.UTF32)
        assert document.diagnosis
        line = text.count("\n", 0, start), 0
        edited = document.edited(2, (Edit(new, line, (text.count("\n", 0, end), 0)),))
        assert edited.diagnosis.diagnostics == diagnose_text(Text(text[:start] + new + text[end:])).diagnostics


@pytest.mark.parametrize(
    ("first", "expectation"),
    [
        ("      - id: first\n        template:", "the next dash is less indented"),
        ("     - id: first\n       template:", "the next dash is less indented"),
        ("      id: first\n      template:", "expected '- '; this line is not"),
    ],
)
def test_a_first_item_that_does_not_fit_the_others_is_one_error(first: str, expectation: str) -> None:
    lines = rgd_of_config_maps(("second", "a"), ("third", "b")).split("\n")
    place = next(number for number, line in enumerate(lines) if "- id: second" in line)
    text = "\n".join(
        [*lines[:place], f"{first} {{apiVersion: v1, kind: ConfigMap, metadata: {{name: x}}}}", *lines[place:]]
    )
    (found,) = diagnose_text(Text(text)).diagnostics
    assert (found.code, found.severity) == ("yaml-syntax", Severity.ERROR)
    assert text[found.span.start] == first.strip()[0]
    assert found.message.startswith(expectation)


def test_a_colon_in_an_iterator_is_the_only_mistake() -> None:
    check_diagnostics("""
resources:
  - id: configs
    forEach:
      - name: ${schema.kind}, other: ${schema.kind}
#                                  ^ yaml-syntax: cannot stand in a plain value
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: "${name}"}
""")
