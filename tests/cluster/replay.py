"""Compares kro-ls with recorded answers of clusters: the shares that agree, and the known differences."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.cluster import recorded
from tests.cluster.comparisons import Compared, compare
from tests.cluster.outcomes import compare_fault, compare_probes
from tests.cluster.recordings import shared_stuck, shared_vectors
from tests.paths import CLUSTER, CONFORMANCE

KNOWN = Path(__file__).parent / "known-differences.json"
Known = dict[str, dict[str, list[str]]]


def replay() -> Iterator[Compared]:
    """Compare all recordings: our own, and those beside the checkout."""
    for name, folder in recorded.sets():
        if recorded.file_of(name).is_file():
            for recording in recorded.read(name, folder):
                yield from compare(recording, CONFORMANCE, name)
    if CLUSTER.is_dir():
        yield from replay_shared(CLUSTER, CONFORMANCE)


def replay_shared(cluster: Path, conformance: Path) -> Iterator[Compared]:
    """Compare everything in `../shared/cluster`."""
    for recording in shared_vectors(cluster, conformance):
        yield from compare(recording, conformance)
    for recording in shared_stuck(cluster):
        yield from compare(recording, conformance)
    for folder in ("probes", "micro"):
        for each in sorted((cluster / folder).iterdir()):
            yield from compare_probes(each, conformance)
    for each in sorted((cluster / "faults").iterdir()):
        yield from compare_fault(each, conformance)


@dataclass(slots=True)
class Share:
    """How many cases of a kind of comparison agree."""

    agree: int = 0
    of: int = 0


@dataclass(slots=True)
class Shares:
    """The shares of the kinds of comparison."""

    by_kind: dict[str, Share] = field(default_factory=dict)

    def add(self, compared: Compared) -> None:
        """Count a comparison."""
        share = self.by_kind.setdefault(compared.kind, Share())
        share.agree += compared.agrees
        share.of += 1

    def lines(self) -> list[str]:
        """Return the table."""
        return [f"{kind:40} {share.agree:4} of {share.of:4}" for kind, share in self.by_kind.items()]


def known_differences(found: Iterable[Compared]) -> Known:
    """Return the list of exactly these differences: paths by kind of comparison and case."""
    known: Known = {}
    for each in found:
        if each.differences:
            known.setdefault(each.kind, {})[each.case] = sorted(each.differences)
    return known


def surprises(found: Iterable[Compared], known: Known) -> list[str]:
    """Return the differences that are not on the list."""
    return [
        f"{each.kind}: {each.case}: {path}: kro-ls has {ours!r}, the cluster {theirs!r}"
        for each in found
        for path, (ours, theirs) in each.differences.items()
        if path not in _listed(known, each)
    ]


def gone(found: Iterable[Compared], known: Known) -> list[str]:
    """Return the entries of the list that agree now, of the compared cases."""
    return [
        f"{each.kind}: {each.case}: {path}"
        for each in found
        for path in _listed(known, each)
        if path not in each.differences
    ]


def _listed(known: Known, compared: Compared) -> list[str]:
    return known.get(compared.kind, {}).get(compared.case, [])


def read_known() -> Known:
    """Return the list as it is committed."""
    known: Known = json.loads(KNOWN.read_text(encoding="utf-8"))
    return known


def write_known(known: Known) -> None:
    """Write the list."""
    KNOWN.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", encoding="utf-8")
