"""A keyword that the class does not have."""

from dataclasses import dataclass, field

from kro_ls.authoring import composition
from kro_ls.authoring.kinds.core.v1 import Container, Pod


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
    web = Container(name="web", imag=spec.image)  # error
    Pod(metadata={"name": spec.name}, spec={"containers": [web]})
