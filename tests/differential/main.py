"""Asks kro and kro-ls about generated definitions: `scripts/differential --kro VERSIONS --cases N --seed S`.

A definition that several versions answer is that many cases. Each disagreement is shrunk, line by line, and kept in
`found`, where `test_found.py` looks at it from then on.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import TypeAlias

from tests.conformance.comparison import Case, Comparison
from tests.conformance.recorded import oracle_version
from tests.conformance.test_recorded import VERSIONS
from tests.differential.answers import Compared, Oracle
from tests.differential.generate import Generated, generate
from tests.differential.known import reason

FOUND = Path(__file__).parent / "found"

_BATCH = 50
_MOST_SHRUNK = 25
_CERTAIN = ("--repeat", "200")
"""What kro is asked again with where it seems to differ: its answer may depend on the order of a Go map."""

_Answers: TypeAlias = dict[str, list[list[Case]]]


def main() -> int:
    """Compare, and return 1 where something differs."""
    parser = argparse.ArgumentParser(description="Compare kro-ls with kro on generated definitions.")
    parser.add_argument("--kro", default=",".join(VERSIONS), help="versions of kro, each a folder of tests/oracle")
    parser.add_argument("--cases", type=int, default=1000, help="definitions times versions")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    versions = options.kro.split(",")
    run = _Run(options.seed, versions)
    started = time.process_time()
    oracles = [Oracle(each) for each in versions]
    for batch, answers in _answered(run.cases(options.cases // len(versions)), oracles):
        for number, case in enumerate(batch):
            run.compare(case, {version: each[number] for version, each in answers.items()})
    for oracle in oracles:
        oracle.end()
    print(f"seed {options.seed}: {run.asked} cases in {time.process_time() - started:.0f} s of processor time of ours")
    for version in versions:
        print(f"  kro {version}: {run.accepted[version]} accepted, {run.refused[version]} refused")
    for why, count in run.explained.items():
        print(f"  {count} times: {why}")
    print(f"  {run.instances} instances; {dict(run.differing) or 'no difference without a reason'}")
    return 1 if run.differing else 0


def _answered(cases: Iterator[Generated], oracles: list[Oracle]) -> Iterator[tuple[list[Generated], _Answers]]:
    """Yield batches with their answers; the next one is answered meanwhile."""

    def ask(batch: list[Generated]) -> _Answers:
        return {oracle.version: oracle.answers(batch) for oracle in oracles}

    with ThreadPoolExecutor(1) as pool:
        batch, asked = [], None
        while following := [case for _, case in zip(range(_BATCH), cases, strict=False)]:
            answering = pool.submit(ask, following)
            if asked:
                yield batch, asked.result()
            batch, asked = following, answering
        if asked:
            yield batch, asked.result()


class _Run:
    """What one run found."""

    def __init__(self, seed: int, versions: list[str]) -> None:
        self._seed, self._versions = seed, versions
        self.asked = self.instances = 0
        self.accepted, self.refused, self.differing, self.explained = (Counter[str]() for _ in range(4))
        self._shrunk: set[str] = set()

    def cases(self, count: int) -> Iterator[Generated]:
        oldest = min(map(oracle_version, self._versions))
        return (generate(Random(f"{self._seed}-{number}"), oldest) for number in range(count))

    def compare(self, case: Generated, answers: dict[str, list[Case]]) -> None:
        compared = Compared(case)
        for version, answer in answers.items():
            self.asked += 1
            self.instances += sum("expected" in each for each in answer)
            (self.accepted if answer[0]["accepted"] else self.refused)[version] += 1
            if compared.differences(version, answer):
                self._look_again(version, case)

    def _look_again(self, version: str, case: Generated) -> None:
        oracle = Oracle(version, _CERTAIN)
        found = _differences(oracle, case)
        reasons = [reason(version, each) for each in found]
        self.explained.update(each for each in reasons if each)
        found = [each for each, why in zip(found, reasons, strict=True) if not why]
        if found:
            self.differing[f"{version} {found[0].field}"] += 1
            # One disagreement shows in many cases, and in many versions.
            kind = f"{found[0].field} {found[0].detail[:40]}"
            if kind not in self._shrunk and len(self._shrunk) < _MOST_SHRUNK:
                self._shrunk.add(kind)
                keep(oracle, case, found[0].field)
        oracle.end()


def _differences(oracle: Oracle, case: Generated) -> list[Comparison]:
    return Compared(case).differences(oracle.version, oracle.answers([case])[0])


def keep(oracle: Oracle, case: Generated, field: str) -> None:
    """Shrink a case that differs in a field, and write it down with kro's answer."""

    def differs(text: str) -> bool:
        return any(each.field == field for each in _differences(oracle, case.with_text(text)))

    plain = case.in_plain_yaml()
    text = shrink(plain if plain and differs(plain) else case.text, differs)
    smallest = case.with_text(text)
    (answers,) = oracle.answers([smallest])
    differences = Compared(smallest).differences(oracle.version, answers)
    detail = next((each.detail for each in differences if each.field == field), "")
    FOUND.mkdir(exist_ok=True)
    name = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    kept = {"kro": oracle.version, "field": field, "detail": detail, "reason": "", **smallest.to_json()}
    (FOUND / f"{name}.json").write_text(json.dumps({**kept, "answers": answers}, indent=1) + "\n", encoding="utf-8")
    print(f"{oracle.version} {field}: {FOUND.name}/{name}.json: {detail[:300]}", flush=True)


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
