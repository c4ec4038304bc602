"""A text where a number belongs."""

from dataclasses import dataclass, field

from kro_ls.authoring import composition
from kro_ls.authoring.kinds.apps.v1 import Deployment


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
    Deployment(
        metadata={"name": spec.name},
        spec={
            "replicas": spec.name,  # error
            "selector": {"matchLabels": {"app": spec.name}},
            "template": {
                "metadata": {"labels": {"app": spec.name}},
                "spec": {"containers": [{"name": "web", "image": spec.image}]},
            },
        },
    )
