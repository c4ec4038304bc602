"""kro's own answers: the schema must be equal, or our first error one of those that kro gave."""

import json

from kro_ls.analysis.simpleschema.builder import build_schema
from tests.paths import CONFORMANCE, needs_conformance

CASES = CONFORMANCE / "simpleschema.jsonl"


@needs_conformance
def test_simpleschema_agrees_with_kro() -> None:
    differences = []
    lines = CASES.read_text(encoding="utf-8").splitlines()
    for line in lines:
        case = json.loads(line)
        result = build_schema(case["spec"], case.get("types"))
        if "schema" in case:
            agrees = result.schema == case["schema"]
        else:
            agrees = bool(result.errors) and result.errors[0].kro_message in case["errors"]
        if not agrees:
            differences.append(line)
    assert lines
    assert differences == []
