"""A field that is a word of Python."""

from dataclasses import dataclass, field

from kro_ls.authoring import composition
from kro_ls.authoring.kinds.networking.v1 import NetworkPolicy


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
    policy = NetworkPolicy(
        metadata={"name": spec.name},
        spec={
            "podSelector": {"matchLabels": {"app": spec.name}},
            "ingress": [{"from": [{"ipBlock": {"cidr": "10.0.0.0/8"}}]}],
        },
    )
    NetworkPolicy(
        metadata={"name": f"{spec.name}-too"},
        spec={
            "podSelector": {},
            "ingress": [{"from": [{"ipBlock": {"cidr": policy.spec.ingress[0].from_[0].ipBlock.cidr}}]}],
        },
    )
