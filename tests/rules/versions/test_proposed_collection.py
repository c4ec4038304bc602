"""Collections in the form of KREP-2 get one message, which gives them the form of kro, and are known as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from kro_ls.kro.versions.version import KREP_2
from kro_ls.repairs.upgrade import upgrade
from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.settings import Settings
from kro_ls.workspace.documents import Document
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd_around
from tests.fixtures.diagnostics import check_diagnostics

PROPOSED = Text((Path(__file__).parent / "krep_2.yaml").read_text(encoding="utf-8"))
FORMS = 8
"""The collections and selectors in it that have the form of the proposal."""
DIALECT = Settings(version=KREP_2)

EXAMPLE = """\
schema:
  apiVersion: v1
  kind: App
  spec: {names: "[]string", labels: "map[string]string", size: integer}
resources:
  - id: configs
    forEach: OVER
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: NAME
"""


def errors(text: str, settings: Settings = DIALECT) -> list[str]:
    found = diagnose_text(Text(rgd_around(text)), settings).diagnostics
    return [each.message for each in found if each.severity is Severity.ERROR]


def example(name: str, over: str = "${schema.spec.names}", more: str = "") -> str:
    return EXAMPLE.replace("OVER", over).replace("NAME", name) + more


def test_each_form_gets_one_message() -> None:
    found = diagnose_text(PROPOSED, Settings()).diagnostics
    wrong = [each for each in found if each.severity is Severity.ERROR]
    assert [each.code for each in wrong] == ["proposed-collection"] * FORMS
    assert all(fix.keeps_meaning for each in wrong for fix in each.fixes[:1])


def test_the_dialect_accepts_them() -> None:
    found = diagnose_text(PROPOSED, DIALECT).diagnostics
    assert [each.message for each in found if each.severity is Severity.ERROR] == []


def test_they_are_rewritten_to_what_kro_accepts() -> None:
    found = upgrade(Document("", None, PROPOSED))
    assert not found.left
    assert (found.source, found.changes) == (KREP_2, ())
    assert "each.item" not in found.text.content
    assert ".items" not in found.text.content
    for kept in ("# by team", "# one each", "# the name"):
        assert kept in found.text.content


@pytest.mark.parametrize(
    ("over", "name", "iterator", "written"),
    [
        ("${schema.spec.names}", "${each.item}", "config: ${schema.spec.names}", "${config}"),
        (
            "${schema.spec.names}",
            "a-${string(each.index)}",
            "index: ${lists.range(size(schema.spec.names))}",
            "a-${string(index)}",
        ),
        (
            '${["a"] + schema.spec.names}',
            "${each.item}-${string(each.index)}",
            'index: ${lists.range(size(["a"] + schema.spec.names))}',
            '${(["a"] + schema.spec.names)[index]}-${string(index)}',
        ),
        ("${schema.spec.labels}", "${each.key}", "key: ${schema.spec.labels.map(k, k)}", "${key}"),
        (
            "${schema.spec.labels}",
            "${each.key}-${each.value}",
            "key: ${schema.spec.labels.map(k, k)}",
            "${key}-${schema.spec.labels[key]}",
        ),
        (
            "${range(1, 4)}",
            "a-${string(each.item)}-of-${string(each.length)}",
            "config: ${lists.range(3).map(n, n + 1)}",
            "a-${string(config)}-of-${string(size(lists.range(3).map(n, n + 1)))}",
        ),
        (
            "${range(schema.spec.size, schema.spec.size + 2)}",
            "a-${string(each.item)}",
            "config: ${lists.range(schema.spec.size + 2 - schema.spec.size).map(n, n + schema.spec.size)}",
            "a-${string(config)}",
        ),
    ],
)
def test_what_stands_for_each(over: str, name: str, iterator: str, written: str) -> None:
    found = upgrade(Document("", None, Text(rgd_around(example(name, over)))))
    assert found.text.content == rgd_around(
        example(written, f"\n      - {iterator}").replace("forEach: \n", "forEach:\n")
    )
    assert not found.left


@pytest.mark.parametrize(
    ("name", "over", "more", "said"),
    [
        ("${each.item}", "${schema.spec.size}", "", "a list or a map, which 'int' is not"),
        ("${string(each)}", "${schema.spec.names}", "", "nothing that stands for 'each' as a whole"),
        ("${has(each.item) ? 'a' : 'b'}", "${schema.spec.names}", "", "nothing that stands for 'each' as a whole"),
        ("${each.key}", "${schema.spec.names}", "", "each.key has no meaning over 'list(string)'"),
        (
            "${each.item}",
            "${schema.spec.names}",
            "    readyWhen: ${configs.exists(c, c.metadata.name != '')}\n",
            "it can say configs.all(...), and nothing about how many there are",
        ),
        (
            "${each.item}",
            "${schema.spec.names}",
            "    readyWhen: ${configs.all(c, size(configs) > 2)}\n",
            "knows 'each' alone, not 'configs' beside it",
        ),
    ],
)
def test_a_word_where_kro_has_no_form(name: str, over: str, more: str, said: str) -> None:
    text = rgd_around(example(name, over, more))
    found = upgrade(Document("", None, Text(text)))
    assert found.text.content == text
    (message,) = [each.message for each in found.left if each.code == "proposed-collection"]
    assert said in message


def test_a_name_without_each_is_left_to_decide() -> None:
    found = upgrade(Document("", None, Text(rgd_around(example("fixed")))))
    assert [each.code for each in found.left] == ["proposed-collection"]
    assert "kro wants the iterator in metadata.name" in found.left[0].message
    assert found.left[0].fixes


@pytest.mark.parametrize(
    ("over", "name", "said"),
    [
        ("${schema.spec.size}", "x", "forEach needs a list or a map, but this gives int"),
        ("${schema.spec.names}", "${each.key}", "unknown field 'key'"),
        ("${schema.spec.names}", "${each.index}", "needs string, but this gives int"),
        ("${schema.spec.labels}", "${each.item}", "unknown field 'item'"),
        ("${schema.spec.labels}", "${each.value + 1}", "'+' does not work on string and int"),
        ("${each.item}", "x", "each"),
    ],
)
def test_the_dialect_has_types(over: str, name: str, said: str) -> None:
    (message,) = errors(example(name, over))
    assert said in message


def test_the_dialect_takes_the_form_of_kro_as_well() -> None:
    assert errors(example("${name}", "[{name: '${schema.spec.names}'}]")) == []


def test_range_in_the_form_of_kro() -> None:
    check_diagnostics(
        """
        resources:
          - id: configs
            forEach:
              - turn: ${range(0, 3)}
            #           ^^^^^ proposed-collection: kro has 'lists.range'
            template:
              apiVersion: v1
              kind: ConfigMap
              metadata:
                name: a-${string(turn)}
        """
    )


def test_items_of_a_collection_of_kro_are_no_field() -> None:
    status = '  status: {n: "${size(configs.items)}"}\nresources:'
    text = example("${name}", "[{name: '${schema.spec.names}'}]").replace("resources:", status)
    (message,) = errors(text)
    assert "items" in message or "field selection" in message


def test_near_miss() -> None:
    check_diagnostics("""
resources:
  - id: configs
    forEach:
      - name: ${["a", "b"]}
#             ~~~~~~~~~~~~~ proposed-collection
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}-${name}
""")
