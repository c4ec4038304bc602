"""How often a fix is offered for a fault that kro refuses, and how often it mends the fault.

The faults are planted into accepted definitions (`faults.py`) or, if available, come from kro's recorded refusals. A
planted fault counts if kro-ls reports an error. One half of the definitions, chosen by a hash of their names, may be
looked at; the other half counts.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING
from zlib import crc32

from benchmarks.completion_ranking import CONFORMANCE, cases
from benchmarks.faults import planted
from benchmarks.report import Row

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.in_process import Mending
    from kro_ls.openapi.index import SchemaIndex

OFFERED, MENDED = 80.0, 75.0


@dataclass(frozen=True, slots=True)
class Repair:
    """A fault, with its kind, the definition it was planted into, and the effect of the fixes."""

    source: str
    kind: str
    name: str
    text: str
    mending: Mending

    @property
    def is_held_out(self) -> bool:
        """Whether the fault is in the half that is not used for tuning."""
        return is_held_out(self.name)


def is_held_out(name: str) -> bool:
    """Whether a definition is in the half that is not used for tuning."""
    return crc32(name.encode()) % 2 == 1


def planted_repairs(*, held_out: bool | None = None, every: int = 1) -> Iterator[Repair]:
    """Return the faults planted into accepted definitions, or into one in several, with the effect of the fixes."""
    from benchmarks.in_process import mending, opened

    chosen = [case for case in cases() if case.accepted and held_out in (None, is_held_out(case.name))]
    for case in chosen[::every]:
        document = opened(case.text, case.schemas)
        if any(map(str.strip, case.text.splitlines())) and mending(document, case.text) is None:
            for fault in planted(case.name, case.text):
                found = mending(document, fault.text)
                if found:
                    yield Repair("planted", fault.kind, case.name, fault.text, found)


def recorded_repairs(*, held_out: bool | None = None, every: int = 1) -> Iterator[Repair]:
    """Return the recorded faults that kro refuses, with the effect of the fixes."""
    from benchmarks.in_process import kinds_with, mending, opened

    if not CONFORMANCE.is_dir():
        return
    schemas: SchemaIndex = kinds_with(CONFORMANCE / "crds")
    lines = map(json.loads, (CONFORMANCE / "faults.jsonl").read_text(encoding="utf-8").splitlines())
    chosen = [line for line in lines if not line["accepted"] and held_out in (None, is_held_out(line["base"]))]
    for line in chosen[::every]:
        base = (CONFORMANCE / "rgds" / line["base"]).read_text(encoding="utf-8")
        text = (CONFORMANCE / "faults" / line["file"]).read_text(encoding="utf-8")
        found = mending(opened(base, schemas), text)
        if found:
            yield Repair("recorded", line["kind"], line["base"], text, found)


def offered_share(repairs: list[Repair]) -> float:
    """Return the percentage of faults for which a fix is offered."""
    return 100 * fmean(repair.mending.offered for repair in repairs)


def mended_share(repairs: list[Repair]) -> float:
    """Return the percentage of faults for which an offered fix removes an error and adds none."""
    return 100 * fmean(repair.mending.mended for repair in repairs)


def measure(*, quick: bool) -> Iterator[Row]:
    """Yield the rows of the table."""
    every = 10 if quick else 1
    for half, held_out in (("held out", True), ("to look at", False)):
        for name, source in (("recorded", recorded_repairs), ("planted", planted_repairs)):
            found = list(source(held_out=held_out, every=every))
            if found:
                what = f"{name} faults, {half} ({len(found):,})"
                first = 100 * fmean(repair.mending.by_first for repair in found)
                accepted = 100 * fmean(repair.mending.accepted for repair in found)
                yield _row(f"{what}: offered a fix", offered_share(found), OFFERED)
                yield _row(f"{what}: mended", mended_share(found), MENDED)
                yield _row(f"{what}: mended by the first offer", first, None)
                restored = 100 * fmean(repair.mending.restored for repair in found)
                yield _row(f"{what}: accepted after one fix", accepted, None)
                yield _row(f"{what}: as it was before the fault, after one fix", restored, None)


def _row(what: str, value: float, bar: float | None) -> Row:
    return Row("fixes", what, "%", value, bar=bar, judged=value, at_least=True)
