"""A kind that does not exist."""

from dataclasses import dataclass, field

from kro_ls.authoring import composition
from kro_ls.authoring.kinds.apps.v1 import Deploymen  # error


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
    Deploymen(metadata={"name": spec.name})
