"""Times, durations and addresses."""

from dataclasses import dataclass, field

from kro_ls.authoring import cel, composition
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
    settings = ConfigMap(metadata={"name": spec.name}, data={"name": spec.name})
    year: int = cel.getFullYear(settings.metadata.creationTimestamp)
    host: str = cel.getHost(cel.url(f"http://{spec.name}/"))
    is_private: bool = cel.containsIP(cel.cidr("10.0.0.0/8"), spec.image)
    ConfigMap(metadata={"name": host}, data={"year": cel.string(year)}, include_when=[is_private])
