"""The recordings of `../shared/cluster` that have only former differences, or the outcome of an instance."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kro_ls.analysis.analysis import RgdAnalysis
from kro_ls.runtime.cluster.instance import admit_instance
from kro_ls.runtime.cluster.preview_data import deletion_json, objects_of
from kro_ls.runtime.cluster.simulation import Simulation, simulate
from kro_ls.runtime.values.sample_instance import sample_instance
from tests.cluster.client import read_objects
from tests.cluster.comparisons import (
    ABSENT,
    Compared,
    Difference,
    analysed,
    comparable_status,
    differences,
    foreseen,
    order_differences,
)

READ_AS_FALSE = re.compile(r"\.(?:false|n)\b")
"""A key `n`, which is a boolean in Kubernetes; the recording tools read it as a string, as in YAML 1.2."""


def compare_probes(folder: Path, conformance: Path) -> Iterator[Compared]:
    """Compare the plain preview at former differences, the order of creation, and the deletion."""
    name = f"{folder.parent.name}/{folder.name}"
    recorded = json.loads((folder / "compared.json").read_text(encoding="utf-8"))
    rgd = analysed((folder / "definition.yaml").read_text(encoding="utf-8"), conformance)
    assert rgd is not None, name
    simulation = simulate(rgd, admit_instance(rgd, sample_instance(rgd)).instance)
    step = next(each for each in recorded["steps"] if each["at"] == "plain preview")
    ours = _ours(rgd, simulation)
    for path, _, real in step["differences"]:
        if not READ_AS_FALSE.search(path):
            found = dict(differences(foreseen(_at(ours, path)), foreseen(real)))
            yield Compared("values that the preview once had wrong", f"{name} {path}", found)
    names = [_short(each[1]) for each in recorded["created"]]
    passes = {_named(each): step.number for step in simulation.steps for _, each in step.created}
    yield Compared("order of creation", name, dict(order_differences(names, passes)))
    yield Compared("order of deletion", name, dict(_deletion(rgd, simulation, recorded["deletion"]["real"])))


def compare_fault(folder: Path, conformance: Path) -> Iterator[Compared]:
    """Compare the state and the message of an instance if the API server refuses one of its objects."""
    answers = [each["real"] for each in json.loads((folder / "kro.json").read_text(encoding="utf-8")) if "real" in each]
    rgd = analysed((folder / "rgd.yaml").read_text(encoding="utf-8"), conformance)
    found: list[str] | None = None
    if rgd is not None:
        instance = read_objects(folder / "instance.yaml")[0]
        status: Any = simulate(rgd, admit_instance(rgd, instance).instance).status
        message = next(each["message"] for each in status["conditions"] if each["type"] == "ResourcesReady")
        found = [status["state"], message]
    agrees = found in answers if answers else found is None
    yield Compared("refused objects", f"faults/{folder.name}", {} if agrees else {"": (found, answers)})


def _ours(rgd: RgdAnalysis, simulation: Simulation) -> Any:
    """Return the preview in the layout that the paths of the recordings use."""
    status = comparable_status(simulation.status)
    objects = objects_of(rgd, simulation, with_metadata=True)
    return {
        "state": status.get("state", None),
        "conditions": status["conditions"],
        "status": {name: value for name, value in status.items() if name not in ("state", "conditions")},
        "objects": {_named(each): each for _, each in objects},
    }


def _at(ours: Any, path: str) -> Any:
    what, _, rest = path.partition(" ")
    if what == "object":
        return "there" if _short(rest) in ours["objects"] else "absent"
    value = ours
    if what == "applied":
        found = next(((name, each) for name, each in ours["objects"].items() if _short(rest).startswith(name)), None)
        if found is None:
            return ABSENT
        value, path = found[1], _short(rest)[len(found[0]) + 1 :]
    return _value_at(value, path)


def _value_at(value: Any, path: str) -> Any:
    """Return the value at a path. Keys of labels contain dots, so the longest existing key counts."""
    if not path:
        return value
    index = re.match(r"\[(\d+)\]\.?", path)
    if index:
        place = int(index[1])
        there = isinstance(value, list) and place < len(value)
        return _value_at(value[place], path[index.end() :]) if there else ABSENT
    for key in sorted(value, key=len, reverse=True) if isinstance(value, dict) else ():
        if path == key or path.startswith((f"{key}.", f"{key}[")):
            return _value_at(value[key], path[len(key) :].removeprefix("."))
    return ABSENT


def _deletion(rgd: RgdAnalysis, simulation: Simulation, real: list[list[Any]]) -> Iterator[Difference]:
    waves = deletion_json(rgd, simulation)["waves"]
    groups = {
        each["object"].rpartition("/")[2].rpartition(" ")[2]: number
        for number, wave in enumerate(waves)
        for each in wave["objects"]
    }
    names = [each[2] for each in real]
    yield from order_differences(names, groups)
    for name in groups.keys() - names:
        yield name, ("deleted", ABSENT)


def _named(value: Any) -> str:
    return f"{value['kind']} {value['metadata']['name']}"


def _short(name: str) -> str:
    """Return the kind, the name and the rest of `v1/ConfigMap namespace/name`."""
    kind, _, where = name.partition(" ")
    return f"{kind.rpartition('/')[2]} {where.partition('/')[2]}"
