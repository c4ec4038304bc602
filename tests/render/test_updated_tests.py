"""Tests of published definitions: saved, updated after a change of the definition, and passing then."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kro_ls.analysis.analysis import RgdAnalysis, analyze
from kro_ls.render.changed_values import with_value
from kro_ls.render.test_file import TestFileHead, new_test_file
from kro_ls.runtime.cluster.instance import instance_kind
from kro_ls.runtime.cluster.scenario import Scenario
from kro_ls.runtime.cluster.simulation import Simulation
from kro_ls.runtime.passes.reasons import state_word
from kro_ls.runtime.passes.results import NodeResult
from kro_ls.runtime.testing.saved_tests import saved_test
from kro_ls.runtime.testing.testrun import TestCase, TestOutcome, read_test_file, run_test
from kro_ls.runtime.values.sample_instance import sample_instance
from kro_ls.yaml_positions.documents.document import YamlDocument
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.text import Text
from tests.conformance.schemas import chained_schemas
from tests.paths import CONFORMANCE, needs_conformance
from tests.runtime.testing.test_saved_tests import outcome
from tests.runtime.values.test_sample_instance import published

_VALUE = re.compile(r"(?m)^ +(?:- )?(?!apiVersion|kind|name|namespace|id)[\w.-]+: ([a-z][a-z0-9-]+|[1-9])$")
_MOST_CHANGES = 8


def changed(text: str) -> Iterator[str]:
    """Yield the text of a definition with one literal changed, for some literals of its templates."""
    start = max(0, text.find("\n  resources:"))
    found = [match for match in _VALUE.finditer(text, start) if match[1] not in ("true", "false", "null", "string")]
    for match in found[:: max(1, len(found) // _MOST_CHANGES)][:_MOST_CHANGES]:
        new = f"{match[1]}x" if match[1].isalpha() or "-" in match[1] else f"{match[1]}0"
        yield text[: match.start(1)] + new + text[match.end(1) :]


def read(content: str) -> tuple[YamlDocument, TestCase]:
    (document,) = parse_stream(Text(content)).documents
    file = read_test_file(document.to_python())
    assert file.problems == ()
    (test,) = file.tests
    return document, test


def is_unfinished(node: NodeResult) -> bool:
    """Whether a node belongs to a resource that kro refuses, so there is nothing to test."""
    return state_word(node) == "unfinished"


def kind(rgd: RgdAnalysis) -> str | None:
    found = instance_kind(rgd)
    return found.kind if found else None


def run(rgd: RgdAnalysis, test: TestCase) -> TestOutcome:
    assert isinstance(test.instance, dict)
    return run_test(rgd, test, [test.instance])


def contradicted_lines(content: str, document: YamlDocument, found: TestOutcome) -> set[int]:
    """Return the 0-based lines of missing expectations, and of the keys above them."""
    text = Text(content)
    places = [located for problem in found.problems if (located := document.child(problem.path))]
    spans = [((each.key_span or each.span).start, each.span.end) for each in places]
    paths = {problem.path[:length] for problem in found.problems for length in range(4, len(problem.path))}
    spans += [(located.key_span.start,) * 2 for path in paths if (located := document.child(path)) and located.key_span]
    return {line for start, end in spans for line in range(text.position(start).line, text.position(end).line + 1)}


@needs_conformance
def test_a_test_that_is_updated_after_a_change_passes_and_only_what_was_contradicted_differs() -> None:
    schemas, updated = chained_schemas(CONFORMANCE), 0
    for file, rgd in published():
        instance = dict(sample_instance(rgd))
        simulation = outcome(rgd, instance, Scenario(), None)
        if not isinstance(simulation, Simulation) or any(map(is_unfinished, simulation.final.result.nodes)):
            continue
        content = new_test_file(TestFileHead(file), "saved", saved_test(rgd, instance, simulation, Scenario()))
        document, test = read(content)
        for text in changed((CONFORMANCE / "rgds" / file).read_text(encoding="utf-8")):
            other = next((each for each in analyze(Text(text), schemas).rgds if kind(each) == instance["kind"]), None)
            found = run(other, test) if other else None
            if other is None or found is None or found.refusals or not found.problems:
                continue
            new = with_value(content, 0, (*test.path, "expect"), found.updated)
            assert new is not None, file
            assert run(other, read(new)[1]).problems == (), file
            kept = set(new.splitlines())
            gone = {number for number, line in enumerate(content.splitlines()) if line not in kept}
            assert gone <= contradicted_lines(content, document, found), file
            updated += 1
    assert updated > 100
