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


def test_the_fixed_text_of_standard_input_goes_to_standard_output(invoke: Invoke) -> None:
    result = invoke("check", "--fix", "-", stdin=BOTH)
    assert result.stdout == BOTH.replace("shema", "schema")
    assert result.stderr.startswith("<stdin>: fixed: Change to 'schema'")
    assert "<stdin>:23:23: warning[unterminated-expression]" in result.stderr
    assert "unresolved-reference" not in result.stderr
    assert result.exit_code == 1
    quiet = invoke("check", "--fix", "-q", "--exit-zero", "--format", "concise", "-", stdin=BOTH)
    assert (quiet.exit_code, quiet.stdout) == (0, result.stdout)
    assert quiet.stderr.splitlines()[0].startswith("<stdin>:23:23: unterminated-expression ")


@pytest.mark.parametrize("text", [GOOD, "kind: ConfigMap\r\nname: \u00e9\n", "", "a: [\n"])
def test_what_needs_no_fix_comes_out_as_it_was(invoke: Invoke, text: str) -> None:
    assert invoke("check", "--fix", "-", stdin=text.encode()).stdout_bytes == text.encode()


def test_files_beside_standard_input_are_fixed_in_place(invoke: Invoke) -> None:
    Path("bad.yaml").write_text(ERROR)
    result = invoke("check", "--fix", "-", "bad.yaml", stdin=ERROR)
    assert result.stdout == Path("bad.yaml").read_text() == ERROR.replace("shema", "schema")
    assert result.exit_code == 0
    assert "Checked 2 files" in result.stderr


def test_the_difference_of_fixes_of_standard_input(invoke: Invoke) -> None:
    for arguments in (("--diff", "--fix"), ("--diff",)):
        result = invoke("check", *arguments, "-", stdin=ERROR)
        assert result.stdout.startswith("--- <stdin>\n+++ <stdin>\n")
        assert (result.stderr, result.exit_code) == ("", 1)


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
        assert "see --show hint" not in shown.stdout
        assert shown.exit_code == 0


@pytest.mark.parametrize(("level", "codes"), [("error", 1), ("errors", 1), ("warning", 2), ("hint", 2), (None, 2)])
def test_programs_get_everything_unless_a_level_is_asked_for(invoke: Invoke, level: str | None, codes: int) -> None:
    Path("bad.yaml").write_text(BOTH)
    arguments = ("check", "bad.yaml", *(("--show", level) if level else ()))
    shown = {each["code"] for each in json.loads(invoke(*arguments, "--format", "json").stdout)}
    assert len(shown) == codes
    assert {each["check_name"] for each in json.loads(invoke(*arguments, "--format", "gitlab").stdout)} == shown
    (run,) = json.loads(invoke(*arguments, "--format", "sarif").stdout)["runs"]
    assert {each["ruleId"] for each in run["results"]} == shown
    assert invoke(*arguments, "--format", "junit").stdout.count("<failure ") == codes
    counted = json.loads(invoke(*arguments, "--statistics", "--format", "json").stdout)
    assert {each["code"] for each in counted} == shown
    assert invoke(*arguments).exit_code == 1


@pytest.mark.parametrize("output_format", ["json", "sarif", "gitlab"])
def test_hints_are_for_programs(invoke: Invoke, output_format: str) -> None:
    Path("file.yaml").write_text(WARNING)
    arguments = ("check", "file.yaml", "--severity", "unterminated-expression=hint", "--format", output_format)
    code = '"unterminated-expression"'
    described = 1 if output_format == "sarif" else 0  # among the rules
    assert invoke(*arguments).stdout.count(code) == 1 + described
    assert invoke(*arguments, "--show", "information").stdout.count(code) == described


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


def test_two_definitions_of_one_kind_in_a_file_are_reported_at_the_instance(invoke: Invoke) -> None:
    first, second = GOOD.replace("name: string", "one: string"), GOOD.replace("name: string", "two: string")
    instance = "apiVersion: kro.run/v1alpha1\nkind: App\nmetadata: {name: x}\nspec: {one: a}\n"
    Path("app.yaml").write_text("---\n".join([first, second.replace("name: app", "name: other", 1), instance]))
    found = json.loads(invoke("check", "app.yaml", "--format", "json", "--show", "information").stdout)
    (reported,) = [each for each in found if each["code"] == "several-definitions"]
    assert reported["message"].startswith("2 definitions declare App; this is checked by app.yaml, the ")
    (first_line,) = [
        number for number, line in enumerate(Path("app.yaml").read_text().splitlines()) if line == "kind: App"
    ]
    assert reported["range"]["start"]["line"] == first_line


def test_shards_check_all_files_once(invoke: Invoke, tmp_path: Path) -> None:
    for number in range(7):
        (tmp_path / f"{number}.yaml").write_text(ERROR, encoding="utf-8")
    found = []
    for shard in ("1/3", "2/3", "3/3"):
        result = invoke("check", ".", "--shard", shard, "--format", "concise", "-q")
        assert result.exit_code == 1
        found.append([line.partition(":")[0] for line in result.stdout.splitlines()])
    assert found == [["0.yaml", "3.yaml", "6.yaml"], ["1.yaml", "4.yaml"], ["2.yaml", "5.yaml"]]


def test_a_shard_knows_the_kinds_of_the_other_files(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(GOOD, encoding="utf-8")
    declared = "apiVersion: kro.run/v1alpha1\nkind: App\nmetadata: {name: a}\nspec: {name: 1}\n"
    (tmp_path / "b.yaml").write_text(declared, encoding="utf-8")
    assert "invalid-instance" in invoke("check", ".", "--shard", "2/2", "--format", "concise").stdout
    assert invoke("check", ".", "--shard", "1/2").exit_code == 0


@pytest.mark.parametrize("shard", ["0/2", "3/2", "1", "a/b", "1/0", "-1/2"])
def test_what_is_no_shard_is_refused(invoke: Invoke, tmp_path: Path, shard: str) -> None:
    result = invoke("check", str(tmp_path), "--shard", shard)
    assert result.exit_code == 2
    assert "is not NUMBER/COUNT, such as 1/4 for the first of four parts." in result.stderr
