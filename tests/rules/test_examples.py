"""Every rule's examples: the wrong one shows the rule and nothing else, the right one shows nothing."""

import re
import textwrap
from inspect import isfunction

import pytest

from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.rules.registry import RULES, SHARED_CHECKS, modules, rules_of
from kro_ls.rules.rule import Rule
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd_around

CHECKS_OF_RULES = [name for name in Rule.__struct_fields__ if name.startswith("check_")]


def code_of(rule: Rule) -> str:
    return rule.code


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule.wrong], ids=code_of)
def test_wrong_example_shows_exactly_its_rule(rule: Rule) -> None:
    found = diagnose_text(Text(rgd_around(rule.wrong))).diagnostics
    assert {diagnostic.code for diagnostic in found} == {rule.code}, found
    assert {diagnostic.severity for diagnostic in found} == {rule.severity}


@pytest.mark.parametrize("rule", RULES, ids=code_of)
def test_right_example_shows_nothing(rule: Rule) -> None:
    assert diagnose_text(Text(rgd_around(rule.right))).diagnostics == ()


@pytest.mark.parametrize("rule", RULES, ids=code_of)
def test_texts_are_for_people(rule: Rule) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", rule.code)
    assert rule.summary.endswith(".")
    assert "\n" not in rule.summary
    assert rule.explanation == textwrap.dedent(rule.explanation).strip()


def test_codes_are_unique() -> None:
    codes = [rule.code for rule in RULES]
    assert len(codes) == len(set(codes))


def test_rules_of_a_shared_check_are_found_by_it_alone() -> None:
    rules = {rule.code: rule for rule in RULES}
    codes = [code for check in SHARED_CHECKS for code in check.codes]
    assert len(codes) == len(set(codes))
    for code in codes:
        rule = rules[code]
        assert not any(getattr(rule, check) for check in CHECKS_OF_RULES)


def test_each_rule_stands_with_what_finds_it() -> None:
    """In its module is its check, that of a table of rules, or the function by which another stage reports it."""
    for module in modules():
        rules = rules_of(module)
        checked = all(any(getattr(rule, check) for check in CHECKS_OF_RULES) for rule in rules)
        own = [each for each in vars(module).values() if isfunction(each) and each.__module__ == module.__name__]
        assert not rules or checked or hasattr(module, "CHECK") or own, module.__name__
