"""What `kro-ls check` can be asked for, with the habits of ruff."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kro_ls.rules.registry import RULES
from tests.fixtures.definitions import rgd_of_config_maps
from tests.fixtures.processes import CYCLE, ERROR, GOOD, SILENCED_ERROR, WARNING, Invoke

BOTH = rgd_of_config_maps(("config", "${shema.spec.name}"), ("other", "hello-${schema.spec.name"))


def test_concise_has_a_line_for_each(invoke: Invoke) -> None:
    Path("bad.yaml").write_text(BOTH)
    result = invoke("check", "bad.yaml", "--output-format", "concise")
    first, second, _summary = result.stdout.splitlines()
    assert first.startswith("bad.yaml:17:19: unresolved-reference ")
    assert second.startswith("bad.yaml:23:23: unterminated-expression ")
    assert result.exit_code == 1


def test_both_names_of_the_format_option_work(invoke: Invoke) -> None:
    Path("bad.yaml").write_text(ERROR)
    assert (
        invoke("check", "bad.yaml", "--format", "json").stdout
        == invoke("check", "bad.yaml", "--output-format", "json").stdout
    )


def test_standard_input_stands_for_a_file(invoke: Invoke) -> None:
    Path("here").mkdir()
    Path("here/.kro-ls.yaml").write_text("severity: {unresolved-reference: hint}\n")
    plain = invoke("check", "-", "--format", "concise", stdin=ERROR)
    assert plain.stdout.startswith("<stdin>:17:19: ")
    options = ("--stdin-filename", "here/bad.yaml", "--show", "hints", "--format", "concise")
    named = invoke("check", "-", *options, stdin=ERROR)
    assert named.stdout.startswith("here/bad.yaml:17:19: ")
    assert (plain.exit_code, named.exit_code) == (1, 0)


def test_fixes_of_standard_input_never_reach_the_file_it_stands_for(invoke: Invoke) -> None:
    Path("bad.yaml").write_text(ERROR)
    invoke("check", "-", "--fix", "--stdin-filename", "bad.yaml", stdin=ERROR)
    assert Path("bad.yaml").read_text() == ERROR


@pytest.mark.parametrize(
    ("arguments", "codes"),
    [
        ((), {"unresolved-reference", "unterminated-expression"}),
        (("--select", "unresolved-reference"), {"unresolved-reference"}),
        (("--select", "un"), {"unresolved-reference", "unterminated-expression"}),
        (("--select", "unre,unte"), {"unresolved-reference", "unterminated-expression"}),
        (("--select", "unre", "--select", "unte"), {"unresolved-reference", "unterminated-expression"}),
        (("--ignore", "un"), set()),
        (("--ignore", "unre"), {"unterminated-expression"}),
        (("--select", "un", "--ignore", "unre"), {"unterminated-expression"}),
        (("--select", "unre", "--ignore", "un"), {"unresolved-reference"}),
        (("--select", "unre", "--ignore", "unre"), set()),
    ],
)
def test_the_longest_beginning_of_a_code_decides(invoke: Invoke, arguments: tuple[str, ...], codes: set[str]) -> None:
    Path("bad.yaml").write_text(BOTH)
    found = json.loads(invoke("check", "bad.yaml", "--format", "json", *arguments).stdout)
    assert {each["code"] for each in found} == codes


def test_an_ignored_refusal_is_counted(invoke: Invoke) -> None:
    Path("bad.yaml").write_text(ERROR)
    result = invoke("check", "bad.yaml", "--ignore", "unresolved-reference")
    assert result.exit_code == 0
    assert result.stdout.endswith("0 errors, 0 warnings; 1 silenced error: kro will still refuse it\n")


def test_selecting_counts_more_than_the_folder_and_less_than_comments(invoke: Invoke) -> None:
    Path(".kro-ls.yaml").write_text("severity: {unresolved-reference: off}\n")
    Path("bad.yaml").write_text(ERROR)
    assert invoke("check", "bad.yaml").exit_code == 0
    assert invoke("check", "bad.yaml", "--select", "unresolved").exit_code == 1
    off = ("--severity", "unresolved-reference=off")
    assert invoke("check", "bad.yaml", "--select", "unresolved", *off).exit_code == 0
    Path("bad.yaml").write_text(SILENCED_ERROR)
    result = invoke("check", "bad.yaml", "--select", "unresolved")
    assert (result.exit_code, "1 silenced error" in result.stdout) == (0, True)


def test_a_code_that_no_rule_has(invoke: Invoke) -> None:
    result = invoke("check", "bad.yaml", "--select", "unresolvd-reference")
    assert result.exit_code == 2
    assert "did you mean 'unresolved-reference'?" in result.stderr


def test_hints_are_shown_on_demand(invoke: Invoke) -> None:
    Path("file.yaml").write_text(WARNING)
    arguments = ("check", "file.yaml", "--severity", "unterminated-expression=hint")
    for output_format in ("text", "concise", "github"):
        assert "unterminated-expression" not in invoke(*arguments, "--format", output_format).stdout
        shown = invoke(*arguments, "--format", output_format, "--show", "hints")
        assert "unterminated-expression" in shown.stdout
        assert "see --show hints" not in shown.stdout
        assert shown.exit_code == 0


def test_only_errors_are_shown_on_demand(invoke: Invoke) -> None:
    Path("bad.yaml").write_text(BOTH)
    result = invoke("check", "bad.yaml", "--show", "errors")
    assert "unresolved-reference" in result.stdout
    assert "unterminated-expression" not in result.stdout
    assert "1 error, 1 warning" in result.stdout


def test_statistics(invoke: Invoke) -> None:
    Path("a.yaml").write_text(ERROR)
    Path("b.yaml").write_text(BOTH)
    first, second, summary = invoke("check", ".", "--statistics").stdout.splitlines()
    assert first.split()[:2] == ["2", "unresolved-reference"]
    assert second.split()[:2] == ["1", "unterminated-expression"]
    assert summary.startswith("Checked 2 files")
    (one, _) = json.loads(invoke("check", ".", "--statistics", "--format", "json").stdout)
    assert (one["code"], one["severity"], one["count"]) == ("unresolved-reference", "error", 2)
    assert one["summary"] == next(rule.summary for rule in RULES if rule.code == one["code"])
    assert invoke("check", ".", "--statistics", "--format", "sarif").exit_code == 2


def test_exit_zero_is_about_findings_alone(invoke: Invoke) -> None:
    Path("bad.yaml").write_text(ERROR)
    assert invoke("check", "bad.yaml", "--exit-zero").exit_code == 0
    assert invoke("check", "bad.yaml", "missing.yaml", "--exit-zero").exit_code == 2


def test_quiet_prints_what_was_found_and_nothing_else(invoke: Invoke) -> None:
    Path("good.yaml").write_text(GOOD)
    Path("bad.yaml").write_text(ERROR)
    assert invoke("check", "good.yaml", "-q").output == ""
    (line,) = invoke("check", "bad.yaml", "-q", "--format", "concise").output.splitlines()
    assert "unresolved-reference" in line
    Path("empty.yaml").touch()
    assert invoke("check", "empty.yaml", "--quiet").output == ""


def test_a_difference_is_shown_and_not_written(invoke: Invoke) -> None:
    Path("bad.yaml").write_text(ERROR)
    Path("good.yaml").write_text(GOOD)
    result = invoke("check", ".", "--fix", "--diff")
    assert result.exit_code == 1
    assert "--- bad.yaml\n+++ bad.yaml\n" in result.stdout
    assert "-          name: ${shema.spec.name}\n+          name: ${schema.spec.name}\n" in result.stdout
    assert "good.yaml" not in result.stdout
    assert Path("bad.yaml").read_text() == ERROR
    assert invoke("check", "good.yaml", "--diff").exit_code == 0
    assert invoke("check", "missing.yaml", "--diff").exit_code == 2
    assert "+          name: ${schema.spec.name}\n" in invoke("check", "-", "--diff", stdin=ERROR).stdout


def test_only_what_is_reported_is_fixed(invoke: Invoke) -> None:
    Path("bad.yaml").write_text(ERROR)
    assert invoke("check", "bad.yaml", "--diff", "--ignore", "unresolved-reference").exit_code == 0
    invoke("check", "bad.yaml", "--fix", "--ignore", "unresolved-reference")
    assert Path("bad.yaml").read_text() == ERROR


def test_watching_and_writing_exclude_one_another(invoke: Invoke) -> None:
    for more in (("x.yaml", "--fix"), ("x.yaml", "--diff"), ("-",)):
        assert invoke("check", "--watch", *more).exit_code == 2


def test_related_files_of_a_cycle_are_one_finding_in_statistics(invoke: Invoke) -> None:
    Path("cycle.yaml").write_text(CYCLE)
    assert invoke("check", "cycle.yaml", "--statistics").stdout.split()[:2] == ["1", "dependency-cycle"]
