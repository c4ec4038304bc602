"""Collections as KREP-2 proposed them: what `each` is, which object is which, when the collection is ready."""

from __future__ import annotations

from typing import Any

import pytest

from kro_ls.analysis.analysis import analyze
from kro_ls.repairs.upgrade import upgrade
from kro_ls.runtime.cluster.scenario import Scenario
from kro_ls.runtime.cluster.simulation import Simulation, simulate
from kro_ls.runtime.passes.results import InstanceState
from kro_ls.workspace.documents import Document
from kro_ls.yaml_positions.text import Text

DEFINITION = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: app}
spec:
  schema:
    apiVersion: v1alpha1
    kind: App
    spec: {names: "[]string", labels: "map[string]string"}
    status: {names: "${configs.items.map(c, c.metadata.name).join(' ')}"}
  resources:
    - id: configs
      forEach: OVER
      readyWhen: READY
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "NAME"}
"""
INSTANCE: dict[str, Any] = {
    "apiVersion": "kro.run/v1alpha1",
    "kind": "App",
    "metadata": {"name": "one", "namespace": "default"},
    "spec": {"names": ["x", "y"], "labels": {"b": "2", "a": "1"}},
}


def objects_of(definition: str) -> tuple[Simulation, dict[str, str]]:
    """Return the passes, and the name of each object with the key that it is for."""
    simulation = simulate(analyze(Text(definition)).rgds[0], INSTANCE, Scenario())
    found = [each for node in simulation.final.result.nodes for each in node.desired]
    metadata: list[Any] = [each["metadata"] for each in found]
    return simulation, {each["name"]: each["labels"].get("kro.run/collection-key", "") for each in metadata}


def definition(over: str, name: str, ready: str = '"${configs.all(c, c.metadata.name != \\"\\")}"') -> str:
    return DEFINITION.replace("OVER", over).replace("NAME", name).replace("READY", ready)


EXAMPLES = [
    ("${schema.spec.names}", "${each.item}-${string(each.index)}-${string(each.length)}", "x-0-2 y-1-2", "0 1"),
    ("${schema.spec.labels}", "${each.key}-${each.value}-${string(each.length)}", "a-1-2 b-2-2", "a b"),
    ("${range(1, 4)}", "n${string(each.item)}", "n1 n2 n3", "0 1 2"),
    ("${range(3, 3)}", "n${string(each.item)}", "", ""),
    ("${schema.spec.names.filter(n, n == 'y')}", "${each.item}", "y", "0"),
]


@pytest.mark.parametrize(("over", "name", "names", "keys"), EXAMPLES)
def test_what_is_made(over: str, name: str, names: str, keys: str) -> None:
    simulation, found = objects_of(definition(over, name))
    assert found == dict(zip(names.split(), keys.split(), strict=True))
    assert simulation.state is InstanceState.ACTIVE
    assert simulation.status["names"] == names


@pytest.mark.parametrize(("over", "name"), [(over, name) for over, name, _, _ in EXAMPLES])
def test_the_form_of_kro_makes_the_same(over: str, name: str) -> None:
    rewritten = upgrade(Document("", None, Text(definition(over, name))))
    assert not rewritten.left
    assert objects_of(rewritten.text.content)[1].keys() == objects_of(definition(over, name))[1].keys()


@pytest.mark.parametrize(
    ("ready", "state"),
    [("configs.exists(c, c.metadata.name == 'x')", "ACTIVE"), ("size(configs.items) > 2", "IN_PROGRESS")],
)
def test_ready_is_said_of_the_whole_collection(ready: str, state: str) -> None:
    simulation, _ = objects_of(definition("${schema.spec.names}", "${each.item}", f"${{{ready}}}"))
    assert simulation.state.value == state
