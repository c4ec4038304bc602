"""In a Graph, nodes are what resources are in a ResourceGraphDefinition."""

from __future__ import annotations

from tests.fixtures.definitions import rgd_around
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
