"""Errors in a Graph, and the order of its nodes; `tests/oracle/test_graphs.py` asks kro the same."""

from __future__ import annotations

import pytest

from kro_ls.kro.versions.version import NEXT
from kro_ls.rules.diagnosis import Diagnosis, diagnose_text
from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.settings import Settings
from kro_ls.yaml_positions.text import Text
from tests.fixtures.diagnostics import check_diagnostics
from tests.rules.graphs import ACCEPTED, CODES, REFUSED, graph


def diagnosed(text: str, settings: Settings | None = None) -> tuple[Diagnosis, list[str]]:
    found = diagnose_text(Text(text), settings or Settings(version=NEXT))
    return found, [f"{each.code}: {each.message}" for each in found.diagnostics if each.severity is Severity.ERROR]


@pytest.mark.parametrize("name", ACCEPTED)
def test_what_is_accepted(name: str) -> None:
    found, errors = diagnosed(graph(ACCEPTED[name]))
    assert errors == []
    assert [each.code for each in found.diagnostics if each.code == "candidate-kind"] == ["candidate-kind"]


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name: str) -> None:
    _, errors = diagnosed(graph(REFUSED[name]))
    assert [each.partition(":")[0] for each in errors] == [CODES[name]], errors


def test_a_graph_has_no_schema() -> None:
    found, _ = diagnosed(graph(REFUSED["schema"]))
    (error,) = [each for each in found.diagnostics if each.severity is Severity.ERROR]
    assert error.message == "unknown name 'schema'; a Graph has no instance to read"
    assert error.fixes == ()


def test_the_order_follows_the_references() -> None:
    found, _ = diagnosed(graph(ACCEPTED["child captures"]))
    assert found.analysis.rgds[0].graph.order == ("last", "a", "g")


def test_an_older_kro_does_not_have_it() -> None:
    found, errors = diagnosed(graph(REFUSED["no form"]), Settings())
    assert errors == []
    assert ["kro 0.10" in each.message for each in found.diagnostics] == [True]


def test_a_kind_of_the_user_that_is_called_so() -> None:
    text = "apiVersion: kro.run/v1alpha1\nkind: Graph\nmetadata: {name: x}\nspec: {size: 1}\n"
    assert diagnosed(text)[0].diagnostics == ()


def test_finding_and_near_miss() -> None:
    check_diagnostics(
        """
//- graph.yaml
apiVersion: kro.run/v1alpha1
kind: Graph
#     ^^^^^ candidate-kind
metadata: {name: graph, namespace: default}
spec:
  nodes:
    - id: a
          ^ graph-node: exactly one
    - id: b
          ~ graph-node
      def: {x: v}
""",
        Settings(version=NEXT),
    )
