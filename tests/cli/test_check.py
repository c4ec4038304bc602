from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from kro_ls.cli import fixing
from kro_ls.openapi.sources.disk_cache import DiskCache
from kro_ls.repairs.upgrade import fix_everything
from kro_ls.workspace import check
from kro_ls.workspace.check import Found, check_document
from kro_ls.workspace.documents import Document
from tests.fixtures.definitions import rgd_of_config_maps
from tests.fixtures.processes import CYCLE, ERROR, GOOD, SILENCED_ERROR, WARNING, Invoke

NOT_A_DEFINITION = "apiVersion: v1\nkind: ConfigMap\n"
CLEAN = "Checked 1 file, 1 ResourceGraphDefinition: 0 errors, 0 warnings\n"


def test_a_good_file_is_clean(invoke: Invoke) -> None:
    Path("good.yaml").write_text(GOOD)
    result = invoke("check", "good.yaml")
    assert (result.exit_code, result.stdout, result.stderr) == (0, CLEAN, "")


def test_an_error_is_shown_at_its_token(invoke: Invoke) -> None:
    Path("bad.yaml").write_text(ERROR)
    result = invoke("check", "bad.yaml")
    assert result.exit_code == 1
    assert (
        result.stdout
        == """\
bad.yaml:17:19: error[unresolved-reference]: unknown name 'shema'; did you mean 'schema'?
   |
17 |           name: ${shema.spec.name}
   |                   ^^^^^
  note: kro's message: references unknown identifiers: [shema]
  help: Change to 'schema'

Checked 1 file, 1 ResourceGraphDefinition: 1 error, 0 warnings
"""
    )


def test_the_fixes_are_those_that_an_editor_offers(invoke: Invoke) -> None:
    Path("bad.yaml").write_text(ERROR.replace("${shema.spec.name}", "${string(schema.spec.name}"))
    assert "  help: Close the '('\n" in invoke("check", "bad.yaml").stdout


def test_of_a_patch_of_kustomize_only_a_hint_is_shown(invoke: Invoke) -> None:
    Path("kustomization.yaml").write_text("patches: [{path: patch.yaml}]\n")
    for name in ("patch.yaml", "other.yaml"):
        Path(name).write_text(ERROR.partition("  resources:")[0].partition("  schema:")[0])
    (found,) = json.loads(invoke("check", "patch.yaml", "--format", "json").stdout)
    assert found["code"] == "kustomize-patch"
    assert invoke("check", "patch.yaml").exit_code == 0
    assert invoke("check", "other.yaml").exit_code == 1
    Path("patch.yaml").write_text(ERROR + "broken: [\n")
    result = invoke("check", "patch.yaml")
    assert result.exit_code == 1
    assert "error[yaml-syntax]" in result.stdout
    assert "unresolved-reference" not in result.stdout


def test_after_much_work_only_what_the_rules_know_is_offered(invoke: Invoke) -> None:
    broken = ERROR.replace("${shema.spec.name}", "${string(schema.spec.name}")
    names = [f"{number:02}.yaml" for number in range(30)]
    for name in names:
        Path(name).write_text(broken)
    assert invoke("check", *names).stdout.count("  help: Close the '('\n") == 25


def test_a_warning_fails_and_a_hint_does_not(invoke: Invoke) -> None:
    Path("file.yaml").write_text(WARNING)
    assert invoke("check", "file.yaml").exit_code == 1
    for severity, shown, counted in (
        ("hint", False, "1 hint (see --show hint)"),
        ("information", True, "1 remark"),
    ):
        result = invoke("check", "file.yaml", "--severity", f"unterminated-expression={severity}")
        assert result.exit_code == 0
        assert (f"{severity}[" in result.stdout) is shown
        assert result.stdout.endswith(f"0 errors, 0 warnings, {counted}\n")


def test_severities_can_be_changed(invoke: Invoke) -> None:
    Path("file.yaml").write_text(ERROR)
    result = invoke("check", "file.yaml", "--severity", "unresolved-reference=warning")
    assert result.exit_code == 1
    assert "warning[unresolved-reference]" in result.stdout
    result = invoke("check", "file.yaml", "--severity", "unresolved-reference=off", "--severity", "cel-syntax=off")
    assert (result.exit_code, result.stdout) == (0, CLEAN)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("unresolvd-reference=off", "there is no rule 'unresolvd-reference'; did you mean 'unresolved-reference'?"),
        ("zzzzzzzzzzz=off", "'kro-ls explain' lists them"),
        ("unresolved-reference=fatal", "is not CODE=SEVERITY with one of error, warning, information, hint, off"),
        ("unresolved-reference", "is not CODE=SEVERITY"),
    ],
)
def test_a_wrong_severity_is_a_usage_error(invoke: Invoke, value: str, message: str) -> None:
    result = invoke("check", ".", "--severity", value)
    assert result.exit_code == 2
    assert message in result.stderr


def test_feature_gates(invoke: Invoke) -> None:
    Path("file.yaml").write_text(
        rgd_of_config_maps(("config", "${schema.metadata.name}"))
        + "        data:\n          key: '${has(schema.spec.name) ? schema.spec.name : omit()}'\n"
    )
    assert "error[omit-not-allowed]" in invoke("check", "file.yaml").stdout
    assert invoke("check", "file.yaml", "--feature-gate", "CELOmitFunction").exit_code == 0
    assert invoke("check", "file.yaml", "--feature-gate", "Omit").exit_code == 2


def test_silenced_errors_are_reported(invoke: Invoke) -> None:
    Path("file.yaml").write_text(SILENCED_ERROR)
    result = invoke("check", "file.yaml")
    assert result.exit_code == 0
    assert result.stdout == f"{CLEAN.strip()}; 1 silenced error: kro will still refuse it\n"


def test_silenced_warnings_are_counted(invoke: Invoke) -> None:
    Path("file.yaml").write_text(WARNING.rstrip() + "  # kro-ls: ignore[unterminated-expression]\n")
    result = invoke("check", "file.yaml")
    assert (result.exit_code, result.stdout) == (0, f"{CLEAN.strip()}, 1 silenced warning\n")


def test_a_folder_is_searched(invoke: Invoke) -> None:
    for name, content in {
        "a/bad.yaml": ERROR,
        "a/good.yml": GOOD,
        "a/config.yaml": NOT_A_DEFINITION,
        "a/ignored.yaml": ERROR,
        "a/empty.yaml": "",
        "a/latin.yaml": "kind: gr\xfcn",
        ".gitignore": "ignored.yaml",
    }.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(content, encoding="latin-1")
    result = invoke("check", ".")
    assert result.exit_code == 1
    assert result.stdout.startswith(f"a{os.sep}bad.yaml:17:19: error")
    assert result.stdout.endswith("Checked 2 files, 2 ResourceGraphDefinitions: 1 error, 0 warnings\n")
    assert result.stderr == ""
    assert "a/ignored.yaml:17:19" in invoke("check", "a/ignored.yaml").stdout, "a named file is checked though ignored"


def test_a_file_named_twice_is_checked_once(invoke: Invoke) -> None:
    Path("bad.yaml").write_text(ERROR)
    assert "Checked 1 file," in invoke("check", "bad.yaml", ".", "bad.yaml").stdout


def test_several_definitions_in_a_file(invoke: Invoke) -> None:
    Path("file.yaml").write_text(f"{GOOD}---\n{NOT_A_DEFINITION}---\n{ERROR}")
    result = invoke("check", "file.yaml")
    assert result.exit_code == 1
    assert "file.yaml:38:19: error" in result.stdout
    assert "Checked 1 file, 2 ResourceGraphDefinitions" in result.stdout


def test_standard_input(invoke: Invoke) -> None:
    result = invoke("check", "-", stdin=ERROR)
    assert result.exit_code == 1
    assert result.stdout.startswith("<stdin>:17:19: error[unresolved-reference]")


@pytest.mark.parametrize("content", ["", "\n", NOT_A_DEFINITION, "# nothing\n", "{{ if }}\n"])
def test_nothing_found(invoke: Invoke, content: str) -> None:
    Path("file.yaml").write_text(content)
    for path in ("file.yaml", "."):
        result = invoke("check", path)
        assert (result.exit_code, result.stdout) == (0, "")
        assert result.stderr == "no ResourceGraphDefinition found\n"


def test_a_folder_without_yaml(invoke: Invoke) -> None:
    Path("folder/deeper").mkdir(parents=True)
    Path("folder/notes.txt").write_text(ERROR)
    for output_format, stdout in (("text", ""), ("json", "[]\n"), ("github", "")):
        result = invoke("check", "folder", "--format", output_format)
        assert (result.exit_code, result.stdout, result.stderr) == (0, stdout, "no ResourceGraphDefinition found\n")


def test_what_cannot_be_read_does_not_stop_the_others(invoke: Invoke) -> None:
    Path("latin.yaml").write_bytes(GOOD.replace("app", "gr\xfcn").encode("latin-1"))
    Path("good.yaml").write_text(GOOD)
    result = invoke("check", "missing.yaml", "latin.yaml", "good.yaml")
    assert result.exit_code == 2
    assert result.stdout == CLEAN
    assert result.stderr == (
        "error: missing.yaml: no such file or folder; check the path\n"
        "error: latin.yaml: not UTF-8 (line 4); save it as UTF-8\n"
    )


def test_not_utf8_in_a_folder_counts_if_it_may_be_a_definition(invoke: Invoke) -> None:
    Path("latin.yaml").write_bytes(ERROR.replace("app", "gr\xfcn").encode("latin-1"))
    result = invoke("check", ".")
    assert result.exit_code == 2
    assert "latin.yaml: not UTF-8" in result.stderr


def test_a_fault_of_ours_does_not_hide_the_others(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(document: Document, cache: DiskCache | None) -> Found:
        if "crash" in document.text.content:
            raise RecursionError("too deep")
        return check_document(document, cache)

    monkeypatch.setattr(check, "check_document", failing)
    Path("a.yaml").write_text(rgd_of_config_maps(("crash", "x")))
    Path("b.yaml").write_text(GOOD)
    result = invoke("check", ".")
    assert (result.exit_code, result.stdout) == (2, CLEAN)
    assert result.stderr.startswith("error: a.yaml: kro-ls failed on this file, please report it: RecursionError: too ")
    assert "test_check.py:" in result.stderr


def test_a_path_is_required(invoke: Invoke) -> None:
    assert invoke("check").exit_code == 2


def test_related_places_are_shown(invoke: Invoke) -> None:
    Path("cycle.yaml").write_text(CYCLE)
    block = """\
  note: 'first' depends on 'second' here: cycle.yaml:17:19
   |
17 |           name: ${second.metadata.name}
   |                   ------
"""
    assert block in invoke("check", "cycle.yaml").stdout


def test_help_shows_the_exit_codes(invoke: Invoke) -> None:
    result = invoke("check", "--help")
    assert "1  errors or warnings" in result.stdout
    assert "hints do not fail" in result.stdout


BROKEN = GOOD.replace("kind: ResourceGraphDefinition", "kind: ResourceGraphDefinition # no").replace(
    "schema.metadata", "schma.metadata"
)
MENDED = BROKEN.replace("schma", "schema")


def test_what_is_certain_is_written(invoke: Invoke) -> None:
    assert BROKEN.count("schma") == 1
    Path("rgd.yaml").write_text(BROKEN)
    result = invoke("check", "--fix", "rgd.yaml")
    assert (result.exit_code, result.stdout) == (0, CLEAN)
    assert result.stderr.count("rgd.yaml: fixed: Change to 'schema': ") == 1
    assert Path("rgd.yaml").read_text() == MENDED


def test_a_file_that_cannot_be_written_does_not_stop_the_others(
    invoke: Invoke, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "b.yaml"
    for path in (Path("a.yaml"), elsewhere, Path("c.yaml")):
        path.write_text(BROKEN)
    Path("b.yaml").symlink_to(elsewhere)
    result = invoke("check", "--fix", ".", "b.yaml")
    assert result.exit_code == 2
    assert [Path(name).read_text() for name in ("a.yaml", "b.yaml", "c.yaml")] == [MENDED, BROKEN, MENDED]
    assert "b.yaml: fixed" not in result.stderr
    (message,) = [line for line in result.stderr.splitlines() if line.startswith("error: ")]
    assert message.startswith(f"error: b.yaml: it leads to {elsewhere}, outside of what was named")
    assert "b.yaml:" in result.stdout, "what is left to mend is still reported"
    assert invoke("check", "--fix", str(elsewhere)).exit_code == 0
    assert elsewhere.read_text() == MENDED


def test_a_file_that_changes_meanwhile_is_left_alone(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("rgd.yaml").write_text(BROKEN)

    def fix_and_append(*arguments: Any) -> Any:
        with Path("rgd.yaml").open("a") as file:
            file.write("# appended\n")
        return fix_everything(*arguments)

    monkeypatch.setattr(fixing, "fix_everything", fix_and_append)
    result = invoke("check", "--fix", "rgd.yaml")
    assert (result.exit_code, Path("rgd.yaml").read_text()) == (2, f"{BROKEN}# appended\n")
    assert "error: rgd.yaml: another program changed it meanwhile; run the command again" in result.stderr


def test_a_file_that_is_named_twice_is_fixed_once(invoke: Invoke) -> None:
    Path("rgd.yaml").write_text(BROKEN)
    Path("link.yaml").symlink_to("rgd.yaml")
    result = invoke("check", "--fix", "link.yaml", "rgd.yaml")
    assert (result.exit_code, Path("rgd.yaml").read_text()) == (0, MENDED)
    assert Path("link.yaml").is_symlink()


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_endings_and_the_byte_order_mark_stay(invoke: Invoke, mark: str) -> None:
    text = mark + BROKEN.replace("\n", "\r\n")
    Path("rgd.yaml").write_bytes(text.encode())
    assert invoke("check", "--fix", "rgd.yaml").exit_code == 0
    assert Path("rgd.yaml").read_bytes() == text.replace("schma", "schema").encode()


def test_instances_of_the_definitions_are_checked(invoke: Invoke) -> None:
    Path("defs").mkdir()
    Path("defs/app.yaml").write_text(GOOD)
    kind = GOOD.partition("    kind: ")[2].partition("\n")[0]
    version = GOOD.partition("    apiVersion: ")[2].partition("\n")[0]
    Path("defs/one.yaml").write_text(f"apiVersion: kro.run/{version}\nkind: {kind}\nmetadata: {{name: One}}\n")
    result = invoke("check", "defs")
    assert "one.yaml:3:18: error[invalid-instance]: " in result.stdout
    assert result.exit_code == 1


def test_the_settings_of_a_folder_count_unless_an_option_does(invoke: Invoke) -> None:
    Path("broken.yaml").write_text(ERROR)
    code = invoke("check", "broken.yaml").stdout.partition("error[")[2].partition("]")[0]
    Path(".kro-ls.yaml").write_text(f"severity: {{{code}: off}}\n")
    assert code not in invoke("check", "broken.yaml").stdout
    assert code in invoke("check", "broken.yaml", "--severity", f"{code}=error").stdout
    Path(".kro-ls.yaml").write_text("severity: {no-such-rule: off}\n")
    result = invoke("check", "broken.yaml")
    assert ".kro-ls.yaml: line 1: unknown rule 'no-such-rule'" in result.stderr
    assert result.exit_code == 2


def test_a_cluster_and_crds_that_the_settings_of_a_folder_name(invoke: Invoke) -> None:
    meta = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"
    node = {"type": "object", "x-kubernetes-group-version-kind": [{"group": "", "version": "v1", "kind": "Node"}]}
    definitions = {
        "io.k8s.api.core.v1.Node": node,
        meta: {"type": "object", "properties": {"name": {"type": "string"}}},
    }
    operation = {"get": {"x-kubernetes-group-version-kind": {"group": "", "version": "v1", "kind": "Node"}}}
    swagger = {"definitions": definitions, "paths": {"/api/v1/nodes/{name}": operation}}
    Path("inner").mkdir()
    Path("inner/good.yaml").write_text(GOOD)
    Path("swagger.json").write_text(json.dumps(swagger))
    Path(".kro-ls.yaml").write_text("openapi: [swagger.json]\n")
    assert "unknown-kubernetes-kind" in invoke("check", "inner").stdout
    assert invoke("check", "inner", "--kubernetes-version", "1.36").exit_code == 0
    Path(".kro-ls.yaml").write_text("crds: [gone]\n")
    result = invoke("check", "inner")
    assert (result.exit_code, ".kro-ls.yaml: 'crds' names gone, but nothing is there" in result.stderr) == (2, True)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
@pytest.mark.parametrize("setting", ["crds", "openapi"])
@pytest.mark.parametrize(
    "named", ["pipe.yaml", "*", "link.yaml", "/dev/zero", "/dev/stdin", "/**", "loops/**", "loops"]
)
def test_the_settings_of_a_folder_cannot_hold_a_check_up(invoke: Invoke, setting: str, named: str) -> None:
    Path("app").mkdir()
    Path("app/good.yaml").write_text(GOOD)
    os.mkfifo("pipe.yaml")
    Path("link.yaml").symlink_to("/dev/zero")
    Path("loops").mkdir()
    for number in range(40):
        Path(f"loops/{number}").symlink_to(".")
    Path(".kro-ls.yaml").write_text(f"{setting}: ['{named}']\n")
    result = invoke("check", "app", stdin="never read")
    assert "Checked 1 file" in result.stdout
    assert result.exit_code in (0, 2)
    if named.startswith("/"):
        assert f"'{setting}' names {named}, which is outside of its folder" in result.stderr
        assert ("name it with --crds" in result.stderr) == (setting == "crds")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
@pytest.mark.parametrize("arguments", ["pipe.yaml", ".", "app --crds pipe.yaml", "link.yaml", "/dev/zero"])
@pytest.mark.parametrize("command", ["check", "upgrade", "test", "diff app"])
def test_a_pipe_or_a_device_is_not_waited_for(invoke: Invoke, command: str, arguments: str) -> None:
    Path("app").mkdir()
    Path("app/good.yaml").write_text(GOOD)
    os.mkfifo("pipe.yaml")
    Path("link.yaml").symlink_to("/dev/zero")
    result = invoke(*command.split(), *arguments.split())
    if arguments != "." and command == "check":
        assert (result.exit_code, "a pipe, a device or a socket, which is not read" in result.stderr) == (2, True)


def test_links_lead_to_files_of_the_repository_or_of_the_working_folder(invoke: Invoke) -> None:
    for folder in ("repository/.git", "repository/shared", "repository/app", "elsewhere"):
        Path(folder).mkdir(parents=True)
    Path("repository/shared/a.yaml").write_text(ERROR)
    Path("elsewhere/b.yaml").write_text(ERROR)
    Path("repository/app/a.yaml").symlink_to("../shared/a.yaml")
    Path("repository/app/b.yaml").symlink_to("../../elsewhere/b.yaml")
    here = Path.cwd()
    assert "Checked 2 files" in invoke("check", "repository/app").stdout
    os.chdir("elsewhere")
    assert "Checked 2 files" in invoke("check", f"{here}/repository/app").stdout
    os.chdir("../repository")
    assert "Checked 1 file," in invoke("check", "app").stdout
    assert "Checked 1 file," in invoke("check", "app/b.yaml").stdout


def test_a_named_file_that_yaml_cannot_read_is_not_only_without_definitions(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "broken.yaml").write_text("apiVersion kro.run/v1alpha1\nkind:\nmetadata: {name: a\n")
    result = invoke("check", "broken.yaml")
    assert (result.exit_code, result.stdout) == (0, "")
    first, second = result.stderr.splitlines()
    assert first == "no ResourceGraphDefinition found"
    assert second.startswith("broken.yaml:1:1: YAML cannot read this: expected ':' after the key")
