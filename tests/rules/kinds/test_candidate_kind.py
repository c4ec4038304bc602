"""A kind that only candidates of kro have."""

from __future__ import annotations

from kro_ls.kro.versions.version import NEXT
from kro_ls.rules.settings import Settings
from tests.fixtures.diagnostics import check_diagnostics

GRAPH = """
//- graph.yaml
apiVersion: kro.run/v1alpha1
kind: Graph
#     ^^^^^ candidate-kind
metadata: {name: graph, namespace: default}
spec:
  nodes:
    - {id: a, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}}
"""


def test_finding() -> None:
    check_diagnostics(GRAPH, Settings(version=NEXT))


def test_near_miss() -> None:
    """A kind of the same name in another project."""
    check_diagnostics(
        """
//- graph.yaml
apiVersion: example.com/v1alpha1
kind: Graph
#     ~~~~~ candidate-kind
metadata: {name: graph}
spec: {nodes: []}
""",
        Settings(version=NEXT),
    )
