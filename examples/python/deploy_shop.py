"""Deploys a shop: `python examples/python/deploy_shop.py [direct|kro] [CONTEXT]`; `kro-ls` needs the extra `deploy`."""

import sys
from dataclasses import dataclass, field

from kro_ls.authoring import ObjectMeta, composition, each
from kro_ls.authoring.kinds.apps.v1 import Deployment
from kro_ls.authoring.kinds.core.v1 import ConfigMap, Service
from kro_ls.deploying import DeploymentError, Direct, Factory, Kro


@dataclass
class ShopSpec:
    image: str
    replicas: int = 2
    regions: list[str] = field(default_factory=list)


@dataclass
class ShopStatus:
    ready: int
    address: str


@composition(kind="Shop")
def shop(spec: ShopSpec, metadata: ObjectMeta) -> ShopStatus:
    labels = {"app": metadata.name}
    app = Deployment(
        metadata={"name": metadata.name},
        spec={
            "replicas": spec.replicas,
            "selector": {"matchLabels": labels},
            "template": {
                "metadata": {"labels": labels},
                "spec": {"containers": [{"name": "shop", "image": spec.image}]},
            },
        },
        id="app",
    )
    service = Service(
        metadata={"name": app.metadata.name},
        spec={"selector": labels, "ports": [{"port": 80}]},
        id="service",
    )
    region = each(spec.regions)
    ConfigMap(
        metadata={"name": f"{metadata.name}-{region.item}"},
        data={"address": service.spec.clusterIP},
        for_each=[region],
        id="settings",
    )
    return ShopStatus(ready=app.status.availableReplicas, address=f"http://{service.spec.clusterIP}")


def main(strategy: str = "direct", context: str = "") -> int:
    """Deploy a shop, print what happens and the status, and delete it again."""
    chosen = {"direct": Direct, "kro": Kro}[strategy](context, timeout=120)
    shops = Factory(shop, chosen)
    run = shops.deploy("corner", ShopSpec(image="nginx", regions=["eu", "us"]))
    try:
        for event in run:
            print(event)
        print(run.result().status)
        for event in shops.delete("corner"):
            print(event)
    except DeploymentError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
