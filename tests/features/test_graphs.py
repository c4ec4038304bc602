"""In a Graph, nodes are what resources are in a ResourceGraphDefinition."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from kro_ls.features.hints.code_lenses import code_lenses
from kro_ls.features.previews.explored import explored
from kro_ls.features.previews.graph import graph_answer
from kro_ls.features.previews.preview import make_preview
from kro_ls.features.previews.scenario import AskedScenario, read_scenario
from kro_ls.features.previews.views import preview_text
from kro_ls.kro.versions.version import NEXT
from kro_ls.rules.settings import Settings
from kro_ls.workspace.instances import find_instance
from tests.fixtures.definitions import rgd_around, rgd_of_config_maps
from tests.fixtures.features import check_completion, check_definition, check_hover, check_references
from tests.fixtures.language import Fixture, fixture

GRAPH = """\
apiVersion: kro.run/v1alpha1
kind: Graph
metadata: {name: graph}
spec:
  nodes:
    - id: config
    #     ^^^^^^ declaration
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: one
    - id: names
      def:
        first: ${config.metadata.name}
        #        ^^^^^^ use
    - id: other
      patch:
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: two
        data:
          of: ${config.metadata.name}
          #     ^^^^^^ use
          more: ${HERE}
"""


def at(text: str) -> Fixture:
    return fixture(GRAPH.replace("HERE", text))


def test_hover() -> None:
    check_hover(at("config.metadata.na$0me"), "string")
    check_hover(at("con$0fig.metadata.name"), "ConfigMap")


def test_definition() -> None:
    check_definition(fixture(GRAPH.replace("HERE", "'x'").replace("of: ${con", "of: ${con$0")))


def test_references() -> None:
    check_references(fixture(GRAPH.replace("HERE", "'x'").replace("- id: con", "- id: con$0")), "use")


def test_completion() -> None:
    labels = [each.label for each in check_completion(at("$0"))]
    assert {"config", "names"} <= set(labels)
    assert "schema" not in labels
    fields = [each.label for each in check_completion(at("config.metadata.$0"))]
    assert "namespace" in fields


CHILD = """\
apiVersion: kro.run/v1alpha1
kind: Graph
metadata: {name: graph}
spec:
  nodes:
    - id: config
    #     ^^^^^^ declaration
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: one
    - id: data
      def:
        zones: [a, b]
        size: 3
        made: ${config.metadata.name}
        #       ^^^^^^ use
    - id: inner
      graph:
        nodes:
          - id: note
            template:
              apiVersion: v1
              kind: ConfigMap
              metadata:
                name: ${config.metadata.name}-note
                #       ^^^^^^ use
          - id: more
            template:
              apiVersion: v1
              kind: ConfigMap
              metadata:
                name: ${INSIDE}
    - id: last
      def:
        text: ${OUTSIDE}
    - id: open
      KEY
"""


def below(inside: str = "'x'", outside: str = "'x'", key: str = "") -> Fixture:
    return fixture(CHILD.replace("INSIDE", inside).replace("OUTSIDE", outside).replace("KEY", key))


def labels_of(found: Fixture) -> list[str]:
    return [each.label for each in check_completion(found)]


def test_the_data_of_a_def_has_fields() -> None:
    assert {"made", "size", "zones"} <= set(labels_of(below(outside="data.$0")))
    check_hover(below(outside="data.zo$0nes"), "list(string)")


def test_a_child_graph_sees_what_is_around_it() -> None:
    assert {"note", "config", "data"} <= set(labels_of(below("$0")))
    assert "namespace" in labels_of(below("config.metadata.$0"))
    assert "namespace" in labels_of(below("note.metadata.$0"))


def test_a_child_graph_is_seen_by_its_nodes() -> None:
    assert {"note", "more"} <= set(labels_of(below(outside="inner.$0")))
    assert "namespace" in labels_of(below(outside="inner.note.metadata.$0"))


def test_names_of_a_child_graph_lead_outside() -> None:
    check_definition(fixture(CHILD.replace("name: ${con", "name: ${con$0").replace("KEY", "")))
    check_references(fixture(CHILD.replace("- id: con", "- id: con$0").replace("KEY", "")), "use")


def test_forms_of_nodes() -> None:
    offered = labels_of(below(key="$0"))
    assert {"template", "ref", "def", "patch", "graph", "forEach", "includeWhen", "readyWhen"} <= set(offered)
    offered = labels_of(below(key="def: {}\n      $0"))
    assert not {"template", "ref", "def", "patch", "graph"} & set(offered)
    assert "forEach" in offered


def test_fields_of_objects_in_child_graphs() -> None:
    inner = "graph:\n        nodes:\n          - id: x\n            template:\n              apiVersion: v1\n"
    inner += "              kind: ConfigMap\n              "
    assert "data" in labels_of(below(key=f"{inner}$0"))
    check_hover(below(key=f"{inner}da$0ta: {{}}"), "ConfigMap")
    assert "template" in labels_of(below(key="graph:\n        nodes:\n          - id: x\n            $0"))


def test_a_preview() -> None:
    document = below().document
    (rgd,) = document.analysis.rgds
    preview = make_preview(rgd, find_instance(rgd, "file:///graph.yaml", []))
    assert "# inner/note" in preview_text(document, preview, "yaml")
    shown = explored(document, preview, read_scenario(rgd, AskedScenario()))
    assert [each["id"] for each in shown["nodes"]] == ["config", "data", "inner/note", "inner/more", "last"]
    assert [each["node"] for each in shown["objects"]] == ["config", "inner/note", "inner/more"]
    lines = document.text.content.splitlines()
    assert [lines[each["line"]].strip() for each in shown["nodes"]][2] == "- id: note"
    assert any(each is not None for each in shown["objects"][1]["lines"])


def test_lenses_come_with_the_version_that_has_the_kind() -> None:
    document = below().document
    assert code_lenses(document) == []
    assert len(code_lenses(replace(document, settings=Settings(version=NEXT)))) > 1


def test_nodes_of_child_graphs_are_drawn_by_the_way_to_them() -> None:
    inside = (
        "'x'}\n          - id: deeper\n            graph: {nodes: [{id: data, def: {a: '${note.metadata.name}'}}]}\n"
    )
    inside += "            includeWhen: ['${data.size > 1"
    text = CHILD.replace("${INSIDE}", f"${{{inside}}}']").replace("OUTSIDE", "inner.note.metadata.name")
    document = fixture(text.replace("KEY", "def: {}")).document
    drawn: Any = graph_answer(document, 0, with_fields=False, preview=None)
    assert [each["id"] for each in drawn["nodes"]] == [
        *("config", "data", "inner", "inner/note", "inner/more", "inner/deeper", "inner/deeper/data", "last", "open"),
    ]
    edges = {(each["from"], each["to"]): each["causes"] for each in drawn["edges"]}
    assert list(edges) == [
        ("data", "config"),
        ("inner", "inner/note"),
        ("inner", "inner/more"),
        ("inner", "inner/deeper"),
        ("inner/note", "config"),
        ("inner/deeper", "data"),
        ("inner/deeper", "inner/deeper/data"),
        ("inner/deeper/data", "inner/note"),
        ("last", "inner"),
    ]
    assert edges["inner", "inner/note"] == []
    (cause,) = edges["inner/note", "config"]
    assert cause["path"] == "template.metadata.name"
    line = document.text.content.splitlines()[cause["range"]["start"]["line"]]
    assert line.strip() == "name: ${config.metadata.name}-note"
    positions = {each["id"]: each["position"] for each in drawn["nodes"]}
    assert sorted(positions, key=lambda id_: positions[id_]) == [
        *("config", "data", "inner/note", "inner/more", "inner/deeper/data", "inner/deeper", "inner", "last", "open"),
    ]
    waves = {each["id"]: each["wave"] for each in drawn["nodes"]}
    assert all(waves[need] < waves[node] for node, need in edges)
    instance = make_preview(document.analysis.rgds[0], find_instance(document.analysis.rgds[0], "file:///g.yaml", []))
    states = graph_answer(document, 0, with_fields=False, preview=instance)["instance"]["nodes"]
    assert {each["id"] for each in states} == set(positions) - {"inner", "inner/deeper"}


def test_a_cycle_through_a_child_graph_is_drawn() -> None:
    text = CHILD.replace("${INSIDE}", "${last.text}").replace("OUTSIDE", "inner.more").replace("KEY", "def: {}")
    drawn = graph_answer(fixture(text).document, 0, with_fields=False, preview=None)
    assert [set(each) for each in drawn["cycles"]] == [{"inner", "inner/more", "last"}]
    assert {each["id"] for each in drawn["nodes"] if each["position"] is None} >= {"inner", "last"}


PROPOSED = """\
resources:
  - id: workers
    forEach: ${OVER}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${HERE}
"""


def test_each_of_a_proposed_collection() -> None:
    over = "['a', 'b']"
    found = fixture(rgd_around(PROPOSED.replace("OVER", over).replace("HERE", "each.$0")))
    assert {"item", "index", "length"} <= {each.label for each in check_completion(found)}
    found = fixture(rgd_around(PROPOSED.replace("OVER", "{'a': 1}").replace("HERE", "each.ke$0y")))
    check_hover(found, "string")
    check_hover(fixture(rgd_around(PROPOSED.replace("OVER", over).replace("HERE", "ea$0ch.item"))), "KREP-2")


def test_a_node_has_the_errors_and_warnings_of_its_lines() -> None:
    text = rgd_of_config_maps(("one", "${nobody.metadata.name}"), ("two", "${one.metadata.name}"))
    document = fixture(text).document
    one, two = graph_answer(document, 0, with_fields=False, preview=None)["nodes"]
    (problem,) = one["problems"]
    assert (problem["severity"], problem["code"]) == ("error", "unresolved-reference")
    start = problem["range"]["start"]
    assert document.text.content.splitlines()[start["line"]][start["character"] :].startswith("nobody")
    assert two["problems"] == []
