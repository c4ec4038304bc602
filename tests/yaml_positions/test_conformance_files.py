"""Every RGD that kro accepts parses without a syntax error, and cutting it into chunks changes nothing."""

import json

import pytest

from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.text import Text
from tests.paths import CONFORMANCE, needs_conformance
from tests.yaml_positions.dump import CUTS

pytestmark = needs_conformance


def texts(folder: str) -> list[tuple[str, Text]]:
    return [(path.name, Text(path.read_text())) for path in sorted((CONFORMANCE / folder).glob("*.yaml"))]


def test_accepted_files_have_no_error_but_repeated_keys() -> None:
    """kro reads YAML leniently: of a repeated key the last counts (one accepted file has one)."""
    verdicts = [json.loads(line) for line in (CONFORMANCE / "rgds.jsonl").read_text().splitlines()]
    accepted = {verdict["file"]: verdict["accepted"] for verdict in verdicts}
    found = {
        name: error.message
        for name, text in texts("rgds")
        for error in parse_stream(text, CUTS).errors
        if accepted[name] and error.code != "duplicate-key"
    }
    assert found == {}


@pytest.mark.parametrize("folder", ["rgds", "faults"])
def test_chunks_make_the_same_value_as_the_whole(folder: str) -> None:
    for name, text in texts(folder):
        parts, whole = parse_stream(text, CUTS), parse_stream(text)
        assert [document.to_python() for document in parts.documents] == [
            document.to_python() for document in whole.documents
        ], name
        assert parts.errors == whole.errors, name
        assert set(parts.comments()) == set(whole.comments()), name
