"""Comments that silence diagnostics: where they count, and the edits that write them."""

from __future__ import annotations

import tracemalloc

import pytest

from kro_ls.analysis.model.reading import CUTS
from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.rules.ignores import silence
from kro_ls.rules.registry import RULES
from kro_ls.rules.rule import Rule
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.scalars.writing import edited
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd_around
from tests.fixtures.diagnostics import check_diagnostics
from tests.rules.expressions.texts import in_name

CONFIG = """
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: config
      data:
"""


def silenced(content: str, number: int = 0) -> str:
    """Return the text after its diagnostic with this number was silenced, and check that it is, and alone."""
    text = Text(content)
    before = diagnose_text(text)
    chosen = before.diagnostics[number]
    document = parse_stream(text, CUTS).document_at(chosen.span.start)
    after = diagnose_text(Text(edited(content, silence(text, document, chosen).replacements)))
    assert chosen.code in {each.code for each in after.silenced}, after.analysis.text.content
    assert not {each.code for each in after.diagnostics} - {each.code for each in before.diagnostics}
    assert len(after.diagnostics) < len(before.diagnostics)
    return after.analysis.text.content


def lines_with_comments(content: str) -> list[str]:
    return [line.strip() for line in content.split("\n") if "kro-ls:" in line]


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule.wrong], ids=lambda rule: rule.code)
def test_every_rule_can_be_silenced(rule: Rule) -> None:
    silenced(rgd_around(rule.wrong))


@pytest.mark.parametrize(
    ("value", "lines"),
    [
        ("a: ${shema.x}", ["a: ${shema.x}  # kro-ls: ignore[unresolved-reference]"]),
        (
            "a: ${shema.x}  # kro-ls: ignore[other]",
            ["a: ${shema.x}  # kro-ls: ignore[other, unresolved-reference]"],
        ),
        ("a: ${shema.x}  # why", ["# kro-ls: ignore[unresolved-reference]"]),
        ("# kro-ls: ignore[other]\na: ${shema.x}  # why", ["# kro-ls: ignore[other, unresolved-reference]"]),
        ("a: |\n  one\n  ${shema.x}", ["# kro-ls: ignore[unresolved-reference]"]),
        ("a: >-\n\n  ${shema.x}\n\nb: c", ["# kro-ls: ignore[unresolved-reference]"]),
        ('a: "one\n  ${shema.x}\n  two"', ["# kro-ls: ignore[unresolved-reference]"]),
        ('a: "${shema.x}\n  two"', ["# kro-ls: ignore[unresolved-reference]"]),
        ("a: one\n  ${shema.x}", ["# kro-ls: ignore[unresolved-reference]"]),
        ("b: |\n  c\na: |\n  ${shema.x}", ["# kro-ls: ignore[unresolved-reference]"]),
    ],
)
def test_the_comment_stands_where_yaml_allows_one(value: str, lines: list[str]) -> None:
    content = rgd_around(CONFIG + "".join(f"        {line}\n" for line in value.split("\n")))
    assert lines_with_comments(silenced(content)) == lines


def test_windows_line_endings_are_kept() -> None:
    content = rgd_around(CONFIG + "        a: |\n          ${shema.x}\n").replace("\n", "\r\n")
    commented = silenced(content)
    assert commented.count("\n") == commented.count("\r\n") == content.count("\n") + 1


def test_a_comment_silences_the_text_that_begins_in_its_line() -> None:
    block = "        a: |  # kro-ls: ignore[unresolved-reference]\n          ${shema.x}\n          ${shma.x}\n"
    analysis = diagnose_text(Text(rgd_around(CONFIG + block + "        b: ${shema.x}\n")))
    assert [each.code for each in analysis.silenced] == ["unresolved-reference"] * 2
    assert [each.code for each in analysis.diagnostics] == ["unresolved-reference"], "the text ends there"


def test_comments_one_below_the_other_count_for_what_follows_the_last_alone() -> None:
    comment = "        # kro-ls: ignore[unresolved-reference]\n"
    fault = '        a: "${shema.spec.name}"\n'
    stack = diagnose_text(Text(rgd_around(CONFIG + comment * 500 + fault + fault.replace("a:", "b:"))))
    assert [each.code for each in stack.silenced] == ["unresolved-reference"]
    assert [each.code for each in stack.diagnostics] == ["unresolved-reference"]


def test_many_comments_take_little_memory() -> None:
    content = rgd_around(CONFIG + "        a: ${nothing}\n") + "# kro-ls: ignore[unknown-function]\n" * 20_000
    diagnose_text(Text(rgd_around(CONFIG)))  # objects that are created once
    tracemalloc.start()
    try:
        diagnose_text(Text(content))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 5 * len(content)


def test_a_silenced_line() -> None:
    check_diagnostics(in_name("${share.kind}  # kro-ls: ignore[unresolved-reference]"))
