"""A kind that nothing describes."""

from dataclasses import dataclass, field

from kro_ls.authoring import Resource, composition


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
    widget = Resource("unknown.example.com/v1", "Gadget", metadata={"name": spec.name}, spec={"size": spec.replicas})
    Resource("v1", "ConfigMap", metadata={"name": spec.name}, data={"state": widget.status.state})
