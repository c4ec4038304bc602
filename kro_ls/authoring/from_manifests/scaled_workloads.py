"""Workloads that an autoscaler scales in some of the inputs: one with `replicas`, and one that leaves them to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kro_ls.authoring.from_manifests.draft_resources import divided
from kro_ls.authoring.from_manifests.input_objects import scaled_by
from kro_ls.openapi.json_values import value_at

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kro_ls.authoring.from_manifests.draft_resources import DraftResource

_REPLICAS: Final = ("spec", "replicas")


def with_scaled_apart(resources: Sequence[DraftResource]) -> list[DraftResource]:
    """Return resources of which those are two variants that are scaled where they have no replicas of their own.

    A template with the replicas would put them back for ever in the instances that have the autoscaler.
    """
    scalers = [each for each in resources if each.key.kind == "HorizontalPodAutoscaler"]
    return [part for each in resources for part in _parts(each, scalers)]


def _parts(resource: DraftResource, scalers: Sequence[DraftResource]) -> Iterator[DraftResource]:
    for scaler in scalers:
        scaled = [_scales(one, other) for one, other in zip(scaler.given, resource.given, strict=True)]
        own = [value_at(each, _REPLICAS) is not None for each in resource.given]
        is_either = all(one != other for one, other in zip(scaled, own, strict=True))
        if any(scaled) and any(own) and is_either and tuple(scaled) == scaler.presence:
            yield from divided(resource, _REPLICAS, scaler)
            return
    yield resource


def _scales(scaler: object, other: object) -> bool:
    """Whether an autoscaler of an input scales an object of it; each is None where the input lacks it."""
    if not isinstance(scaler, dict) or not isinstance(other, dict):
        return False
    return scaled_by(scaler) == (other.get("kind"), value_at(other, ("metadata", "name")))
