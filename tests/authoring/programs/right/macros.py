"""Macros, with functions of Python as their bodies."""

from dataclasses import dataclass, field

from kro_ls.authoring import cel, composition
from kro_ls.authoring.kinds.core.v1 import ConfigMap


@dataclass
class ShopSpec:
    name: str
    image: str
    replicas: int = 2
    is_public: bool = False
    regions: list[str] = field(default_factory=list)
    labels: dict[str, str] = field(default_factory=dict)


@composition(kind="Shop")
def shop(spec: ShopSpec) -> None:
    is_short: bool = cel.all(spec.regions, lambda region: cel.size(region) < 20)
    shouted: list[str] = cel.map(spec.regions, lambda region: cel.upperAscii(region) + "!")
    trimmed: dict[str, str] = cel.transformMap(spec.labels, lambda name, value: cel.trim(value))
    ConfigMap(
        metadata={"name": spec.name, "labels": trimmed},
        data={"regions": cel.join(shouted, ",")},
        include_when=[is_short & cel.exists(spec.labels, lambda name: name == "app")],
    )
