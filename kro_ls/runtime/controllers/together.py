"""Kinds whose status depends on other objects: budgets and quotas count them, claims and volumes find each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from kro_ls.openapi.json_values import as_object, as_text
from kro_ls.runtime.controllers.budgets import counted
from kro_ls.runtime.controllers.quotas import used
from kro_ls.runtime.nodes.expansion import metadata_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from kro_ls.openapi.json_values import JsonObject

    Together: TypeAlias = Callable[[JsonObject, Iterable[JsonObject]], JsonObject]


def together(value: JsonObject) -> Together | None:
    """Return what makes an object of itself and of all objects; None where its status depends on itself alone."""
    return _TOGETHER.get((as_text(value.get("apiVersion")).rpartition("/")[0], as_text(value.get("kind"))))


def _claim(value: JsonObject, objects: Iterable[JsonObject]) -> JsonObject:
    """Return a claim that names its volume with the capacity of that, where it is among the objects."""
    wanted = as_object(value.get("spec")).get("volumeName")
    volume = next((each for each in objects if _is_volume(each) and metadata_text(each, "name") == wanted), None)
    if volume is None:
        return value
    spec = as_object(volume.get("spec"))
    of_volume = {name: spec.get(name) for name in ("capacity", "accessModes")}
    return {**value, "status": {**as_object(value.get("status")), **of_volume}}


def _volume(value: JsonObject, objects: Iterable[JsonObject]) -> JsonObject:
    """Return a volume with the claim that names it, where it is among the objects."""
    name = metadata_text(value, "name")
    claims = filter(_is_claim, objects)
    claim = next((each for each in claims if as_object(each.get("spec")).get("volumeName") == name), None)
    if claim is None:
        return value
    reference: JsonObject = {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "name": metadata_text(claim, "name"),
        "namespace": metadata_text(claim, "namespace"),
        "uid": metadata_text(claim, "uid"),
        "resourceVersion": metadata_text(claim, "resourceVersion"),
    }
    return {**value, "spec": {**as_object(value.get("spec")), "claimRef": reference}}


def _is_volume(value: JsonObject) -> bool:
    return (value.get("apiVersion"), value.get("kind")) == ("v1", "PersistentVolume")


def _is_claim(value: JsonObject) -> bool:
    return (value.get("apiVersion"), value.get("kind")) == ("v1", "PersistentVolumeClaim")


_TOGETHER: Final[dict[tuple[str, str], Together]] = {
    ("policy", "PodDisruptionBudget"): counted,
    ("", "ResourceQuota"): used,
    ("", "PersistentVolumeClaim"): _claim,
    ("", "PersistentVolume"): _volume,
}
