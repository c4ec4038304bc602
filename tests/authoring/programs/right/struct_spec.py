"""A spec that is a struct of msgspec, with constraints."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from kro_ls.authoring import composition
from kro_ls.authoring.kinds.autoscaling.v2 import HorizontalPodAutoscaler


class Spec(Struct):
    name: Annotated[str, Meta(min_length=1, max_length=40)]
    most: Annotated[int, Meta(ge=1, le=100)] = 5
    policy: Literal["slow", "fast"] = "slow"


@composition(kind="Scaled")
def scaled(spec: Spec) -> None:
    HorizontalPodAutoscaler(
        metadata={"name": spec.name, "labels": {"policy": spec.policy}},
        spec={
            "maxReplicas": spec.most,
            "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": spec.name},
        },
    )
