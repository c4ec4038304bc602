"""Previews from scratch: a long chain, and an expression that would never end. In this process; each text is new."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from benchmarks.report import Row, row_of

if TYPE_CHECKING:
    from collections.abc import Iterator

LINKS = 1_000
NESTED = 9
BAR = 2_000.0


def measure(*, quick: bool) -> Iterator[Row]:
    """Yield the rows of the table."""
    numbers = range(1 if quick else 5)
    times = [_milliseconds(_chain(number), "ACTIVE") for number in numbers]
    yield row_of("previews", f"chain of {LINKS:,} resources (processor time)", times, bar=BAR)
    times = [_milliseconds(_endless(number), "ERROR") for number in numbers]
    yield row_of("previews", f"{NESTED} nested macros over ten values, stopped (processor time)", times, bar=BAR)


def _milliseconds(text: str, state: str) -> float:
    from kro_ls.rules.diagnosis import diagnose_text
    from kro_ls.runtime.cluster.instance import admit_instance
    from kro_ls.runtime.cluster.simulation import simulate
    from kro_ls.runtime.values.sample_instance import sample_instance
    from kro_ls.yaml_positions.text import Text

    (rgd,) = diagnose_text(Text(text)).analysis.rgds
    started = time.process_time()
    simulation = simulate(rgd, admit_instance(rgd, sample_instance(rgd)).instance)
    taken = (time.process_time() - started) * 1000
    if simulation.state.value != state:
        raise RuntimeError(f"the preview is {simulation.state.value}: {simulation.final.outcome.text}")
    return taken


def _definition(name: str, resources: str) -> str:
    return f"""\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {{name: {name}}}
spec:
  schema: {{apiVersion: v1alpha1, kind: Long, spec: {{name: string}}}}
  resources:
{resources}"""


def _chain(number: int) -> str:
    parts = []
    for link in range(LINKS):
        source = f"r{link - 1}.metadata.name" if link else "schema.spec.name"
        parts.append(f"""\
    - id: r{link}
      readyWhen: ["${{r{link}.metadata.name != ''}}"]
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {{name: "${{schema.spec.name}}-{number}-{link}"}}
        data: {{from: "${{{source}}}"}}
""")
    return _definition("chain", "".join(parts))


def _endless(number: int) -> str:
    expression = f"{number}"
    for depth in range(NESTED):
        expression = f"[0,1,2,3,4,5,6,7,8,9].map(v{depth}, {expression})"
    template = (
        f'{{apiVersion: v1, kind: ConfigMap, metadata: {{name: a}}, data: {{v: "${{string({expression}.size())}}"}}}}'
    )
    return _definition("endless", f"    - id: a\n      template: {template}\n")
