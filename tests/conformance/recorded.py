"""Our own definitions: kro-ls compared with kro's answers that `scripts/record` wrote."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.conformance import render, rgds
from tests.conformance.comparison import Case, Comparison, cases
from tests.conformance.own_definitions import DEFINITIONS, SETS, Definition, definitions
from tests.conformance.schemas import diagnose_closed, schemas, with_generated


def compare(folder: Path) -> Iterator[tuple[str, list[Comparison]]]:
    """Yield each set with its comparisons."""
    for name in SETS:
        asked = definitions(name)
        answers = {each["name"]: each for each in cases(folder / f"{name}.jsonl")}
        instances = {each["name"]: each for each in cases(folder / f"{name}-instances.jsonl")}
        yield name, list(_compare_set(asked, answers, instances, chained=name == "chained"))


def _compare_set(
    asked: tuple[Definition, ...], answers: dict[str, Case], instances: dict[str, Case], *, chained: bool
) -> Iterator[Comparison]:
    index = with_generated(DEFINITIONS, {each.name: each.text for each in asked}) if chained else schemas(DEFINITIONS)
    for each in asked:
        answer = answers[each.name]
        diagnosis = diagnose_closed(each.text, index)
        yield from rgds.compare_case({**answer, "file": each.name}, diagnosis)
        for instance in each.instances:
            case = {**instances[instance.name], "instance": instance.object, "observed": instance.observed}
            yield from render.compare_case(case, diagnosis.analysis.rgds[0])
