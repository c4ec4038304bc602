"""A spec that is a TypedDict, and a status that is a mapping."""

from typing import TypedDict

from kro_ls.authoring import composition
from kro_ls.authoring.kinds.core.v1 import ConfigMap


class Spec(TypedDict):
    name: str
    size: int


@composition(kind="Shop")
def shop(spec: Spec) -> None:
    ConfigMap(metadata={"name": spec["name"]}, data={"size": f"{spec['size']}"})
