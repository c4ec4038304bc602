"""Tests that kro-ls accepts and refuses the same applied objects as a real API server, with the same errors."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from kro_ls.openapi.json_values import JsonObject
from kro_ls.openapi.rules.evaluation import rule_errors
from kro_ls.openapi.validation.objects.refusal import refusal
from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.rules.settings import Settings
from kro_ls.runtime.cluster.instance import admit_instance
from kro_ls.runtime.cluster.simulation import simulate
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.text import Text
from tests.conformance.schemas import schemas
from tests.paths import CLUSTER, CONFORMANCE, needs_cluster, needs_conformance

KNOWN = {
    "crdcel": "the definition of the custom kind is not beside the recording",
    "crdreq": "the definition of the custom kind is not beside the recording",
    "serviceaccount": "which service accounts there are is not simulated",
}


@needs_conformance
@needs_cluster
def test_no_applied_object_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    kinds = schemas(CONFORMANCE)
    objects = [
        (file, each)
        for file in sorted((CLUSTER / "vectors").glob("*/stage-*.json"))
        for each in json.loads(file.read_text(encoding="utf-8"))["applied"]
    ]
    wrong = []
    for file, value in objects:
        group, _, version = value["apiVersion"].rpartition("/")
        found = refusal(value, kinds.find(group, version, value["kind"]), rule_errors)
        if found:
            wrong.append((file.parent.name, found.text))
    with capsys.disabled():
        print(f"\nobjects that a cluster took: {len(objects)}, refused here: {len(wrong)}", end="")
    assert not wrong
    assert len(objects) > 250


@needs_conformance
@needs_cluster
def test_refusals_have_the_state_and_the_text_of_the_cluster(capsys: pytest.CaptureFixture[str]) -> None:
    counts: Counter[str] = Counter()
    wrong = {}
    for folder in sorted((CLUSTER / "faults").iterdir()):
        recorded = json.loads((folder / "kro.json").read_text(encoding="utf-8"))
        answers = [each["real"] for each in recorded if "real" in each]
        found = _state_and_message(folder)
        if not answers:
            assert found is None, folder.name
            continue
        outcome = "same" if found in answers else "known" if folder.name in KNOWN else "wrong"
        counts[outcome] += 1
        if outcome == "wrong":
            wrong[folder.name] = found, answers
    with capsys.disabled():
        print(f"\nfaults in a cluster: {dict(counts)}", end="")
    assert not wrong
    assert counts["same"] >= 33


def _state_and_message(folder: Any) -> list[str] | None:
    """Return the state and the message of `ResourcesReady`, None if kro refuses the definition."""
    diagnosis = diagnose_text(Text((folder / "rgd.yaml").read_text(encoding="utf-8")), Settings(), schemas(CONFORMANCE))
    if any(each.severity == "error" for each in diagnosis.diagnostics):
        return None
    instance: Any = parse_stream(Text((folder / "instance.yaml").read_text(encoding="utf-8"))).documents[0].to_python()
    (rgd,) = diagnosis.analysis.rgds
    simulation = simulate(rgd, admit_instance(rgd, instance).instance)
    conditions: Any = simulation.status["conditions"]
    ready: JsonObject = next(each for each in conditions if each["type"] == "ResourcesReady")
    return [simulation.state.value, str(ready["message"])]
