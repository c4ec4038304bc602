"""`kro-ls diff`: kro's words about changed definitions, at the fields that change, and the instances that are hit."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.fixtures.processes import Invoke

OLD = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: app
spec:
  schema:
    apiVersion: v1
    kind: App
    types:
      Server: {host: string}
    spec:
      name: string | required=true
      replicas: integer
      servers: "[]Server"
    status:
      key: ${config.metadata.name}
  resources:
    - id: config
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${schema.spec.name}"}}
"""
INSTANCE = """\
apiVersion: kro.run/v1
kind: App
metadata: {name: one}
spec:
  name: one
  replicas: 3
"""


def changed(*pairs: tuple[str, str]) -> str:
    text = OLD
    for before, after in pairs:
        assert before in text
        text = text.replace(before, after)
    return text


@pytest.mark.parametrize(
    ("pair", "line"),
    [
        (("replicas: integer", "replicas: string"), "breaking new.yaml:13:7: spec.replicas: the type changed"),
        (("      replicas: integer\n", ""), "breaking new.yaml:11:5: spec.replicas: 'replicas' was removed"),
        (
            ("replicas: integer", "replicas: integer | required=true"),
            "breaking new.yaml:13:7: spec.replicas: 'replicas' is",
        ),
        (("{host: string}", "{host: integer}"), "breaking new.yaml:10:16: spec.servers[].host: the type changed"),
        (("replicas: integer", "replicas: integer | default=2"), "changed  new.yaml:13:7: spec.replicas: the default"),
        (("apiVersion: v1\n", "apiVersion: v2\n"), "breaking new.yaml:7:5: the type changed from 'v1' to 'v2'"),
        (
            ("config.metadata.name}", "config.metadata.name.size()}"),
            "breaking new.yaml:16:7: status.key: the type",
        ),
    ],
)
def test_a_change_is_reported_at_its_field(invoke: Invoke, pair: tuple[str, str], line: str) -> None:
    Path("old.yaml").write_text(OLD)
    Path("new.yaml").write_text(changed(pair))
    result = invoke("diff", "old.yaml", "new.yaml")
    assert line in result.stdout
    assert result.exit_code == (1 if "breaking" in line else 0)


def test_what_stays_new_kinds_and_those_that_are_gone(invoke: Invoke) -> None:
    Path("old.yaml").write_text(OLD)
    Path("new.yaml").write_text(OLD.replace("name: app", "name: other"))
    assert invoke("diff", "old.yaml", "new.yaml").stdout == "no kind changed\n"
    Path("new.yaml").write_text(changed(("kind: App", "kind: Shop")))
    result = invoke("diff", "old.yaml", "new.yaml")
    assert "Shop (kro.run): a new kind\n" in result.stdout
    assert "App (kro.run): no definition declares it any more; old.yaml did\n" in result.stdout
    assert result.exit_code == 1


def test_an_annotation_allows_what_breaks(invoke: Invoke) -> None:
    Path("old.yaml").write_text(OLD)
    allowing = '  name: app\n  annotations: {kro.run/allow-breaking-changes: "true"}\n'
    Path("new.yaml").write_text(changed(("replicas: integer", "replicas: string"), ("  name: app\n", allowing)))
    result = invoke("diff", "old.yaml", "new.yaml")
    assert "(allowed by kro.run/allow-breaking-changes)" in result.stdout
    assert result.exit_code == 0
    Path("one.yaml").write_text(INSTANCE)
    result = invoke("diff", "old.yaml", "new.yaml", "--instances", "one.yaml")
    assert "instance one.yaml:6:" in result.stdout
    assert result.exit_code == 0


@pytest.mark.parametrize(
    ("pair", "reported"),
    [
        (("kind: App\n", "kind: App\n    scope: Cluster\n"), "refused  new.yaml:9:5: scope is immutable"),
        (("kind: App\n", "kind: Shop\n"), "refused  new.yaml:8:5: kind is immutable"),
        (("kind: App\n", "kind: App\n    group: example.com\n"), "refused  new.yaml:9:5: group is immutable"),
        (("apiVersion: v1\n", "apiVersion: v2\n"), "refused  new.yaml:7:5: apiVersion is immutable"),
    ],
)
def test_what_the_api_server_keeps_of_a_definition(invoke: Invoke, pair: tuple[str, str], reported: str) -> None:
    Path("old.yaml").write_text(OLD)
    Path("new.yaml").write_text(changed(pair))
    result = invoke("diff", "old.yaml", "new.yaml")
    assert reported in result.stdout
    assert result.exit_code == 1
    Path("new.yaml").write_text(changed(pair, ("name: app", "name: other")))
    assert "is immutable" not in invoke("diff", "old.yaml", "new.yaml").stdout


SECOND = "    - id: extra\n      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: extra}}\n"


@pytest.mark.parametrize(
    ("pair", "reported"),
    [
        ((SECOND, ""), "kro deletes ConfigMap 'extra' of each instance: resource 'extra' is gone"),
        (
            ("{name: extra}", "{name: more}"),
            "ConfigMap 'extra' of each instance: resource 'extra' makes another object",
        ),
        (("kind: ConfigMap, metadata: {name: extra}", "kind: Secret, metadata: {name: extra}"), "deletes ConfigMap"),
        (("id: extra\n      template", "id: extra\n      externalRef"), "kro deletes ConfigMap 'extra'"),
        (("id: extra", "id: more"), ""),
    ],
)
def test_what_kro_deletes_is_named(invoke: Invoke, pair: tuple[str, str], reported: str) -> None:
    Path("old.yaml").write_text(OLD + SECOND)
    assert pair[0] in OLD + SECOND
    Path("new.yaml").write_text((OLD + SECOND).replace(*pair))
    result = invoke("diff", "old.yaml", "new.yaml")
    assert reported in result.stdout if reported else result.stdout == "no kind changed\n"
    assert result.exit_code == 0
    (kind,) = json.loads(invoke("diff", "old.yaml", "new.yaml", "--format", "json").stdout)["kinds"] or [{}]
    assert [each["name"] for each in kind.get("deleted", [])] == (["extra"] if reported else [])


def test_instances_that_the_new_definition_refuses(invoke: Invoke) -> None:
    for folder in ("old", "new"):
        Path(folder).mkdir()
    Path("old/app.yaml").write_text(OLD)
    Path("new/app.yaml").write_text(changed(("replicas: integer", "replicas: string")))
    Path("new/one.yaml").write_text(INSTANCE)
    found = json.loads(invoke("diff", "old", "new", "--format", "json").stdout)
    (kind,) = found["kinds"]
    (hit,) = kind["instances"]
    assert (hit["file"], hit["line"]) == ("new/one.yaml", 6)
    assert "must be of type string" in hit["message"]
    assert kind["breaking"][0]["type"] == "TYPE_CHANGED"


WITH_ROLE = f"""{OLD}\
    - id: binding
      template:
        apiVersion: rbac.authorization.k8s.io/v1
        kind: RoleBinding
        metadata: {{name: one}}
        roleRef: {{apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader}}
    - id: disk
      template:
        apiVersion: example.com/v1
        kind: Disk
        metadata: {{name: one}}
        spec: {{zone: {{name: a}}, place: "${{schema.spec.name}}"}}
"""
DISK = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: disks.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Disk, plural: disks}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                size: {type: integer}
                place: {type: string, x-kubernetes-validations: [{rule: self == oldSelf}]}
                zone:
                  type: object
                  properties: {name: {type: string, x-kubernetes-validations: [{rule: self == oldSelf}]}}
"""


@pytest.mark.parametrize(
    ("old", "new", "reported"),
    [
        ("name: reader", "name: writer", "refused  new.yaml:25:9: 'roleRef' of resource 'binding' cannot be changed"),
        ("name: a}", "name: b}", "refused  new.yaml:31:23: 'spec.zone.name' of resource 'disk' cannot be changed"),
        ('"${schema.spec.name}"}\n', "x}\n", None),  # what the expression gives may be the same
        ("zone: {name: a}", "size: 1", None),
    ],
)
def test_what_the_api_server_refuses_to_change(invoke: Invoke, old: str, new: str, reported: str | None) -> None:
    Path("crds.yaml").write_text(DISK)
    Path("old.yaml").write_text(WITH_ROLE)
    assert old in WITH_ROLE
    before, _, after = WITH_ROLE.rpartition(old)
    Path("new.yaml").write_text(before + new + after)
    result = invoke("diff", "old.yaml", "new.yaml", "--crds", "crds.yaml")
    assert result.exit_code == (1 if reported else 0)
    assert reported in result.stdout if reported else result.stdout == "no kind changed\n"
    as_json = invoke("diff", "old.yaml", "new.yaml", "--crds", "crds.yaml", "--format", "json").stdout
    assert [each["resource"] for kind in json.loads(as_json)["kinds"] for each in kind["refused"]] == (
        [reported.split("'")[3]] if reported else []
    )


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_a_commit_is_compared_and_nothing_of_the_repository_runs(invoke: Invoke) -> None:
    def git(*arguments: str) -> None:
        who = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "core.fsmonitor=", "-c", "core.hooksPath=/dev/null")
        subprocess.run(["git", *who, *arguments], check=True, capture_output=True)

    Path("defs").mkdir()
    Path("defs/app.yaml").write_text(OLD)
    git("init", "-q")
    git("add", "-A")
    git("commit", "-q", "-m", "x")
    for key in ("core.fsmonitor", "core.pager", "diff.external", "filter.x.smudge", "diff.x.textconv"):
        git("config", key, "touch ran;")
    Path(".gitattributes").write_text("*.yaml filter=x diff=x\n")
    assert invoke("diff", "--git", "HEAD").stdout == "no kind changed\n"
    Path("defs/app.yaml").write_text(changed(("replicas: integer", "replicas: string")))
    for arguments in (["--git", "HEAD"], ["--git", "HEAD", "defs"], ["--git", "HEAD", "defs/app.yaml"]):
        assert "breaking defs/app.yaml:13:7: spec.replicas" in invoke("diff", *arguments).stdout
    Path("defs/app.yaml").unlink()
    assert "no definition declares it any more" in invoke("diff", "--git", "HEAD").stdout
    assert not Path("ran").exists()


@pytest.mark.parametrize("ref", ["nowhere", "--output=x", "HEAD:a"])
def test_a_name_that_is_no_commit(invoke: Invoke, ref: str) -> None:
    result = invoke("diff", f"--git={ref}")
    assert result.exit_code == 2
    assert not Path("x").exists()


@pytest.mark.parametrize("arguments", [["a.yaml"], [], ["a", "b", "c"]])
def test_what_to_compare_must_be_said(invoke: Invoke, arguments: list[str]) -> None:
    result = invoke("diff", *arguments)
    assert result.exit_code == 2
    assert "name OLD and NEW" in result.stderr
