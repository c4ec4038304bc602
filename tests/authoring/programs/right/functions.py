"""Functions of texts, lists and maps."""

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
    parts: list[str] = cel.split(cel.lowerAscii(spec.name), "-")
    merged: dict[str, str] = cel.merge(spec.labels, {"managed": "true"})
    ConfigMap(
        metadata={"name": cel.join(parts, "."), "labels": merged},
        data={"length": cel.string(cel.size(spec.name) + 1), "first": cel.substring(spec.name, 0, 3)},
    )
