"""What resources mean for each other, where ids are missing, taken or out of order."""

import random
from collections.abc import Sequence

from kro_ls.analysis.analysis import RgdAnalysis, analyze
from kro_ls.yaml_positions.text import Text


def _rgd(resources: Sequence[tuple[str | None, str]]) -> RgdAnalysis:
    """A definition with these ids, each of which reads a name."""
    lines = ["apiVersion: kro.run/v1alpha1", "kind: ResourceGraphDefinition", "spec:", "  resources:"]
    for id_, read in resources:
        start = f"- id: {id_}\n      " if id_ else "- "
        lines.append(f'    {start}template: {{kind: ConfigMap, metadata: {{name: "${{{read}.x}}"}}}}')
    return analyze(Text("\n".join(lines) + "\n")).rgds[0]


def test_of_resources_with_one_id_the_first_counts() -> None:
    rgd = _rgd([("a", "c"), ("b", "schema"), ("a", "b"), (None, "a"), ("c", "a"), ("d", "nobody")])
    assert rgd.graph.dependencies == (("a", ("c",)), ("b", ()), ("c", ("a",)), ("d", ()))
    assert rgd.graph.cycles == (("a", "c"),)


def test_a_long_definition_is_in_order_if_each_resource_reads_earlier_ones() -> None:
    chain = [(f"r{number}", f"r{number - 1}" if number else "schema") for number in range(200)]
    assert _rgd(chain).table.is_in_order
    random.Random(1).shuffle(chain)
    shuffled = _rgd(chain)
    assert not shuffled.table.is_in_order
    assert not shuffled.graph.cycles
    assert _rgd([*chain, ("r0", "r199")]).graph.dependencies == shuffled.graph.dependencies


def test_a_cycle_over_many_resources_is_found() -> None:
    chain = [(f"r{number}", f"r{(number - 1) % 200}") for number in range(200)]
    assert len(_rgd(chain).graph.cycles[0]) == 200
