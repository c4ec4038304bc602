"""Our own definitions: compares kro-ls with kro's answers, which `scripts/record` wrote."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from kro_ls.kro.versions.version import Version, parse_version
from kro_ls.rules.diagnosis import Diagnosis
from tests.conformance import render, rgds
from tests.conformance.comparison import Case, Comparison, cases
from tests.conformance.own_definitions import DEFINITIONS, SETS, Definition, definitions
from tests.conformance.schemas import diagnose_closed, schemas, with_generated

CRD_REFUSED = "Kubernetes will refuse the CRD|the CRD cannot be created"


def compare(folder: Path) -> Iterator[tuple[str, list[Comparison]]]:
    """Yield each set with its comparisons; the folder is named after the version of kro that answered."""
    version = oracle_version(folder.name)
    for name in SETS:
        asked = definitions(name)
        answers = {each["name"]: each for each in cases(folder / f"{name}.jsonl")}
        lived = folder / f"{name}-instances.jsonl"
        instances = {each["name"]: each for each in cases(lived)} if lived.is_file() else {}
        yield name, list(_compare_set(asked, answers, instances, version, chained=name == "chained"))


def oracle_version(folder: str) -> Version:
    """Return the version that a folder of the oracle is named after; a commit before 0.10 counts as 0.10."""
    return parse_version("0.10" if folder == "0.10.dev" else folder)


def _compare_set(
    asked: tuple[Definition, ...],
    answers: dict[str, Case],
    instances: dict[str, Case],
    version: Version,
    *,
    chained: bool,
) -> Iterator[Comparison]:
    accepted = {each.name: each.text for each in asked if answers[each.name]["accepted"]}
    index = with_generated(DEFINITIONS, accepted) if chained else schemas(DEFINITIONS)
    for each in asked:
        answer = answers[each.name]
        diagnosis = diagnose_closed(each.text, index, version)
        yield from rgds.compare_case({**answer, "file": each.name}, diagnosis)
        if not answer["accepted"]:
            continue
        yield _compare_refusal(answer, diagnosis)
        for instance in each.instances if instances else ():
            case = {**instances[instance.name], "instance": instance.object, "observed": instance.observed}
            yield from render.compare_case(case, diagnosis.analysis.rgds[0])


def _compare_refusal(answer: Case, diagnosis: Diagnosis) -> Comparison:
    """Compare whether Kubernetes accepts the CRD that kro generates."""
    wanted = answer.get("crdErrors") or []
    ours = [each.message for each in diagnosis.diagnostics if re.search(CRD_REFUSED, each.message)]
    return Comparison("crdRefused", answer["name"], bool(ours) == bool(wanted), f"ours {ours}, Kubernetes' {wanted}")
