"""What happens when an instance is deleted: kro deletes its objects wave by wave, the dependants first.

Source: kro `pkg/controller/instance`: the next wave begins when the one before is gone; nothing is evaluated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.openapi.json_values import as_list, as_object, as_text
from kro_ls.runtime.passes.metadata import apply_orders

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.runtime.cluster.simulation import Simulation


class DeletedObject(Struct, frozen=True):
    """An object that kro deletes; it stays until controllers took its `finalizers` away."""

    node: str
    value: JsonObject
    finalizers: tuple[str, ...]


class KeptObject(Struct, frozen=True):
    """An object that remains after the instance is gone, and why."""

    node: str
    value: JsonObject
    reason: str


class Deletion(Struct, frozen=True):
    """The waves in the order in which they go, each with its number (the annotation of kro), and what stays."""

    waves: tuple[tuple[int, tuple[DeletedObject, ...]], ...]
    kept: tuple[KeptObject, ...]


def deletion(rgd: RgdAnalysis, simulation: Simulation) -> Deletion:
    """Return what happens to the objects of a simulation when its instance is deleted."""
    in_waves = rgd.rgd.form.declares_kind  # or one object after the other, without waiting for any
    numbers = apply_orders(rgd.graph) if in_waves else {}
    waves: dict[int, list[DeletedObject]] = {}
    kept: list[KeptObject] = []
    for id_, value in simulation.objects if in_waves else reversed(simulation.objects):
        finalizers = as_list(as_object(value.get("metadata")).get("finalizers"))
        deleted = DeletedObject(id_, value, tuple(as_text(each) for each in finalizers))
        waves.setdefault(numbers.get(id_, 0), []).append(deleted)
        reason = _left_behind(value)
        if reason:
            kept.append(KeptObject(id_, value, reason))
    for node in simulation.final.result.nodes:
        if node.is_external:
            kept += (KeptObject(node.id, each, "kro only reads it") for each in node.observed or ())
    ordered = sorted(waves.items(), reverse=True)
    return Deletion(tuple((number, tuple(objects)) for number, objects in ordered), tuple(kept))


def _left_behind(value: JsonObject) -> str:
    """Return what an object leaves behind when it is deleted; empty where nothing is."""
    spec, metadata = as_object(value.get("spec")), as_object(value.get("metadata"))
    annotations = as_object(metadata.get("annotations"))
    if annotations.get("services.k8s.aws/deletion-policy") == "retain":
        return "what it stands for stays in AWS: its deletion policy is retain"
    if annotations.get("cnrm.cloud.google.com/deletion-policy") == "abandon":
        return "what it stands for stays in Google Cloud: its deletion policy is abandon"
    if spec.get("deletionPolicy") == "Orphan":
        return "what it stands for stays: its deletionPolicy is Orphan"
    if value.get("kind") == "StatefulSet" and as_list(spec.get("volumeClaimTemplates")):
        policy = as_object(spec.get("persistentVolumeClaimRetentionPolicy"))
        return "" if policy.get("whenDeleted") == "Delete" else "the claims that it made of volumeClaimTemplates stay"
    if value.get("kind") == "PersistentVolume" and spec.get("persistentVolumeReclaimPolicy", "Retain") == "Retain":
        return "its storage stays: its reclaim policy is Retain"
    return ""
