"""A claim inside of a resource, and quantities."""

from dataclasses import dataclass, field

from kro_ls.authoring import composition
from kro_ls.authoring.kinds.apps.v1 import StatefulSet


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
    StatefulSet(
        metadata={"name": spec.name},
        spec={
            "serviceName": spec.name,
            "selector": {"matchLabels": {"app": spec.name}},
            "template": {
                "metadata": {"labels": {"app": spec.name}},
                "spec": {
                    "containers": [
                        {"name": "web", "image": spec.image, "resources": {"limits": {"cpu": 1, "memory": "128Mi"}}}
                    ]
                },
            },
            "volumeClaimTemplates": [
                {
                    "metadata": {"name": "data"},
                    "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}},
                }
            ],
        },
    )
