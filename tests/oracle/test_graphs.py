"""Tests that kro-ls and kro before 0.10 agree about Graphs, and that kro still gives the recorded answers."""

from __future__ import annotations

import json
from random import Random

from tests.differential.graphs import RECORDED, VERSION, cluster, differences, generate
from tests.oracle.oracle import ask
from tests.oracle.test_oracle import needs_go


@needs_go
def test_kro_agrees_about_generated_graphs() -> None:
    random = Random(7)
    cases = [generate(random) for _ in range(100)]
    answers = ask(VERSION, [{"graph": json.dumps(case), "cluster": cluster()} for case in cases])
    for case, answer in zip(cases, answers, strict=True):
        assert list(differences(case, answer)) == [], json.dumps(case)


@needs_go
def test_what_was_recorded_still_holds() -> None:
    recorded = [json.loads(line) for line in RECORDED.read_text(encoding="utf-8").splitlines()]
    questions = [{"graph": json.dumps(each["graph"]), "cluster": cluster()} for each in recorded]
    for each, answer in zip(recorded, ask(VERSION, questions), strict=True):
        assert answer["accepted"] == each["answer"]["accepted"]
        assert answer.get("frames") == each["answer"].get("frames")
