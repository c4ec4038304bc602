"""A value of another type than the status declares."""

from dataclasses import dataclass, field

from kro_ls.authoring import composition
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


@composition(kind="Shop")
def shop(spec: ShopSpec) -> ShopStatus:
    settings = ConfigMap(metadata={"name": spec.name}, data={"on": "true"})
    return ShopStatus(ready=settings.metadata.name, address=settings.metadata.name)  # error
