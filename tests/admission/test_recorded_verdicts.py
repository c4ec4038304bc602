"""The webhook gets definitions as JSON with sorted keys, and says of them what kro says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from kro_ls.admission.known_definitions import ReviewOptions
from kro_ls.admission.reviewer import Reviewer
from kro_ls.openapi.sources.pack.policy import ALL_GROUPS, PackPolicy
from kro_ls.rules.diagnosis import DEFAULT_SETTINGS
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.text import Text
from tests.fixtures.webhook import review
from tests.paths import CONFORMANCE

EVERY = 4
"""All of them take ten seconds."""
UNKNOWN_KIND = "schema not found"

pytestmark = pytest.mark.skipif(not CONFORMANCE.is_dir(), reason="the recorded answers are not beside the checkout")


def recorded() -> Iterator[tuple[str, Any, Any]]:
    """Yield a part of the definitions that kro judged, each with its file and the answer."""
    for name in ("rgds", "faults"):
        rows = (CONFORMANCE / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
        for row in map(json.loads, rows[::EVERY]):
            file = CONFORMANCE / name / row["file"]
            documents = parse_stream(Text(file.read_text(encoding="utf-8"))).documents
            if len(documents) == 1 and not documents[0].errors:  # a text that is not YAML never reaches a webhook
                yield row["file"], documents[0].to_python(), row


def test_definitions_are_denied_that_kro_refuses() -> None:
    crds = [str(each) for each in sorted((CONFORMANCE / "crds").rglob("*.yaml"))]
    options = ReviewOptions(DEFAULT_SETTINGS, well_known=PackPolicy.of({ALL_GROUPS: "off"}), knows_cluster=True)
    reviewer = Reviewer(options, crds)
    wrong, judged = [], 0
    for file, value, row in recorded():
        body = json.dumps(review(value), sort_keys=True).encode()
        response = json.loads(reviewer.review(body).body)["response"]
        reported = not response["allowed"]
        if UNKNOWN_KIND in json.dumps(row):  # which may come with the definition, so that is a warning
            reported |= any(UNKNOWN_KIND in each for each in response.get("warnings", ()))
        judged += 1
        if reported is row["accepted"]:
            wrong.append(file)
    assert judged > 100
    assert wrong == []
