"""Objects of others, one by its name and several by their labels."""

from dataclasses import dataclass, field

from kro_ls.authoring import cel, composition, external
from kro_ls.authoring.kinds.core.v1 import ConfigMap, Secret


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
    settings = external(ConfigMap, name="settings", namespace="shared")
    secrets = external(Secret, selector={"matchLabels": {"app": "shop"}})
    ConfigMap(
        metadata={"name": spec.name},
        data={
            "host": settings.data["host"],
            "secrets": cel.string(cel.size(secrets)),
            "first": secrets[0].metadata.name,
        },
    )
