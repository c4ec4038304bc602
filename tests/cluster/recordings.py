"""Recorded answers of a cluster about a definition, from any source."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.cluster.client import Object, read_objects


@dataclass(frozen=True, slots=True)
class Stage:
    """A state of rest: nothing changed any more after a step.

    `observed` are the objects of each node in the cluster, `applied` are those that kro sent, `instance` and `status`
    are those in the cluster.
    """

    at: str
    instance: Object
    observed: Object
    status: Object
    applied: list[Object]

    @property
    def is_edit(self) -> bool:
        """Whether the step was an edit of the instance."""
        return self.at.startswith("edit ")


@dataclass(frozen=True, slots=True)
class Recording:
    """A definition and its states of rest, in their order.

    `refused` is why kro or the API server does not accept the definition, `sample_refused` why the API server does not
    accept the sample instance; `crd` is the spec of the generated CRD as the API server stores it, `deleted` names the
    objects that kro deletes with the instance, in order, `edits` why edits of the definition are refused, an empty text
    for those that are applied. None means not recorded.
    """

    name: str
    definition: str
    stages: list[Stage]
    refused: str = ""
    sample_refused: str | None = None
    crd: Object | None = None
    deleted: list[str] | None = None
    edits: dict[str, str] | None = None


def shared_vectors(cluster: Path, conformance: Path) -> Iterator[Recording]:
    """Yield the recordings of `../shared/cluster/vectors`; their definitions are those of the conformance set."""
    for folder in sorted((cluster / "vectors").iterdir()):
        file = (folder / "definition.txt").read_text(encoding="utf-8").strip()
        stages = [Stage(**json.loads(each.read_text(encoding="utf-8"))) for each in sorted(folder.glob("stage-*.json"))]
        yield Recording(f"vectors/{folder.name}", (conformance / "rgds" / file).read_text(encoding="utf-8"), stages)


def shared_stuck(cluster: Path) -> Iterator[Recording]:
    """Yield the recordings of `../shared/cluster/stuck` whose instance is of this very definition: one state each."""
    for folder in sorted((cluster / "stuck").iterdir()):
        files = {each.name for each in folder.iterdir()}
        if {"definition.yaml", "instance.yaml", "kro.json"} <= files:
            outcome = json.loads((folder / "kro.json").read_text(encoding="utf-8"))
            if not any("Inactive" in line for line in outcome["kro"]):
                yield Recording(f"stuck/{folder.name}", _own_definition(folder), [_stuck_stage(folder)])


def _own_definition(folder: Path) -> str:
    return (folder / "definition.yaml").read_text(encoding="utf-8")


def _stuck_stage(folder: Path) -> Stage:
    instance: Any = read_objects(folder / "instance.yaml")[0]
    children = read_objects(folder / "children.yaml") if (folder / "children.yaml").is_file() else []
    status = instance.pop("status", {})
    return Stage("stuck", instance, by_node(children), status, [])


def by_node(children: list[Object]) -> Object:
    """Return the objects of each node, by the label in which kro names the node."""
    found: Object = {}
    for child in children:
        labels = child["metadata"].get("labels") or {}
        node = labels.get("kro.run/node-id")
        if node and "kro.run/collection-index" in labels:
            found.setdefault(node, []).append(child)
        elif node:
            found[node] = child
    return found
