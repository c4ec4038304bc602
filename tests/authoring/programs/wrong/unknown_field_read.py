"""A field of a status that the kind does not have."""

from dataclasses import dataclass, field

from kro_ls.authoring import composition
from kro_ls.authoring.kinds.apps.v1 import Deployment
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
    app = Deployment(
        metadata={"name": spec.name},
        spec={
            "replicas": spec.replicas,
            "selector": {"matchLabels": {"app": spec.name}},
            "template": {
                "metadata": {"labels": {"app": spec.name}},
                "spec": {"containers": [{"name": "web", "image": spec.image}]},
            },
        },
    )
    ConfigMap(metadata={"name": spec.name}, data={"ready": f"{app.status.readyReplica}"})  # error
