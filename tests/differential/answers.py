"""What kro and kro-ls say of a generated definition, and where the two part."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from subprocess import PIPE, Popen, run
from threading import Thread
from typing import IO, Any

from kro_ls.analysis.analysis import analyze
from kro_ls.kro.schema_index import schema_index
from kro_ls.openapi.index import SchemaIndex
from kro_ls.openapi.sources.bundled import kubernetes
from kro_ls.openapi.sources.crds.source import CrdSource
from kro_ls.rules.diagnosis import Diagnosis, diagnose
from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.settings import Settings
from kro_ls.workspace.generated_kinds import GeneratedKinds
from kro_ls.yaml_positions.text import Text
from tests.conformance import render, rgds
from tests.conformance.comparison import Case, Comparison
from tests.conformance.own_definitions import DEFINITIONS
from tests.conformance.recorded import CRD_REFUSED, oracle_version
from tests.conformance.schemas import crds
from tests.differential.generate import Generated
from tests.oracle.oracle import ROOT


class Oracle:
    """A running oracle, which is asked again and again: that spares its start."""

    def __init__(self, version: str, options: Sequence[str] = ()) -> None:
        """Start it; raises subprocess.CalledProcessError where it cannot be built."""
        self.version = version
        script = str(ROOT / "scripts" / "oracle")
        run([script, version, "--build"], check=True)
        command = [script, version, "--crds", str(DEFINITIONS / "crds"), *options]
        self._process = Popen(command, stdin=PIPE, stdout=PIPE, encoding="utf-8")

    def answers(self, cases: Iterable[Generated]) -> list[list[Case]]:
        """Return kro's answers to each definition: one for each of its instances, or the only one."""
        questions = [_questions(each) for each in cases]
        assert self._process.stdin
        assert self._process.stdout
        lines = [f"{json.dumps(each)}\n" for asked in questions for each in asked]
        Thread(target=_write, args=(self._process.stdin, lines)).start()
        return [[json.loads(self._process.stdout.readline()) for _ in asked] for asked in questions]

    def end(self) -> None:
        """Let the oracle go."""
        self._process.communicate()


def _write(to: IO[str], lines: list[str]) -> None:
    with suppress(BrokenPipeError):
        to.writelines(lines)
        to.flush()


def _questions(case: Generated) -> list[Case]:
    question = {"rgd": case.text, "crds": list(case.crds)}
    return [{**question, **each} for each in case.instances] or [question]


class Compared:
    """kro-ls' own view of a generated definition, to be compared with what versions of kro answer."""

    def __init__(self, case: Generated) -> None:
        self._case = case
        self._index = _index(case)
        self._diagnoses: dict[frozenset[str], Diagnosis] = {}

    def differences(self, version: str, answers: list[Case]) -> list[Comparison]:
        """Return what differs from the answers of a version, the most important first."""
        return [
            each for each in self._compare(version, answers) if not each.agrees and each.field != "noErrorOnAccepted"
        ]

    def _compare(self, version: str, answers: list[Case]) -> Iterator[Comparison]:
        settings = Settings(severities=(("unknown-kind", Severity.ERROR),), version=oracle_version(version))
        before = self._diagnoses.get(settings.features)
        analysis = before.analysis if before else analyze(Text(self._case.text), self._index, settings.features)
        diagnosis = self._diagnoses[settings.features] = diagnose(analysis, settings)
        answer = answers[0]
        if not analysis.rgds and not answer["accepted"]:
            return  # for both there is nothing to apply
        yield from rgds.compare_case({**_with_sorted_required(answer), "file": "generated"}, diagnosis)
        if not answer["accepted"]:
            return
        yield Comparison("found", "generated", bool(analysis.rgds), "kro-ls finds no definition")
        if not analysis.rgds:
            return
        ours = [each.message for each in diagnosis.diagnostics if re.search(CRD_REFUSED, each.message)]
        theirs = answer.get("crdErrors") or []
        yield Comparison("crdRefused", "generated", bool(ours) == bool(theirs), f"ours {ours}, not {theirs}")
        if theirs:
            return
        for lived, asked in zip(answers, self._case.instances, strict=False):
            if "expected" in lived and not lived["expected"].get("varies"):
                case = {**asked, "name": "instance", "expected": lived["expected"]}
                yield from render.compare_case(case, analysis.rgds[0])


def _with_sorted_required(value: Any) -> Any:
    """Return a value whose lists of required fields are sorted, which kro has done since 0.9.4."""
    if isinstance(value, list):
        return [_with_sorted_required(each) for each in value]
    if not isinstance(value, dict):
        return value
    inner = {key: _with_sorted_required(each) for key, each in value.items()}
    required = inner.get("required")
    return (
        {**inner, "required": sorted(required)}
        if isinstance(required, list) and all(map(_is_text, required))
        else inner
    )


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _index(case: Generated) -> SchemaIndex:
    kinds, installed = kubernetes("1.36"), crds(DEFINITIONS)
    if case.maker:
        return schema_index(kinds, (installed, GeneratedKinds({"maker.yaml": case.maker}, kinds, installed)))
    files = [(f"{number}.json", json.dumps(crd)) for number, crd in enumerate(case.crds)]
    return schema_index(kinds, (installed, CrdSource(files, schema_index(kinds).object_meta)))
