"""Groups of resources: what they are formed by, and how the texts of a graph draw them."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from kro_ls.analysis.analysis import analyze
from kro_ls.render import dot, mermaid
from kro_ls.render.graph_view import GraphView, GroupBy, groups, view
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd

RESOURCE = """
- id: {id}
  template:
    apiVersion: {version}
    kind: {kind}
    metadata: {{name: "{name}"{namespace}}}
"""


def resource(id_: str, version: str, kind: str, *, name: str = "x", namespace: str = "") -> str:
    written = f", namespace: {namespace}" if namespace else ""
    return RESOURCE.format(id=id_, version=version, kind=kind, name=name, namespace=written)


def drawn(resources: str) -> GraphView:
    return view(analyze(Text(rgd(resources))).rgds[0])


SHOP = drawn(
    resource("webDeployment", "apps/v1", "Deployment", name="${dbSet.metadata.name}", namespace="front")
    + resource("webService", "v1", "Service", name="${webDeployment.metadata.name}", namespace="front")
    + resource("dbVolume", "v1", "PersistentVolumeClaim")
    + resource("dbSet", "apps/v1", "StatefulSet", name="${dbVolume.metadata.name}")
    + resource("alone", "v1", "ConfigMap", namespace="'${schema.spec.name}'")
)


def members(graph: GraphView, by: GroupBy | None) -> dict[str, list[str]]:
    return {title: [each.id for each in found] for title, found in groups(graph, by)[0].items()}


def test_groups_are_formed_by_what_resources_have_in_common_and_none_has_a_single_member() -> None:
    assert members(SHOP, None) == {}
    assert members(SHOP, GroupBy.PREFIX) == {"web": ["webDeployment", "webService"], "db": ["dbVolume", "dbSet"]}
    assert members(SHOP, GroupBy.API_GROUP) == {
        "apps": ["webDeployment", "dbSet"],
        "core": ["webService", "dbVolume", "alone"],
    }
    assert members(SHOP, GroupBy.NAMESPACE) == {
        "front": ["webDeployment", "webService"],
        "no namespace": ["dbVolume", "dbSet"],
    }


def test_where_most_ids_begin_with_one_word_the_second_one_tells_them_apart() -> None:
    ids = "appWebA appWebB appDbA appDbB other1 other2 HTTPRoute1 HTTPRoute2 appCacheA appCacheB appQueueA appQueueB"
    graph = drawn("".join(resource(id_, "v1", "ConfigMap", name=id_.lower()) for id_ in ids.split()))
    assert list(members(graph, GroupBy.PREFIX)) == ["appWeb", "appDb", "HTTP", "appCache", "appQueue"]


def test_mermaid_has_a_subgraph_for_each_group() -> None:
    text = mermaid.render((SHOP,), GroupBy.PREFIX)
    assert (
        text
        == """\
flowchart TB
  %% an arrow leads from a resource to the resources that read it
  subgraph group_1["web"]
    webDeployment["webDeployment<br/>Deployment"]
    webService["webService<br/>Service"]
  end
  subgraph group_2["db"]
    dbVolume["dbVolume<br/>PersistentVolumeClaim"]
    dbSet["dbSet<br/>StatefulSet"]
  end
  alone["alone<br/>ConfigMap"]
  dbSet --> webDeployment
  webDeployment --> webService
  dbVolume --> dbSet
"""
    )
    both = mermaid.render((SHOP, SHOP), GroupBy.NAMESPACE)
    assert '  subgraph g2["app"]\n    subgraph g2_group_1["front"]\n      g2_webDeployment["' in both


def test_dot_has_a_cluster_for_each_group() -> None:
    text = dot.render((SHOP,), GroupBy.API_GROUP)
    assert '  subgraph cluster_group_1 {\n    label="apps"\n    "webDeployment" [label=' in text
    both = dot.render((SHOP, SHOP), GroupBy.PREFIX)
    assert '  subgraph cluster_2 {\n    label="app"\n    subgraph cluster_2_group_1 {\n      label="web"\n' in both


@pytest.mark.skipif(shutil.which("dot") is None, reason="no Graphviz here")
@pytest.mark.parametrize("by", [None, *GroupBy])
def test_graphviz_reads_it(by: GroupBy | None) -> None:
    text = dot.render((SHOP, SHOP), by)
    done = subprocess.run(["dot", "-Tplain"], input=text, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert sum(line.startswith("node ") for line in done.stdout.splitlines()) == 10
