"""Comprehensions, and `in`."""

from dataclasses import dataclass, field

from kro_ls.authoring import cel, composition, each
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
    long = [cel.upperAscii(region) for region in each(spec.regions) if cel.size(region) > 2]
    ConfigMap(
        metadata={"name": spec.name},
        data={"regions": cel.join(long, ",")},
        include_when=["eu" in spec.regions],
    )
