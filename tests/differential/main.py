"""Asks kro and kro-ls about generated definitions: `scripts/differential --kro VERSION --cases N --seed S`.

Each disagreement is shrunk, line by line, and kept in `found`, where `test_found.py` looks at it from then on.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from random import Random
from subprocess import PIPE, Popen

from kro_ls.kro.kinds import schema_index
from kro_ls.openapi.sources.bundled import kubernetes
from kro_ls.openapi.sources.crds.source import CrdSource
from tests.conformance import rgds
from tests.conformance.comparison import Case, Comparison
from tests.conformance.own_definitions import DEFINITIONS
from tests.conformance.recorded import CRD_REFUSED, oracle_version
from tests.conformance.schemas import diagnose_closed
from tests.differential.generate import Generated, generate
from tests.oracle.oracle import ROOT, ask

FOUND = Path(__file__).parent / "found"

_BATCH = 500
_MOST_SHRUNK = 20
_COMPARED = ("accepted", "topologicalOrder", "dependencies", "type", "expressionTypes", "crdRefused")


def main() -> int:
    """Compare, and return 1 where something differs."""
    parser = argparse.ArgumentParser(description="Compare kro-ls with kro on generated definitions.")
    parser.add_argument("--kro", default="0.9.4", help="the version of kro, a folder of tests/oracle")
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    random = Random(options.seed)
    differing: Counter[str] = Counter()
    accepted = shrunk = 0
    for start in range(0, options.cases, _BATCH):
        batch = [generate(random) for _ in range(min(_BATCH, options.cases - start))]
        for case, answer in zip(batch, answers(options.kro, batch), strict=True):
            accepted += answer["accepted"]
            fields = differences(options.kro, case, answer)
            differing.update(each.field for each in fields)
            if fields and shrunk < _MOST_SHRUNK:
                shrunk += 1
                keep(options.kro, case, fields[0].field)
    total = f"{options.cases} cases with seed {options.seed}, {accepted} of them accepted by kro {options.kro}"
    print(f"{total}: {dict(differing) or 'no difference'}")
    return 1 if differing else 0


def answers(version: str, batch: list[Generated]) -> list[Case]:
    """Return kro's answers."""
    return ask(version, map(_question, batch), _OPTIONS)


def _question(case: Generated) -> Case:
    return {"name": "generated", "rgd": case.text, "crds": list(case.crds)}


_OPTIONS = ("--crds", str(DEFINITIONS / "crds"))


class Conversation:
    """A running oracle that is asked one question after the other, which spares its start."""

    def __init__(self, version: str) -> None:
        command = [str(ROOT / "scripts" / "oracle"), version, *_OPTIONS]
        self._process = Popen(command, stdin=PIPE, stdout=PIPE, encoding="utf-8")

    def answer(self, case: Generated) -> Case:
        """Return kro's answer."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(f"{json.dumps(_question(case))}\n")
        self._process.stdin.flush()
        answer: Case = json.loads(self._process.stdout.readline())
        return answer

    def end(self) -> None:
        """Let the oracle go."""
        self._process.communicate()


def differences(version: str, case: Generated, answer: Case) -> list[Comparison]:
    """Return what differs from the answer of a version, the most important first."""
    kinds = kubernetes("1.36")
    folder = sorted((DEFINITIONS / "crds").glob("*.y*ml"))
    files = [(str(path), path.read_text(encoding="utf-8")) for path in folder]
    files += [(f"{number}.json", json.dumps(crd)) for number, crd in enumerate(case.crds)]
    index = schema_index(kinds, (CrdSource(files, schema_index(kinds).object_meta),))
    diagnosis = diagnose_closed(case.text, index, oracle_version(version))
    if not diagnosis.analysis.rgds and not answer["accepted"]:
        return []  # for both there is nothing to apply
    found = [*rgds.compare_case({**answer, "file": "generated"}, diagnosis)]
    if answer["accepted"]:
        ours = [each.message for each in diagnosis.diagnostics if re.search(CRD_REFUSED, each.message)]
        theirs = answer.get("crdErrors") or []
        found.append(Comparison("crdRefused", "generated", bool(ours) == bool(theirs), f"ours {ours}, not {theirs}"))
    return [each for each in found if not each.agrees and each.field in _COMPARED]


def keep(version: str, case: Generated, field: str) -> None:
    """Shrink a case that differs in a field, and write it down with kro's answer."""
    oracle = Conversation(version)

    def differs(text: str) -> bool:
        shorter = Generated(text, case.crds)
        return any(each.field == field for each in differences(version, shorter, oracle.answer(shorter)))

    text = shrink(case.text, differs)
    smallest = Generated(text, case.crds if "example.org" in text else ())
    answer = oracle.answer(smallest)
    oracle.end()
    detail = next((each.detail for each in differences(version, smallest, answer) if each.field == field), "")
    FOUND.mkdir(exist_ok=True)
    name = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    kept = {"kro": version, "field": field, "detail": detail, "reason": "", "rgd": text, "crds": smallest.crds}
    (FOUND / f"{name}.json").write_text(json.dumps({**kept, "answer": answer}, indent=1) + "\n", encoding="utf-8")
    print(f"{field}: {FOUND.name}/{name}.json: {detail[:200]}")


def shrink(text: str, differs: Callable[[str], bool]) -> str:
    """Return a text with as few lines as still differ: blocks are taken out, large ones first."""
    lines = text.splitlines(keepends=True)
    size = len(lines) // 2
    while size:
        start = 0
        while start < len(lines):
            fewer = lines[:start] + lines[start + size :]
            if fewer and differs("".join(fewer)):
                lines = fewer
            else:
                start += size
        size //= 2
    return "".join(lines)


if __name__ == "__main__":
    raise SystemExit(main())
