"""A status that reads resources and the instance."""

from dataclasses import dataclass, field

from kro_ls.authoring import ObjectMeta, composition, when
from kro_ls.authoring.kinds.apps.v1 import Deployment
from kro_ls.authoring.kinds.core.v1 import Service


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
def shop(spec: ShopSpec, metadata: ObjectMeta) -> ShopStatus:
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
    service = Service(
        metadata={"name": metadata.name},
        spec={"type": "LoadBalancer", "selector": {"app": spec.name}, "ports": [{"port": 80, "targetPort": "http"}]},
    )
    address = (
        when(spec.is_public).then(service.status.loadBalancer.ingress[0].hostname).otherwise(service.spec.clusterIP)
    )
    return ShopStatus(ready=app.status.readyReplicas, address=f"http://{address}:{service.spec.ports[0].port}")
