"""Typed Python: the time to build a composition of 100 resources, after the import."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.report import Row, row_of
from kro_ls.authoring import Composition, ObjectMeta, Resource, composition, when

if TYPE_CHECKING:
    from collections.abc import Iterator

PAIRS = 50
BAR = 500.0


@dataclass
class Spec:
    image: str
    replicas: int = 2


def large() -> Composition[Spec, dict[str, object]]:
    """Return a composition of Deployments with Services that read them."""

    @composition(kind="Large")
    def made(spec: Spec, metadata: ObjectMeta) -> dict[str, object]:
        ready = []
        for number in range(PAIRS):
            name = f"{metadata.name}-{number}"
            app = Resource(
                "apps/v1",
                "Deployment",
                metadata={"name": name, "labels": {"app": metadata.name}},
                spec={
                    "replicas": when(spec.replicas > number).then(spec.replicas).otherwise(number),
                    "selector": {"matchLabels": {"app": name}},
                    "template": {
                        "metadata": {"labels": {"app": name}},
                        "spec": {
                            "containers": [
                                {
                                    "name": "main",
                                    "image": f"{spec.image}:{number}",
                                    "env": [{"name": "COUNT", "value": f"{spec.replicas + number}"}],
                                }
                            ]
                        },
                    },
                },
                ready_when=lambda self: self.status.readyReplicas == self.spec.replicas,
            )
            Resource(
                "v1",
                "Service",
                metadata={"name": app.metadata.name},
                spec={"selector": app.spec.selector.matchLabels, "ports": [{"port": 80 + number}]},
                include_when=[spec.replicas > number],
            )
            ready.append(app.status.readyReplicas)
        return {"ready": ready}

    return made


def measure(*, quick: bool) -> Iterator[Row]:
    """Yield the rows of the table."""
    large().to_yaml()  # loads what is loaded once
    wall, cpu = [], []
    for _ in range(3 if quick else 15):
        started, used = time.perf_counter(), time.process_time()
        large().to_yaml()
        wall.append((time.perf_counter() - started) * 1000)
        cpu.append((time.process_time() - used) * 1000)
    what = f"a composition of {2 * PAIRS} resources"
    yield row_of("compositions", what, wall, bar=BAR)
    yield row_of("compositions", f"{what} (processor time)", cpu, bar=BAR)
