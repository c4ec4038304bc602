"""The kinds that a check knows, and what it says of those it does not know."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from tests.fixtures.definitions import APP
from tests.fixtures.processes import Invoke
from tests.paths import needs_pack

CRD = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: buckets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Bucket, plural: buckets}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties: {spec: {type: object, properties: {size: {type: integer}}}}
"""


def using(api_version: str, kind: str, spec: str = "size: big") -> str:
    """Return a definition with one resource of a kind; its `spec` does not fit the kind above."""
    return APP + (
        f"    - id: thing\n      template:\n        apiVersion: {api_version}\n        kind: {kind}\n"
        f"        metadata: {{name: '${{schema.spec.name}}'}}\n        spec: {{{spec}}}\n"
    )


BUCKET = using("example.com/v1", "Bucket")


def errors(invoke: Invoke, *arguments: str) -> list[str]:
    result = invoke("check", *arguments, "--format", "json")
    return [each["code"] for each in json.loads(result.stdout) if each["severity"] == "error"]


def test_kinds_of_the_checked_folder_are_known(invoke: Invoke) -> None:
    Path("app.yaml").write_text(BUCKET)
    assert errors(invoke, ".") == []
    Path("zcrd.yaml").write_text(CRD)
    assert errors(invoke, ".") == ["template-value-type"]
    assert errors(invoke, "app.yaml") == []
    assert errors(invoke, "app.yaml", "zcrd.yaml") == ["template-value-type"]


def test_a_definition_is_never_told_to_create_its_own_kind(invoke: Invoke) -> None:
    Path("app.yaml").write_text(using("kro.run/v1alpha1", "Apps"))
    hint = "unknown kind 'kro.run/v1alpha1 Apps'; "
    shown = invoke("check", "app.yaml", "--show", "hints").stdout
    assert f"{hint}add its CustomResourceDefinition" in shown
    assert "Change to 'App'" not in shown
    Path("other.yaml").write_text(APP.replace("kind: App", "kind: App2"))
    assert f"{hint}did you mean 'kro.run/v1alpha1 App2'?" in invoke("check", ".", "--show", "hints").stdout


def test_kinds_that_other_definitions_generate_are_known(invoke: Invoke) -> None:
    Path("a.yaml").write_text(using("kro.run/v1alpha1", "Other", "nam: x"))
    Path("b.yaml").write_text(
        using("v1", "Pod", "containers: [{name: web, image: nginx}]").replace("kind: App", "kind: Other")
    )
    assert errors(invoke, ".") == ["unknown-template-field"]


@pytest.mark.parametrize("named", ["crds", "crds/bucket.yaml", "crds/*.yaml", "*/b*"])
def test_crds_are_files_folders_and_globs(invoke: Invoke, named: str) -> None:
    Path("app").mkdir()
    Path("app/app.yaml").write_text(BUCKET)
    Path("crds").mkdir()
    Path("crds/bucket.yaml").write_text(CRD)
    assert errors(invoke, "app") == []
    assert errors(invoke, "app", "--crds", named) == ["template-value-type"]
    assert errors(invoke, "app", "--crds", str(Path(named).absolute())) == ["template-value-type"]


def test_standard_input_may_hold_the_crd_too(invoke: Invoke) -> None:
    result = invoke("check", "-", stdin=f"{CRD}---\n{BUCKET}")
    assert "error[template-value-type]" in result.stdout


@pytest.mark.skipif(sys.platform != "linux", reason="pipes have no paths here")
def test_crds_may_come_through_a_pipe(invoke: Invoke) -> None:
    Path("app.yaml").write_text(BUCKET)
    reader, writer = os.pipe()
    os.write(writer, CRD.encode())
    os.close(writer)
    assert errors(invoke, "app.yaml", "--crds", f"/dev/fd/{reader}") == ["template-value-type"]
    os.close(reader)


def test_crds_that_cannot_be_read_are_reported(invoke: Invoke) -> None:
    Path("app").mkdir()
    Path("app/app.yaml").write_text(BUCKET)
    Path("crd.yaml").write_bytes(CRD.replace("size", "größe").encode("latin-1"))
    result = invoke("check", "app", "--crds", "crd.yaml")
    assert result.exit_code == 2
    assert "crd.yaml: not UTF-8" in result.stderr


def test_crds_that_name_nothing_are_a_mistake(invoke: Invoke) -> None:
    Path("app.yaml").write_text(BUCKET)
    result = invoke("check", "app.yaml", "--crds", "nowhere/*.yaml")
    assert result.exit_code == 2
    assert "--crds nowhere/*.yaml: nothing is there; check the path" in result.stderr


def test_unknown_kinds_are_summed_up_in_one_line(invoke: Invoke) -> None:
    Path("a.yaml").write_text(BUCKET)
    Path("b.yaml").write_text(BUCKET)
    result = invoke("check", ".")
    assert result.exit_code == 0
    assert result.stdout.endswith("1 kind is unknown and was not checked: example.com/v1 Bucket; see --crds\n")
    assert "[unknown-kind]" not in result.stdout
    Path("c.yaml").write_text(using("example.com/v1", "Topic"))
    expected = "2 kinds are unknown and were not checked: example.com/v1 Bucket, example.com/v1 Topic; see --crds\n"
    assert invoke("check", ".").stdout.endswith(expected)
    assert invoke("check", ".", "--format", "github").stdout.endswith(expected)
    assert "see --crds" not in invoke("check", ".", "--severity", "unknown-kind=off").stdout


def test_where_all_kinds_are_known_an_unknown_one_can_fail(invoke: Invoke) -> None:
    Path("app.yaml").write_text(BUCKET)
    result = invoke("check", "app.yaml", "--severity", "unknown-kind=error")
    assert result.exit_code == 1
    assert "error[unknown-kind]" in result.stdout
    assert "see --crds" not in result.stdout


def test_the_version_of_kubernetes(invoke: Invoke) -> None:
    Path("app.yaml").write_text(using("v1", "Pod", "containers: [{name: web, image: nginx}]"))
    assert invoke("check", "app.yaml", "--kubernetes-version", "1.36").exit_code == 0
    result = invoke("check", "app.yaml", "--kubernetes-version", "1.2")
    assert result.exit_code == 2
    assert "Kubernetes 1.2 is not bundled; there are 1.37" in result.stderr


def test_broken_crds_are_warned_of(invoke: Invoke) -> None:
    Path("crd.yaml").write_text(CRD.replace("Namespaced", "Everywhere"))
    result = invoke("check", ".")
    assert result.exit_code == 1
    assert "crd.yaml:6:10: warning[broken-crd]: 'Everywhere' is not a scope" in result.stdout
    quiet = invoke("check", ".", "--severity", "broken-crd=off")
    assert quiet.exit_code == 0
    sarif = json.loads(invoke("check", ".", "--format", "sarif").stdout)
    assert [each["ruleId"] for each in sarif["runs"][0]["results"]] == ["broken-crd"]


ROLE = using("iam.services.k8s.aws/v1alpha1", "Role", "assumeRolePolicyDocument: 5, name: a")


@needs_pack
def test_what_rests_on_kinds_that_come_with_kro_ls_does_not_fail(invoke: Invoke) -> None:
    Path("app.yaml").write_text(ROLE)
    found = invoke("check", ".")
    assert found.exit_code == 0
    assert "warning[template-value-type]" in found.stdout
    assert "bundled with kro-ls)" in found.stdout
    assert (
        "\n1 diagnostic rests on kinds that come with kro-ls, and cannot fail the check; see --kinds\n" in found.stdout
    )
    assert invoke("check", ".", "--kinds", "strict").exit_code == 1
    off = invoke("check", ".", "--kinds", "iam.services.k8s.aws=off")
    assert "1 kind is unknown and was not checked: iam.services.k8s.aws/v1alpha1 Role" in off.stdout
    assert 'failures="0"' in invoke("check", ".", "--format", "junit").stdout


@needs_pack
def test_a_folder_decides_about_kinds_that_come_with_kro_ls(invoke: Invoke) -> None:
    Path("app.yaml").write_text(ROLE)
    Path(".kro-ls.yaml").write_text('kinds: {"*.k8s.aws": strict}\n')
    assert errors(invoke, ".") == ["template-value-type"]
    assert errors(invoke, ".", "--kinds", "warn") == []
    Path(".kro-ls.yaml").write_text('kinds: {"*": maybe}\n')
    refused = invoke("check", ".")
    assert refused.exit_code == 2
    assert "line 1: " in refused.stderr


def test_a_wrong_choice_is_refused(invoke: Invoke) -> None:
    refused = invoke("check", ".", "--kinds", "aws=maybe")
    assert refused.exit_code == 2
    assert "'aws=maybe' is not one of warn, strict, off, nor GROUP= with one of them." in refused.stderr


@needs_pack
def test_upgrade_and_diff_know_the_settings_of_the_folder(invoke: Invoke) -> None:
    definition = using("iam.services.k8s.aws/v1alpha1", "Role", "nam: x")
    Path("app.yaml").write_text(definition)
    Path("new.yaml").write_text(definition.replace("nam: x", "nam: y"))
    assert invoke("upgrade", "--diff", "app.yaml").exit_code == 0, "what comes with kro-ls only warns"
    Path(".kro-ls.yaml").write_text('kinds: {"*.k8s.aws": strict}\n')
    found = invoke("upgrade", "--diff", "app.yaml")
    assert (found.exit_code, "unknown field 'nam'" in found.output) == (1, True)
    Path(".kro-ls.yaml").write_text("crds: [missing.yaml]\n")
    found = invoke("diff", "app.yaml", "new.yaml")
    assert (found.exit_code, "missing.yaml" in found.output) == (2, True)
