"""A composition that uses another one."""

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


@dataclass
class ShopStatus:
    ready: int
    address: str


@composition(kind="Part")
def part(spec: ShopSpec) -> ShopStatus:
    settings = ConfigMap(metadata={"name": spec.name}, data={"image": spec.image})
    return ShopStatus(ready=cel.size(settings.data), address=settings.metadata.name)


@composition(kind="Shop")
def shop(spec: ShopSpec) -> None:
    made = part(ShopSpec(name=spec.name, image=spec.image), metadata={"name": f"{spec.name}-part"})
    ConfigMap(metadata={"name": spec.name}, data={"address": made.status.address})
