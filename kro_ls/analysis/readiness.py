"""Conditions that show that a resource is ready, in the form of `readyWhen`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.analysis.facts import kind_name
from kro_ls.analysis.model.model import ResourceType
from kro_ls.openapi.readiness import GUESS, known_signs, signs_of
from kro_ls.yaml_positions.nodes import node_at, text_of

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import Resource
    from kro_ls.openapi.kind_schema import KindSchema
    from kro_ls.openapi.readiness import Sign


class Condition(Struct, frozen=True):
    """An expression for `readyWhen`, its meaning (`the Role is synced`), and whether it is only a guess."""

    expression: str
    means: str
    is_guess: bool = False


def conditions_of(resource: Resource, kind: KindSchema | None) -> tuple[Condition, ...]:
    """Return the conditions that a ready resource meets, the best one first; none if there is nothing to wait for."""
    variable, named = _variable(resource), kind_name(resource)
    if not variable or named is None:
        return ()
    group, name = named[0].rpartition("/")[0], named[1]
    is_guess = kind is None and known_signs(group, name) is None
    which = "each" if variable == "each" else "the"
    return tuple(
        Condition(each.expression.replace("{x}", variable), f"{which} {name} {each.means}", is_guess)
        for each in ((GUESS,) if is_guess else signs_of(group, name, kind))
        if _has_to_wait(resource, each)
    )


def _variable(resource: Resource) -> str | None:
    """Return the name of the object in the resource's `readyWhen`; None where it has none."""
    if resource.type is ResourceType.COLLECTION:
        return "each" if resource.collection.tests_each else None
    return None if resource.type is ResourceType.EXTERNAL_COLLECTION else resource.id


def _has_to_wait(resource: Resource, sign: Sign) -> bool:
    if not sign.only_with:
        return True
    *path, value = sign.only_with
    return text_of(node_at(resource.object, tuple(path))) == value
