"""A value that the enum of a custom kind does not have."""

from dataclasses import dataclass, field

from kro_ls.authoring import composition
from kro_ls.authoring.kinds.example_com.v1 import Widget


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
    Widget(metadata={"name": spec.name}, spec={"color": "blue", "size": 1, "parts": []})  # error
