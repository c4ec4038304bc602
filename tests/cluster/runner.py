"""`scripts/test-cluster`: compares kro-ls with a cluster, or with recorded answers of clusters."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

from tests.cluster import recorded
from tests.cluster.asking import CLUSTER_NAME
from tests.cluster.build import build
from tests.cluster.comparisons import Compared, compare
from tests.cluster.control_plane import ControlPlane
from tests.cluster.recording_all import Definition, definitions, record_all
from tests.cluster.replay import Shares, gone, known_differences, read_known, replay, surprises, write_known
from tests.cluster.versions import ROOT, ClusterError
from tests.paths import CONFORMANCE

DESCRIPTION = """\
Starts a cluster of its own and compares kro-ls with it, or with what clusters said before (--replay). Prints the
share of cases that agree for each kind of comparison, and what tests/cluster/known-differences.json does not list.
"""


def main(arguments: list[str]) -> int:
    """Print the shares; exit with status 1 if the differences are not exactly those on the list."""
    parser = argparse.ArgumentParser("scripts/test-cluster", description=DESCRIPTION)
    parser.add_argument(
        "patterns", nargs="*", metavar="PATTERN", help="names of files with definitions, such as '*-job-*'"
    )
    parser.add_argument("--record", action="store_true", help="renew the recordings, and the list of known differences")
    parser.add_argument(
        "--replay", action="store_true", help="start no cluster: compare with what clusters said before"
    )
    parser.add_argument("--accept", action="store_true", help="with --replay, make the list of known differences anew")
    options = parser.parse_args(arguments)
    if options.record and options.patterns:
        parser.error("--record renews all recordings")
    if options.replay:
        return _report(list(replay()), accept=options.accept)
    if shutil.which("go") is None and os.environ.get("CI") != "true":
        print("scripts/test-cluster: skipped, there is no Go to build a cluster with", file=sys.stderr)
        return 0
    try:
        return _with_cluster(options.patterns or ["*"], renew=options.record)
    except ClusterError as error:
        print(f"scripts/test-cluster: {error}", file=sys.stderr)
        return 3


def _with_cluster(patterns: list[str], *, renew: bool) -> int:
    build()
    cluster = ControlPlane(f"test-{os.getpid()}")
    try:
        cluster.start()
        asked = _ask(cluster)
        found = list(_compared(cluster, patterns, renew=renew))
        if renew:
            found = list(replay())
        return _report(found, accept=renew) or asked
    finally:
        cluster.wipe()


_ASKING = ("test_asking.py", "test_planned.py", "test_admission.py", "test_deploying.py")


def _ask(cluster: ControlPlane) -> int:
    """Run the tests of commands that ask a cluster and of the webhook, and return their exit status."""
    files = (str(Path(__file__).parent / name) for name in _ASKING)
    tests = [sys.executable, "-m", "pytest", "-q", "-ra", *files]
    return subprocess.run(tests, cwd=ROOT, env=os.environ | {CLUSTER_NAME: cluster.name}, check=False).returncode


def _compared(cluster: ControlPlane, patterns: list[str], *, renew: bool) -> Iterator[Compared]:
    """Yield the comparisons of both sets of definitions with a cluster; `renew` records its answers."""
    sets = {
        name: [each for each in definitions(folder) if _is_wanted(each, patterns)] for name, folder in recorded.sets()
    }
    found = record_all(cluster, [each for wanted in sets.values() for each in wanted], CONFORMANCE)
    for name, wanted in sets.items():
        recordings = [next(found) for _ in wanted]
        if renew:
            recorded.write(name, recordings)
        for each in recordings:
            yield from compare(recorded.as_written(each), CONFORMANCE, name)


def _is_wanted(definition: Definition, patterns: list[str]) -> bool:
    return any(fnmatch(definition.file.name, each) for each in patterns)


def _report(found: list[Compared], *, accept: bool) -> int:
    shares = Shares()
    for each in found:
        shares.add(each)
    print(*shares.lines(), sep="\n")
    known = read_known()
    new, agreeing = surprises(found, known), gone(found, known)
    for line in [*(f"new: {each}" for each in new), *(f"gone: {each}" for each in agreeing)]:
        print(line)
    if accept:
        write_known(known_differences(found))
        return 0
    return 1 if new or agreeing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
