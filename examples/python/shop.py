"""A shop: a Deployment, a Service, a ConfigMap for each region, and settings of others. `kro-ls build` builds it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from msgspec import Meta

from kro_ls.authoring import ObjectMeta, cel, composition, each, external, when
from kro_ls.authoring.kinds.apps.v1 import Deployment
from kro_ls.authoring.kinds.core.v1 import ConfigMap, Service


@dataclass
class ShopSpec:
    """What users of the kind can set."""

    image: Annotated[str, Meta(description="The image of the shop, with its tag")]
    replicas: Annotated[int, Meta(ge=1, le=10)] = 2
    public: bool = False
    regions: list[str] = field(default_factory=list)


@dataclass
class ShopStatus:
    """What kro tells of a shop."""

    ready: int
    address: str
    shops: list[str]


@composition(kind="Shop")
def shop(spec: ShopSpec, metadata: ObjectMeta) -> ShopStatus:
    """Declare the kind Shop."""
    labels = {"app": metadata.name}
    settings = external(ConfigMap, name="shop-settings", namespace="shared")
    app = Deployment(
        metadata={"name": metadata.name, "labels": labels},
        spec={
            "replicas": when(spec.public).then(spec.replicas).otherwise(1),
            "selector": {"matchLabels": labels},
            "template": {
                "metadata": {"labels": labels},
                "spec": {
                    "containers": [
                        {
                            "name": "shop",
                            "image": spec.image,
                            "env": [
                                {"name": "REGIONS", "value": cel.join(spec.regions, ",")},
                                {"name": "IN_EUROPE", "value": cel.string("eu" in spec.regions)},
                            ],
                            "ports": [{"containerPort": 8080}],
                        }
                    ]
                },
            },
        },
        ready_when=lambda self: self.status.readyReplicas == self.spec.replicas,
    )
    service = Service(
        metadata={"name": f"{metadata.name}-web"},
        spec={"selector": labels, "ports": [{"port": 80, "targetPort": 8080}]},
        include_when=[spec.public],
    )
    region = each(spec.regions)
    ConfigMap(
        metadata={"name": f"{metadata.name}-{region.item}"},
        data={"region": region.item, "service": f"{metadata.name}-web"},
        for_each=[region],
    )
    return ShopStatus(
        ready=app.status.readyReplicas,
        address=f"http://{service.metadata.name}.{settings.data['domain']}",
        shops=[f"{metadata.name}-{name}" for name in each(spec.regions)],
    )
