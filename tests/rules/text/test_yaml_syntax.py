"""Text that is not YAML. The YAML room finds it; the rule reports it."""

from __future__ import annotations

import pytest

from kro_ls.analysis.model.reading import MOST_DOCUMENTS
from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.rules.diagnostics import Severity
from kro_ls.workspace.documents import Document, Edit
from kro_ls.yaml_positions.parsing.builder import MOST_REPEATED
from kro_ls.yaml_positions.positions import PositionEncoding
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd_of_config_maps
from tests.fixtures.diagnostics import check_diagnostics


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


def test_what_aliases_repeat_too_often_is_reported_and_not_checked() -> None:
    values = "".join(f"          k{n}: v\n" for n in range(99)) + "          k: ${nothing}\n"
    written = "          more: [" + "x, " * 2000 + "]\n"
    aliases = "".join(f"          a{n}: *all\n" for n in range(150))
    text = f"{rgd_of_config_maps(('a', 'b'))}        data: &all\n{values}        other:\n{written}{aliases}"
    diagnosis = diagnose_text(Text(text))
    reported = [each for each in diagnosis.diagnostics if each.code == "yaml-syntax"]
    assert [each.severity for each in reported] == [Severity.INFORMATION]
    assert f"the aliases of this document stand for more than {MOST_REPEATED:,} values" in reported[0].message
    assert len(diagnosis.analysis.rgds[0].resources["a"].resource.expressions) == 1 + MOST_REPEATED // 201


def test_what_stands_after_very_many_documents_is_reported_and_not_checked() -> None:
    text = rgd_of_config_maps(("a", "b")) + "---\nkind: X\n" * (MOST_DOCUMENTS - 1) + "---\n"
    text += rgd_of_config_maps(("a", "${nothing}"))
    (reported,) = [each for each in diagnose_text(Text(text)).diagnostics if each.code == "yaml-syntax"]
    assert reported.severity is Severity.INFORMATION
    assert f"the file has more than {MOST_DOCUMENTS} documents" in reported.message
    assert len(diagnose_text(Text(text)).analysis.rgds) == 1


def test_an_edit_of_a_text_with_very_many_documents_says_what_a_fresh_one_says() -> None:
    text = rgd_of_config_maps(("a", "b")) + "---\nkind: X\n" * (MOST_DOCUMENTS + 1)
    for start, end, new in ((0, 0, "# c\n"), (len(text) - 12, len(text), ""), (len(text) - 24, len(text), "")):
        document = Document("file:///a.yaml", 1, Text(text), PositionEncoding.UTF32)
        assert document.diagnosis is not None
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


def test_near_miss() -> None:
    check_diagnostics("""
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
      data:
        key: '${schema.metadata.name == "" ? "none": "some"}'
#            ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ yaml-syntax
        keys: ""
#       ~~~~ duplicate-key
""")
