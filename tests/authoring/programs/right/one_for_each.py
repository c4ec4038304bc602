"""One object for each item, with conditions."""

from dataclasses import dataclass, field

from kro_ls.authoring import composition, each
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
    region = each(spec.regions)
    ConfigMap(
        metadata={"name": f"{spec.name}-{region.item}"},
        data={"region": region.item},
        for_each=[region],
        include_when=[spec.is_public, spec.replicas > 1],
        ready_when=lambda one: one.metadata.name != "",
    )
