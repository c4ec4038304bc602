"""Compares kro-ls with recorded answers of kro: `scripts/conformance DIR [--json OUT] [--list FILE[:FIELD]]`.

Prints, per data file and compared field, how many cases agree. `--json` writes the same as a list of
`{file, field, agree, of}`. `--list` prints the disagreements of a file or of one of its fields.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.conformance import (
    cel_checks,
    cel_expressions,
    cel_values,
    custom_resources,
    faults,
    render,
    rgds,
    simpleschema,
)
from tests.conformance.comparison import Comparator, Comparison

COMPARATORS: dict[str, tuple[Comparator, ...]] = {
    "rgds.jsonl": (rgds.compare,),
    "rgds-chained.jsonl": (rgds.compare_chained,),
    "faults.jsonl": (faults.compare,),
    "simpleschema.jsonl": (simpleschema.compare,),
    "render.jsonl": (render.compare,),
    "custom-resources.jsonl": (custom_resources.compare,),
    "cel/expressions.jsonl": (cel_expressions.compare, cel_checks.compare, cel_values.compare),
    "cel-spec/*.jsonl": (cel_expressions.compare_spec, cel_values.compare_spec),
}


@dataclass(frozen=True, slots=True)
class Share:
    """How many cases of a field agree."""

    file: str
    field: str
    agree: int
    of: int


def run(directory: Path) -> Iterator[tuple[str, list[Comparison]]]:
    """Yield each comparable data file of the folder, by its relative path, with its comparisons."""
    for pattern, comparators in COMPARATORS.items():
        for file in sorted(directory.glob(pattern)):
            found = [each for compare in comparators for each in compare(directory, file)]
            yield file.relative_to(directory).as_posix(), found


def shares(file: str, comparisons: list[Comparison]) -> list[Share]:
    """Return the share of each field, in the order in which the fields first occur."""
    fields = dict.fromkeys(each.field for each in comparisons)
    return [
        Share(file, field, sum(each.agrees for each in of_field), len(of_field))
        for field in fields
        for of_field in [[each for each in comparisons if each.field == field]]
    ]


def main(arguments: list[str]) -> int:
    """Run the comparison; exit with status 2 if the folder has no comparable data file."""
    parser = argparse.ArgumentParser(
        prog="scripts/conformance", description="Compare kro-ls with recorded answers of kro."
    )
    parser.add_argument("directory", type=Path, metavar="DIR", help="a folder of data files")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the shares as JSON")
    parser.add_argument("--list", metavar="FILE[:FIELD]", help="print the disagreements of a file or a field")
    options = parser.parse_args(arguments)
    listed_file, _, listed_field = (options.list or "").partition(":")
    found: list[Share] = []
    for file, comparisons in run(options.directory):
        for share in shares(file, comparisons):
            found.append(share)
            print(f"{share.file:28} {share.field:34} {share.agree:5} of {share.of:5}  {_percent(share)}")
        if file == listed_file:
            _print_disagreements(comparisons, listed_field)
        if file == "faults.jsonl":
            mean = faults.mean_errors(options.directory, options.directory / file)
            print(f"{file:28} mean number of errors per fault: {mean:.2f}")
    if not found:
        print(f"{options.directory} holds no data file to compare with: {', '.join(COMPARATORS)}", file=sys.stderr)
        return 2
    if options.json:
        rows = [{"file": each.file, "field": each.field, "agree": each.agree, "of": each.of} for each in found]
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return 0


def _percent(share: Share) -> str:
    return f"{100 * share.agree / share.of:.1f}%" if share.of else "-"


def _print_disagreements(comparisons: list[Comparison], field: str) -> None:
    for each in comparisons:
        if not each.agrees and field in ("", each.field):
            print(f"  {each.field}: {each.case}\n    {each.detail}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
