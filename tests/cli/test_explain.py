from __future__ import annotations

from kro_ls.rules.registry import RULES
from tests.fixtures.processes import Invoke, start_on_terminal


def test_every_rule_is_explained(invoke: Invoke) -> None:
    for rule in RULES:
        for output_format in ("text", "markdown"):
            result = invoke("explain", rule.code, "--format", output_format)
            assert result.exit_code == 0
            assert result.stdout.startswith(f"# {rule.code}\n\n{rule.summary}\n\nSeverity: {rule.severity}")
            for part in (rule.explanation, *((rule.wrong, rule.right) if rule.wrong else ())):
                assert part.strip() in result.stdout
            assert ("## Wrong" in result.stdout) == bool(rule.wrong)


def test_without_a_code_all_rules_are_listed(invoke: Invoke) -> None:
    lines = invoke("explain").stdout.splitlines()
    assert [line.split(maxsplit=2) for line in lines] == [[rule.code, rule.severity, rule.summary] for rule in RULES]
    markdown = invoke("explain", "--format", "markdown").stdout
    assert all(f"[{rule.code}]({rule.code}.md)" in markdown for rule in RULES)


def test_a_wrong_code_gets_a_suggestion(invoke: Invoke) -> None:
    result = invoke("explain", "dependency-cicle")
    assert result.exit_code == 2
    assert result.stderr == "Error: there is no rule 'dependency-cicle'; did you mean 'dependency-cycle'?\n"
    assert "'kro-ls explain' lists them" in invoke("explain", "zzzzzzzzzzzz").stderr


def test_a_message_of_kro_leads_to_its_rule(invoke: Invoke) -> None:
    printed = "failed to build dependency graph: graph contains a cycle: a -> b -> a"
    for text in ((printed,), ("contains a cycle",), ("contains", "a", "cycle")):
        result = invoke("explain", *text)
        assert result.exit_code == 0
        assert "# dependency-cycle\n" in result.stdout
        assert "- `graph contains a cycle: ...`" in result.stdout


def test_a_message_of_several_rules_leads_to_all_of_them(invoke: Invoke) -> None:
    shown = invoke("explain", "references unknown identifiers: [schema]").stdout
    assert "# unresolved-reference\n" in shown
    assert "# misplaced-reference\n" in shown


def test_a_terminal_gets_a_layout() -> None:
    shown = start_on_terminal("explain", "dependency-cycle")
    assert "dependency-cycle" in shown
    assert "```" not in shown
    assert "\x1b[" in shown
    assert "\x1b[3" not in start_on_terminal("explain", "dependency-cycle", NO_COLOR="1")
