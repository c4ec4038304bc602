"""A field that another kind has."""

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


@composition(kind="Shop")
def shop(spec: ShopSpec) -> None:
    ConfigMap(metadata={"name": spec.name}, spec={"name": spec.name})  # error
