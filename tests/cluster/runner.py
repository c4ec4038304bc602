"""`scripts/test-cluster`: compares kro-ls with a cluster, or with what clusters said before."""

from __future__ import annotations

import argparse
import sys

from tests.cluster.replay import Shares, gone, known_differences, read_known, replay_shared, surprises, write_known
from tests.paths import CLUSTER, CONFORMANCE


def main(arguments: list[str]) -> int:
    """Print the shares; exit status 1 where something differs that is not on the list, or is there and agrees."""
    parser = argparse.ArgumentParser("scripts/test-cluster", description="Compare kro-ls with a real cluster.")
    parser.add_argument("--replay", action="store_true", help="compare with what clusters said before")
    parser.add_argument("--accept", action="store_true", help="make the list of known differences anew")
    options = parser.parse_args(arguments)
    return _replay(accept=options.accept)


def _replay(*, accept: bool) -> int:
    if not CLUSTER.is_dir():
        print(f"the recordings are not in {CLUSTER}", file=sys.stderr)
        return 3
    found = list(replay_shared(CLUSTER, CONFORMANCE))
    shares = Shares()
    for each in found:
        shares.add(each)
    print(*shares.lines(), sep="\n")
    known = read_known()
    print(*(f"new: {each}" for each in surprises(found, known)), sep="\n")
    print(*(f"gone: {each}" for each in gone(found, known)), sep="\n")
    if accept:
        write_known(known_differences(found))
        return 0
    return 1 if surprises(found, known) or gone(found, known) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
