"""The committed recordings: a JSON object on each line, without parts that differ between runs."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from tests.cluster.instances import as_json
from tests.cluster.recordings import Recording, Stage
from tests.paths import CONFORMANCE

FOLDER = Path(__file__).parent / "recorded"
CONFORMANCE_SET = "conformance"
OWN_SET = "own"
OWN_DEFINITIONS = Path(__file__).parent / "definitions"

UNSTEADY = re.compile(
    r"(?P<uid>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"
    r"|(?P<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)"
    r"|(?P<address>\b10\.(?:9[6-9]|10\d|11[01])\.\d+\.\d+\b)"
    r"|(?P<volume>kube-api-access-[a-z0-9]{5})"
    r'|(?P<port>"(?:nodePort|healthCheckNodePort)": \d+)'
)
UNKEPT = ("resourceVersion", "managedFields", "creationTimestamp", "selfLink")
"""Metadata about when and by whom an object was written."""


def file_of(name: str) -> Path:
    """Return the file of a set. It is compressed, to a tenth of its size because the recordings are similar."""
    return FOLDER / f"{name}.jsonl.gz"


def write(name: str, recordings: Iterable[Recording]) -> None:
    """Write a set of recordings without their definitions, which are files in the set's folder."""
    FOLDER.mkdir(exist_ok=True)
    lines = [json.dumps(_steady(each), sort_keys=True) for each in recordings]
    text = "".join(f"{each}\n" for each in lines)
    file_of(name).write_bytes(gzip.compress(text.encode(), mtime=0))


def as_written(recording: Recording) -> Recording:
    """Return a recording as it would be read from a file."""
    return _recording(_steady(recording), recording.definition)


def sets() -> list[tuple[str, Path]]:
    """Return the sets of definitions by name, with their folders: our own, and the conformance set if it exists."""
    found = [(OWN_SET, OWN_DEFINITIONS)]
    return [*found, (CONFORMANCE_SET, CONFORMANCE / "rgds")] if CONFORMANCE.is_dir() else found


def read(name: str, definitions: Path) -> Iterator[Recording]:
    """Yield the recordings of a set whose definitions are in a folder."""
    for line in gzip.decompress(file_of(name).read_bytes()).decode().splitlines():
        value = json.loads(line)
        text = (definitions / value["name"]).read_text(encoding="utf-8")
        yield _recording(value, text)


def _recording(value: dict[str, Any], definition: str) -> Recording:
    return Recording(**{**value, "definition": definition, "stages": list(_whole(value["stages"]))})


def _compact(recording: Recording) -> dict[str, Any]:
    """Return a recording in which each stage has only the differences from the previous one."""
    stages: list[dict[str, Any]] = []
    before: dict[str, Any] = {}
    for stage in recording.stages:
        whole = _kept(as_json(stage))
        less = {key: value for key, value in whole.items() if key in ("at", "observed") or before.get(key) != value}
        nodes = before.get("observed", {})
        less["observed"] = {
            id_: each for id_, each in whole["observed"].items() if id_ not in nodes or nodes[id_] != each
        }
        stages.append(less)
        before = whole
    rest: dict[str, Any] = {"refused": recording.refused, "sample_refused": recording.sample_refused}
    rest |= {"crd": recording.crd, "deleted": recording.deleted, "edits": recording.edits}
    return {
        "name": recording.name,
        "stages": stages,
        **{key: value for key, value in rest.items() if value is not None},
    }


def _whole(stages: list[dict[str, Any]]) -> Iterator[Stage]:
    before: dict[str, Any] = {"observed": {}}
    for stage in stages:
        before = {**before, **stage, "observed": {**before["observed"], **stage["observed"]}}
        yield Stage(**before)


def _kept(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _kept(each) for key, each in value.items() if key not in UNKEPT}
    return [_kept(each) for each in value] if isinstance(value, list) else value


def _steady(recording: Recording) -> dict[str, Any]:
    """Return a recording with ids, addresses and ports replaced by numbers in order of appearance.

    Those in the definition itself stay.
    """
    counted: dict[str, dict[str, int]] = {}

    def steady(found: re.Match[str]) -> str:
        what, text = str(found.lastgroup), found[0]
        if text in recording.definition:
            return text
        number = counted.setdefault(what, {}).setdefault(text, len(counted[what]) + 1)
        if what == "uid":
            return f"00000000-0000-4000-8000-{number:012}"
        if what == "time":
            return "2026-01-01T00:00:00Z"
        if what == "address":
            return f"10.96.1.{number}"
        return f"kube-api-access-{number:05}" if what == "volume" else f"{text.partition(':')[0]}: {30000 + number}"

    steadied: dict[str, Any] = json.loads(UNSTEADY.sub(steady, json.dumps(_compact(recording), sort_keys=True)))
    return steadied
