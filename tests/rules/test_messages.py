"""Every message is short, in one style, and begins with what is wrong; kro's own text is beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import pytest

from kro_ls.rules.diagnosis import Diagnosis, diagnose_text
from kro_ls.rules.diagnostics import Diagnostic, Severity
from kro_ls.rules.registry import RULES, fits, rules_for
from kro_ls.yaml_positions.text import Text
from tests.conformance.own_definitions import definitions
from tests.conformance.schemas import diagnose_file
from tests.fixtures.definitions import rgd_around
from tests.paths import CONFORMANCE

SHOWN = 60
"""The characters that a list of problems shows at least."""

LONGEST = 100
WHOLE = 160
"""The characters of a message with what it says after its first sentence."""

LISTED = 8
"""The names that a message enumerates."""
EVERY = 20  # of the shared definitions, so many are left out between two

NAMED_AT_PLACE = frozenset(
    """
    conflicting-iterator-name duplicate-key duplicate-resource-id invalid-iterator-name invalid-kind invalid-resource-id
    invalid-version iterator-reference misplaced-reference pending-optional-field reserved-resource-id self-reference
    shadowed-name undefined-field unknown-field unknown-function unknown-kind unknown-kubernetes-kind unknown-marker
    unknown-method unknown-template-field unknown-type unresolved-reference unused-iterator unused-schema-field
    unused-type
    """.split()
)
"""The rules that mark a name which is wrong."""

TOKEN_DUMPS = (
    "mismatched input",
    "no viable alternative",
    "expecting {",
    "<EOF>",
    "interface {}",
    "strconv.",
    "__type_",
)


@cache
def found() -> tuple[tuple[str, Diagnostic], ...]:
    """Return the diagnostics of examples, of our own definitions and of some shared ones, with the text at fault."""
    return tuple(
        (diagnosis.analysis.text.content[each.span.start : each.span.end], each)
        for diagnosis in _diagnoses()
        for each in diagnosis.diagnostics
    )


def _diagnoses() -> Iterator[Diagnosis]:
    texts = [rgd_around(side) for rule in RULES for side in (rule.wrong, rule.right) if side]
    texts += [each.text for name in ("examples", "definitions") for each in definitions(name)]
    yield from (diagnose_text(Text(text)) for text in texts)
    for folder in ("rgds", "faults"):
        for path in sorted((CONFORMANCE / folder).glob("*.yaml"))[::EVERY]:
            yield diagnose_file(CONFORMANCE, path)


def first_sentence(message: str) -> str:
    return re.split(r"; |\. ", message)[0]


def unquoted(message: str) -> str:
    """Return a message without its parts in single quotes."""
    return re.sub(r"'(?:[^']|''')*'", "", message)


def test_nearly_every_rule_has_a_message_here() -> None:
    assert len({each.code for _, each in found()}) > 0.85 * sum(bool(rule.wrong) for rule in RULES)


def test_first_sentences_are_short() -> None:
    first = {first_sentence(each.message) for _, each in found()}
    long = [sentence for sentence in first if len(sentence) > LONGEST]
    assert len(long) <= 0.01 * len(first), long


def test_no_message_shows_what_a_parser_expected() -> None:
    assert [each.message for _, each in found() if any(dump in each.message for dump in TOKEN_DUMPS)] == []


def test_messages_quote_in_one_style_and_end_alike() -> None:
    for message in {each.message for _, each in found()}:
        assert "`" not in message
        assert '"' not in unquoted(message), message
        assert not message.endswith("."), message
        assert "\n" not in message


def test_the_wrong_name_is_among_the_first_characters() -> None:
    for text, each in found():
        name = text.strip("\"'")
        if each.code in NAMED_AT_PLACE and len(name) < SHOWN - 10 and "\n" not in name:
            assert name in each.message[:SHOWN], (name, each.message)


def test_what_kro_prints_is_beside_every_error() -> None:
    missing = {(each.code, each.message) for _, each in found() if each.severity is Severity.ERROR}
    missing -= {(each.code, each.message) for _, each in found() if each.kro_message}
    assert missing == set()


def test_the_page_of_a_rule_has_what_kro_prints() -> None:
    templates = {rule.code: rule.kro_messages for rule in RULES}
    printed = {(each.code, each.kro_message) for _, each in found() if each.kro_message}
    unknown = {(code, text) for code, text in printed if not any(fits(each, text) for each in templates[code])}
    assert unknown == set()


def test_a_message_is_not_what_kro_prints() -> None:
    same = {each.message for _, each in found() if each.kro_message == each.message}
    assert len(same) <= 2, same


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("failed to build dependency graph: graph contains a cycle: a -> b -> a", {"dependency-cycle"}),
        ("graph contains a cycle", {"dependency-cycle", "recursive-type"}),
        ("references unknown identifiers: [schema]", {"unresolved-reference", "misplaced-reference"}),
        ("field name: unknown type: strinx", {"unknown-type"}),
        ('ERROR: <input>:1:4: undefined field "x"\n | a.x\n | ^', set()),
        ("ERROR: <input>:1:4: undefined field 'x'\n | a.x\n | ^", {"undefined-field"}),
        ("nothing that kro says", set()),
    ],
)
def test_texts_lead_to_rules(text: str, codes: set[str]) -> None:
    assert {rule.code for rule in rules_for(text)} == codes


TRANSLATED = re.compile(r"\b(is no (?!longer)|is a whole number|has to be|are to be|stands here|is to be)\b")


def test_messages_are_plain_and_idiomatic() -> None:
    """No list of everything that there is, nothing that reads as a translation, no words of Go."""
    for message in {each.message for _, each in found()}:
        assert not TRANSLATED.search(message), message
        assert "error parsing" not in message, message
        assert message.count("', '") <= LISTED, message
        assert len(message) <= WHOLE, message
