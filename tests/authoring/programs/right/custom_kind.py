"""A custom kind, from a stub that kro-ls writes."""

from dataclasses import dataclass, field

from kro_ls.authoring import composition
from kro_ls.authoring.kinds.example_com.v1 import Widget, WidgetSpecParts


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
    widget = Widget(
        metadata={"name": spec.name},
        spec={"color": "red", "size": spec.replicas, "parts": [WidgetSpecParts(name="a"), {"name": spec.image}]},
    )
    name: str = widget.spec.parts[0].name
    Widget(metadata={"name": name}, spec={"color": "green", "size": widget.spec.size + 1, "parts": []})
