"""A resource of classes."""

from dataclasses import dataclass, field

from kro_ls.authoring import composition
from kro_ls.authoring.kinds.apps.v1 import Deployment, DeploymentSpec
from kro_ls.authoring.kinds.core.v1 import Container, ContainerPort, PodSpec, PodTemplateSpec
from kro_ls.authoring.kinds.meta.v1 import LabelSelector, ObjectMeta


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
    web = Container(name="web", image=spec.image, ports=[ContainerPort(containerPort=80)])
    Deployment(
        metadata=ObjectMeta(name=spec.name),
        spec=DeploymentSpec(
            replicas=spec.replicas,
            selector=LabelSelector(matchLabels={"app": spec.name}),
            template=PodTemplateSpec(metadata={"labels": {"app": spec.name}}, spec=PodSpec(containers=[web])),
        ),
    )
