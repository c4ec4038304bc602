"""Builds the pack of well-known kinds, or writes the lock file for it."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path

from kinds.pack import SourcesError, differences, locked, read_lock, read_records, write, write_lock
from kro_ls.openapi.sources.pack.reading import OWN


def main() -> int:
    """Run the command and return its exit code."""
    parser = ArgumentParser(prog="scripts/kinds", description=__doc__)
    parser.add_argument("command", choices=("build", "lock"))
    parser.add_argument("sources", type=Path, help="a folder with crds/*.jsonl")
    parser.add_argument("-o", "--output", type=Path, default=OWN, help="the pack; by default the one of this checkout")
    wish = parser.parse_args()
    try:
        records = read_records(wish.sources)
        if wish.command == "lock":
            write_lock(locked(records, read_lock()))
            return 0
        if found := differences(records):
            raise SourcesError("\n".join([*found, "If that is meant: scripts/kinds lock SOURCES"]))
        write(records, wish.output)
    except SourcesError:
        return 1
    return 0


sys.exit(main())
