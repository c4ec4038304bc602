from __future__ import annotations

import json
import re
import shutil
import subprocess
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from xml.etree import ElementTree

import pytest

from kro_ls.render import pictures
from kro_ls.render.pictures import ViewsNotBuiltError, view_script
from tests.fixtures.definitions import rgd_of_config_maps
from tests.fixtures.graphs import platform
from tests.fixtures.processes import CYCLE, ERROR, GOOD, Invoke

CHAIN = rgd_of_config_maps(
    ("last", "${middle.metadata.name}-${first.metadata.name}"),
    ("middle", "${first.metadata.name}"),
    ("first", "${schema.spec.name}"),
)
KINDS = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: kinds}
spec:
  schema: {apiVersion: v1alpha1, kind: App, spec: {names: '[]string'}}
  resources:
    - id: many
      forEach: [{name: '${schema.spec.names}'}]
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: '${name}'}}
    - id: one
      externalRef: {apiVersion: v1, kind: Secret, metadata: {name: one}}
    - id: all
      externalRef: {apiVersion: v1, kind: Secret, metadata: {selector: {matchLabels: {a: b}}}}
    - id: end
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: '${one.metadata.name}'}}
"""
GROUPED = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: grouped}
spec:
  schema: {apiVersion: v1alpha1, kind: App, spec: {name: string}}
  resources:
    - id: webDeployment
      template: {apiVersion: apps/v1, kind: Deployment, metadata: {name: "${dbSet.metadata.name}", namespace: front}}
    - id: webService
      template: {apiVersion: v1, kind: Service, metadata: {name: "${webDeployment.metadata.name}", namespace: front}}
    - id: dbVolume
      template: {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: volume}}
    - id: dbSet
      template: {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: "${dbVolume.metadata.name}"}}
"""


def test_mermaid_is_the_default(invoke: Invoke) -> None:
    result = invoke("graph", "-", stdin=CHAIN)
    assert result.exit_code == 0
    assert (
        result.stdout
        == """\
flowchart TB
  %% an arrow leads from a resource to the resources that read it
  last["last<br/>ConfigMap"]
  middle["middle<br/>ConfigMap"]
  first["first<br/>ConfigMap"]
  middle --> last
  first --> last
  first --> middle
"""
    )


def test_mermaid_shows_types_and_avoids_its_keywords(invoke: Invoke) -> None:
    result = invoke("graph", "-", stdin=KINDS)
    assert result.exit_code == 0
    assert (
        result.stdout
        == """\
flowchart TB
  %% an arrow leads from a resource to the resources that read it
  many[["many<br/>ConfigMap"]]
  one(["one<br/>Secret"])
  all[("all<br/>Secret")]
  resource_4["end<br/>ConfigMap"]
  one --> resource_4
"""
    )


def test_mermaid_marks_cycles(invoke: Invoke) -> None:
    result = invoke("graph", "-", stdin=CYCLE)
    assert result.exit_code == 0
    assert result.stdout.endswith(
        """\
  second -. cycle .-> first
  first -. cycle .-> second
  linkStyle 0,1 stroke:red
"""
    )
    assert "has 1 error, so the graph may lack something" in result.stderr


def test_mermaid_draws_several_definitions(invoke: Invoke) -> None:
    result = invoke("graph", "-", stdin=f"{CHAIN}---\n{CYCLE.replace('name: app', 'name: <b>')}")
    assert '  subgraph g1["app"]\n    g1_last["last<br/>ConfigMap"]\n' in result.stdout
    assert '  subgraph g2["#lt;b#gt;"]\n    g2_first["first<br/>ConfigMap"]\n' in result.stdout
    assert result.stdout.endswith("  g2_first -. cycle .-> g2_second\n  linkStyle 3,4 stroke:red\n")


def test_dot(invoke: Invoke) -> None:
    result = invoke("graph", "-", "--format", "dot", stdin=CYCLE)
    assert (
        result.stdout
        == """\
digraph kro {
  // an arrow leads from a resource to the resources that read it
  rankdir=TB
  "first" [label="first\\nConfigMap", shape=box]
  "second" [label="second\\nConfigMap", shape=box]
  "second" -> "first" [label=cycle, color=red, style=dashed]
  "first" -> "second" [label=cycle, color=red, style=dashed]
}
"""
    )


def test_dot_draws_several_definitions(invoke: Invoke) -> None:
    result = invoke("graph", "-", "--format", "dot", stdin=f"{CHAIN}---\n{KINDS}")
    assert '  subgraph cluster_2 {\n    label="kinds"\n    "2/many"' in result.stdout
    assert '    "1/middle" -> "1/last"\n' in result.stdout


def test_json(invoke: Invoke) -> None:
    (definition,) = json.loads(invoke("graph", "-", "--format", "json", stdin=CHAIN).stdout)
    assert definition == {
        "name": "app",
        "resources": [
            {
                "id": "last",
                "kind": "ConfigMap",
                "type": "Resource",
                "dependencies": ["middle", "first"],
                "position": 2,
                "creationPass": 3,
                "applyWave": 3,
            },
            {
                "id": "middle",
                "kind": "ConfigMap",
                "type": "Resource",
                "dependencies": ["first"],
                "position": 1,
                "creationPass": 2,
                "applyWave": 2,
            },
            {
                "id": "first",
                "kind": "ConfigMap",
                "type": "Resource",
                "dependencies": [],
                "position": 0,
                "creationPass": 1,
                "applyWave": 1,
            },
        ],
        "cycles": [],
    }


def test_json_of_cycles_and_several_definitions(invoke: Invoke) -> None:
    cyclic, kinds = json.loads(invoke("graph", "-", "--format", "json", stdin=f"{CYCLE}---\n{KINDS}").stdout)
    assert cyclic["cycles"] == [["first", "second"]]
    assert [(each["position"], each["creationPass"], each["applyWave"]) for each in cyclic["resources"]] == [
        (None, None, None),
        (None, None, None),
    ]
    types = ["Collection", "External", "ExternalCollection", "Resource"]
    assert [each["type"] for each in kinds["resources"]] == types


@pytest.mark.parametrize("output_format", ["mermaid", "dot", "json"])
def test_what_can_be_read_is_drawn(invoke: Invoke, output_format: str) -> None:
    broken = (
        CHAIN
        + "    - id: a-\"b\n    - template: 3\n    - id: last\n    - \n    - id: 'q\"q'\n      template: {kind: 5}\n"
    )
    result = invoke("graph", "-", "--format", output_format, stdin=broken)
    assert result.exit_code == 0
    assert "middle" in result.stdout
    assert "errors, so the graph may lack something" in result.stderr


def test_errors_are_those_that_check_shows_with_the_settings_of_the_folder(invoke: Invoke) -> None:
    Path("cycle.yaml").write_text(CYCLE)
    Path(".kro-ls.yaml").write_text("severity: {dependency-cycle: warning}\n")
    result = invoke("graph", "cycle.yaml")
    assert "linkStyle 0,1 stroke:red" in result.stdout
    assert result.stderr == ""


def test_errors_are_reported(invoke: Invoke) -> None:
    Path("bad.yaml").write_text(ERROR)
    result = invoke("graph", "bad.yaml")
    assert result.stderr == "bad.yaml has 1 error, so the graph may lack something; see 'kro-ls check bad.yaml'\n"
    Path("good.yaml").write_text(GOOD)
    assert invoke("graph", "good.yaml").stderr == ""


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("empty.yaml", "Error: no ResourceGraphDefinition found in empty.yaml\n"),
        ("missing.yaml", "Error: missing.yaml: no such file or folder; check the path\n"),
        (".", "Error: .: is a folder; name a file in it\n"),
    ],
)
def test_input_errors(invoke: Invoke, path: str, message: str) -> None:
    Path("empty.yaml").touch()
    result = invoke("graph", path)
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", message)


def built() -> None:
    try:
        view_script("graph")
    except ViewsNotBuiltError as error:
        pytest.skip(str(error))


def test_a_page_runs_its_own_script_and_loads_nothing(invoke: Invoke) -> None:
    built()
    result = invoke("graph", "-", "--format", "html", stdin=CHAIN)
    assert result.exit_code == 0
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', result.stdout)
    assert policy
    assert policy[1].startswith("default-src 'none'; script-src 'sha256-")
    inline = [re.findall(rf"<{tag}>(.*?)</{tag}>", result.stdout, re.DOTALL) for tag in ("script", "style")]
    assert [len(each) for each in inline] == [1, 1]
    assert [f"'sha256-{b64encode(sha256(each[0].encode()).digest()).decode()}'" for each in inline] == re.findall(
        r"'sha256-[^']+'", policy[1]
    )
    # Until the script has drawn, which takes a while, the page says so.
    assert '<div id="kro-skeleton" role="status">' in result.stdout.partition("<script>")[0]
    assert not re.findall(r"<(?:link|img|iframe|script [^>]*src)", result.stdout.partition("<script>")[0])


def test_what_is_in_a_definition_does_not_become_part_of_the_page(invoke: Invoke) -> None:
    built()
    hostile = CHAIN.replace("name: app", "name: '</script><script>alert(1)</script>'", 1)
    result = invoke("graph", "-", "--format", "html", stdin=hostile)
    assert "alert(1)</script>" not in result.stdout


@pytest.mark.skipif(shutil.which("node") is None, reason="no Node.js here")
def test_an_svg_has_every_resource_and_arrow(invoke: Invoke) -> None:
    built()
    result = invoke("graph", "-", "--format", "svg", stdin=CHAIN)
    assert result.exit_code == 0
    root = ElementTree.fromstring(result.stdout)
    assert {each.get("data-id") for each in root.iter() if each.get("data-id")} == {"last", "middle", "first"}
    assert {each.get("data-arrow") for each in root.iter() if each.get("data-arrow")} == {
        "first→last",
        "first→middle",
        "middle→last",
    }
    columns = {each.text for each in root.iter("{http://www.w3.org/2000/svg}text") if (each.text or "")[:4] == "Pass"}
    assert columns == {"Pass 1", "Pass 2", "Pass 3"}


def framed(invoke: Invoke, *options: str) -> list[str]:
    """Return the titles of the frames of an SVG."""
    root = ElementTree.fromstring(invoke("graph", "-", "--format", "svg", *options, stdin=GROUPED).stdout)
    svg = "{http://www.w3.org/2000/svg}"
    heads = [each for each in root.iter(f"{svg}g") if "frame-head" in each.get("class", "")]
    assert len([each for each in root.iter(f"{svg}rect") if each.get("class") == "frame"]) == len(heads)
    return [text.text or "" for each in heads for text in each.iter(f"{svg}text") if text.get("class") == "title"]


@pytest.mark.skipif(shutil.which("node") is None, reason="no Node.js here")
def test_an_svg_has_a_frame_for_each_group(invoke: Invoke) -> None:
    built()
    assert framed(invoke) == []
    assert framed(invoke, "--group", "prefix") == ["web", "db"]
    assert framed(invoke, "--group", "namespace") == ["front", "no namespace"]
    assert framed(invoke, "--group", "none") == []


@pytest.mark.skipif(shutil.which("node") is None, reason="no Node.js here")
def test_a_large_svg_has_groups_by_itself(invoke: Invoke) -> None:
    built()
    large = platform(130)
    text = invoke("graph", "-", "--format", "svg", stdin=large).stdout
    assert text.count('class="frame"') == 13
    assert text.count('data-id="') == 130 + 13
    assert 'class="frame"' not in invoke("graph", "-", "--format", "svg", "--group", "none", stdin=large).stdout


def test_a_page_begins_with_the_groups_that_are_asked_for(invoke: Invoke) -> None:
    built()
    for options, wanted in (((), "auto"), (("--group", "api-group"), "apiGroup"), (("--group", "none"), "none")):
        page = invoke("graph", "-", "--format", "html", *options, stdin=GROUPED).stdout
        assert json.loads(re.findall(r'id="kro-data">(.*?)</script>', page)[0])["groupBy"] == wanted


def test_texts_have_groups_where_they_are_asked_for(invoke: Invoke) -> None:
    assert "subgraph" not in invoke("graph", "-", stdin=GROUPED).stdout
    assert 'subgraph group_2["db"]' in invoke("graph", "-", "--group", "prefix", stdin=GROUPED).stdout
    text = invoke("graph", "-", "--format", "dot", "--group", "api-group", stdin=GROUPED).stdout
    assert 'subgraph cluster_group_1 {\n    label="apps"' in text
    result = invoke("graph", "-", "--format", "json", "--group", "prefix", stdin=GROUPED)
    assert (result.exit_code, "json has no groups" in result.stderr) == (2, True)


def test_an_svg_needs_node(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    built()
    monkeypatch.setenv("PATH", "")
    result = invoke("graph", "-", "--format", "svg", stdin=CHAIN)
    assert result.exit_code == 2
    assert "no 'node' on the PATH" in result.stderr


def test_a_checkout_without_the_pictures_says_how_to_get_them(
    invoke: Invoke, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(pictures, "_FOLDER", tmp_path)
    for output_format in ("html", "svg"):
        result = invoke("graph", "-", "--format", output_format, stdin=CHAIN)
        assert result.exit_code == 2
        assert "scripts/views build" in result.stderr


# What changed since a commit.


@pytest.fixture
def committed(tmp_path: Path) -> Path:
    file = tmp_path / "rgd.yaml"
    file.write_text(CHAIN)
    author = ("-c", "user.name=A", "-c", "user.email=a@example.com")
    for command in (("init", "-q"), ("add", "."), (*author, "commit", "-qm", "first")):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    return file


def test_a_graph_shows_what_changed_since_a_commit(invoke: Invoke, committed: Path) -> None:
    committed.write_text(rgd_of_config_maps(("last", "${first.metadata.name}"), ("first", "${schema.spec.name}")))
    result = invoke("graph", str(committed), "--git", "HEAD", "--format", "json")
    assert (result.exit_code, result.stderr) == (0, "")
    (found,) = json.loads(result.stdout)
    assert [each["id"] for each in found["resources"]] == ["last", "first"]
    changes = found["changes"]
    assert (changes["added"], changes["removed"], changes["changed"]) == ([], ["middle"], ["last"])
    assert {"from": "last", "to": "middle", "change": "removed"} in changes["dependencies"]
    assert any(line.startswith("-") and "middle" in line for line in changes["differences"]["last"])
    assert "middle" in invoke("graph", str(committed), "--git", "HEAD").stdout
    assert "changes" not in json.loads(invoke("graph", str(committed), "--format", "json").stdout)[0]


def test_a_page_has_the_comparison(invoke: Invoke, committed: Path) -> None:
    built()
    committed.write_text(CHAIN.replace("id: middle", "id: center").replace("${middle", "${center"))
    page = invoke("graph", str(committed), "--git", "HEAD", "--format", "html").stdout
    (graph,) = json.loads(re.findall(r'id="kro-data">(.*?)</script>', page)[0])["graphs"]
    assert graph["comparison"] == {"ref": "HEAD", "message": None}
    changes = {each["id"]: each.get("change") for each in graph["nodes"]}
    assert changes == {"last": "changed", "center": "added", "first": None, "middle": "removed"}
    assert [each["range"] for each in graph["nodes"] if each["id"] == "middle"] == [None]


def test_a_file_that_is_new_or_not_in_git_is_distinguished(invoke: Invoke, committed: Path, tmp_path: Path) -> None:
    new = committed.with_name("new.yaml")
    new.write_text(CHAIN)
    result = invoke("graph", str(new), "--git", "HEAD")
    assert (result.exit_code, result.stderr) == (0, f"{new} is not in HEAD, so all of it is new\n")
    assert '"+ first<br/>' in result.stdout
    wrong = invoke("graph", str(committed), "--git", "nothing")
    assert (wrong.exit_code, "git knows no commit 'nothing'" in wrong.stderr) == (2, True)
    shutil.rmtree(tmp_path / ".git")
    outside = invoke("graph", str(committed), "--git", "HEAD")
    assert (outside.exit_code, "not in a git repository" in outside.stderr) == (2, True)
    stdin = invoke("graph", "-", "--git", "HEAD", stdin=CHAIN)
    assert (stdin.exit_code, "standard input is in no commit" in stdin.stderr) == (2, True)
