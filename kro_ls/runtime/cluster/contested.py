"""Fields that kro applies and a controller writes, too: the two undo each other's work for ever."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.openapi.json_values import as_object, as_text, value_at
from kro_ls.openapi.knowledge.written_keys import writer_of
from kro_ls.openapi.validation.objects.refusal import Refusal
from kro_ls.runtime.nodes.expansion import metadata_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.validation.field_errors import Path
    from kro_ls.runtime.cluster.simulation import Simulation

_SCALERS = {"HorizontalPodAutoscaler": "", "ScaledObject": "Deployment"}
"""With the kind of the target where they name none."""


class Contested(Struct, frozen=True):
    """A field of an object of a node, and who else writes it."""

    node: str
    path: Path
    message: str

    @property
    def place(self) -> Refusal:
        """The field, as what is refused is placed in a definition."""
        return Refusal("", self.path, self.message)


def contested(simulation: Simulation) -> Iterator[Contested]:
    """Yield each such field once for a node."""
    scaled = {_target(value): value for _, value in simulation.objects if as_text(value.get("kind")) in _SCALERS}
    seen = set()
    for id_, value in simulation.applied:
        for path, writer in (*_annotations(value), *_replicas(value, scaled)):
            if (id_, path) not in seen:
                seen.add((id_, path))
                yield Contested(id_, path, f"{writer} writes it as well, and kro puts it back for ever")


def _annotations(value: JsonObject) -> Iterator[tuple[Path, str]]:
    group = as_text(value.get("apiVersion")).rpartition("/")[0]
    for name in as_object(as_object(value.get("metadata")).get("annotations")):
        writer = writer_of(group, as_text(value.get("kind")), name)
        if writer and writer.overwrites:
            yield ("metadata", "annotations", name), writer.name


def _replicas(value: JsonObject, scaled: dict[tuple[str, str, str], JsonObject]) -> Iterator[tuple[Path, str]]:
    scaler = scaled.get((as_text(value.get("kind")), metadata_text(value, "name"), metadata_text(value, "namespace")))
    if scaler is not None and value_at(value, ("spec", "replicas")) is not None:
        yield ("spec", "replicas"), f"the {as_text(scaler.get('kind'))} {metadata_text(scaler, 'name')}"


def _target(scaler: JsonObject) -> tuple[str, str, str]:
    target = as_object(value_at(scaler, ("spec", "scaleTargetRef")))
    kind = as_text(target.get("kind")) or _SCALERS[as_text(scaler.get("kind"))]
    return kind, as_text(target.get("name")), metadata_text(scaler, "namespace")
