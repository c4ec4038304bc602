"""Tests that kro and the API server still give the recorded verdicts."""

from __future__ import annotations

import json

from tests.differential.verdicts import RECORDED, answers
from tests.oracle.test_oracle import needs_go


@needs_go
def test_what_was_recorded_still_holds() -> None:
    recorded = [json.loads(line) for line in RECORDED.read_text(encoding="utf-8").splitlines()]
    for each, answer in zip(recorded, answers([each["rgd"] for each in recorded]), strict=True):
        is_accepted = answer["accepted"]
        assert (is_accepted, is_accepted and not answer.get("crdErrors")) == (each["accepted"], each["crdAccepted"])
