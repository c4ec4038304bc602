"""Functions that make parts, with types of their own."""

from dataclasses import dataclass, field

from kro_ls.authoring import composition
from kro_ls.authoring.kinds.apps.v1 import Deployment
from kro_ls.authoring.kinds.core.v1 import ConfigMap, Container, EnvVar


@dataclass
class ShopSpec:
    name: str
    image: str
    replicas: int = 2
    is_public: bool = False
    regions: list[str] = field(default_factory=list)
    labels: dict[str, str] = field(default_factory=dict)


def container(name: str, image: str, *variables: EnvVar) -> Container:
    return Container(name=name, image=image, env=list(variables))


def is_ready(app: Deployment) -> bool:
    return app.status.readyReplicas == app.spec.replicas


@composition(kind="Shop")
def shop(spec: ShopSpec) -> None:
    app = Deployment(
        metadata={"name": spec.name},
        spec={
            "selector": {"matchLabels": {"app": spec.name}},
            "template": {
                "metadata": {"labels": {"app": spec.name}},
                "spec": {"containers": [container("web", spec.image, {"name": "MODE", "value": "shop"})]},
            },
        },
    )
    ConfigMap(metadata={"name": spec.name}, data={"on": "true"}, include_when=[is_ready(app)])
