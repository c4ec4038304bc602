"""Tests that every shared definition, as a Python program, builds one with the same verdict, order and objects."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from kro_ls.analysis.analysis import analyze
from kro_ls.analysis.crd.generated_crd import admitting_crd
from kro_ls.authoring.compositions.user_program import yaml_of
from kro_ls.authoring.known_kinds import using_kinds
from kro_ls.authoring.to_python.python_program import program_of
from kro_ls.authoring.to_python.resource_statements import CannotBePythonError
from kro_ls.rules.diagnostics import Severity
from kro_ls.runtime.cluster.instance import admit_instance
from kro_ls.runtime.cluster.preview_data import objects_of
from kro_ls.runtime.cluster.simulation import simulate
from kro_ls.runtime.values.sample_instance import instance_demand, sample
from kro_ls.yaml_positions.text import Text
from tests.conformance.schemas import RECORDED_VERSION, diagnose_closed, diagnose_file, schemas
from tests.paths import CONFORMANCE, needs_conformance

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.authoring.to_python.python_program import Program
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.rules.diagnosis import Diagnosis


@needs_conformance
def test_every_definition_that_kro_accepts_becomes_a_program(capsys: pytest.CaptureFixture[str]) -> None:
    counts: Counter[str] = Counter()
    refused: list[str] = []
    for file in sorted((CONFORMANCE / "rgds").glob("*.yaml")):
        kinds = schemas(CONFORMANCE)
        before = diagnose_file(CONFORMANCE, file)
        with using_kinds(kinds):
            rgd = analyze(Text(file.read_text(encoding="utf-8")), kinds).rgds[0]
            made = _program(rgd, kinds)
            if made is None:
                assert _errors(before), file.name
                refused.append(file.name)
                continue
            built = yaml_of(made.text)
        after = diagnose_closed(built, kinds, RECORDED_VERSION)
        assert _errors(after) == _errors(before), file.name
        one, other = before.analysis.rgds[0], after.analysis.rgds[0]
        assert list(other.graph.order) == list(one.graph.order), file.name
        if not _errors(before):
            assert _rendered(before) == _rendered(after, before), file.name
        counts += Counter(definitions=1, expressions=made.expressions, texts=made.texts, accepted=not _errors(before))
    with capsys.disabled():
        print(f"\ndefinitions as programs: {dict(counts)}, refused by kro and by compositions: {len(refused)}", end="")
    assert counts["texts"] * 20 < counts["expressions"]
    assert len(refused) < 12


def _program(rgd: RgdAnalysis, kinds: SchemaIndex) -> Program | None:
    try:
        return program_of(rgd, kinds)
    except CannotBePythonError:
        return None


def _errors(diagnosis: Diagnosis) -> list[str]:
    return sorted(each.code for each in diagnosis.diagnostics if each.severity is Severity.ERROR)


def _rendered(diagnosis: Diagnosis, sampled: Diagnosis | None = None) -> list[tuple[str, JsonObject]]:
    """Return the objects of the sample instance, that of another diagnosis if given."""
    source = (sampled or diagnosis).analysis.rgds[0]
    crd = admitting_crd(source)
    assert crd is not None
    rgd = diagnosis.analysis.rgds[0]
    admission = admit_instance(rgd, sample(crd, instance_demand(source)).instance)
    return objects_of(rgd, simulate(rgd, admission.instance), with_metadata=False)
