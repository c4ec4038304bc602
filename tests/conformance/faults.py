"""RGDs with one planted fault: an error on its line, with kro's message, and no unrelated error."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from kro_ls.rules.diagnostics import Diagnostic, Severity
from kro_ls.yaml_positions.text import Text
from tests.conformance import kro_messages
from tests.conformance.comparison import Comparison, cases
from tests.conformance.schemas import diagnose_file


def compare(directory: Path, file: Path) -> Iterator[Comparison]:
    """Compare each fault, by its kind; `faults` has the changed files, `rgds` the original ones."""
    for case in cases(file):
        text, found = _errors(directory, directory / "faults" / case["file"])
        if case["accepted"]:
            detail = "; ".join(map(_describe, found))
            yield Comparison(f"{case['kind']} (accepted)", case["file"], not found, detail)
            continue
        lines = {case["line"], *case["alsoLines"]}
        hit = any(_first_line(text, each) <= line <= _last_line(text, each) for each in found for line in lines)
        detail = (
            f"line {case['line'] + 1}; ours: {'; '.join(f'{_first_line(text, e) + 1}: {_describe(e)}' for e in found)}"
        )
        yield Comparison(case["kind"], case["file"], hit, f"{detail}; kro: {(case['errors'] or [''])[0]}")
        yield from kro_messages.compare_case(case, found)


def mean_errors(directory: Path, file: Path) -> float:
    """Return the mean number of errors per refused fault, without those that its original file also has."""
    counts = []
    for case in cases(file):
        if not case["accepted"]:
            _, found = _errors(directory, directory / "faults" / case["file"])
            base = _base_messages(directory, directory / "rgds" / case["base"])
            counts.append(len([each for each in found if each.message not in base]))
    return sum(counts) / len(counts) if counts else 0.0


@lru_cache(maxsize=256)
def _base_messages(directory: Path, file: Path) -> frozenset[str]:
    return frozenset(each.message for each in _errors(directory, file)[1])


def _errors(directory: Path, file: Path) -> tuple[Text, list[Diagnostic]]:
    diagnosis = diagnose_file(directory, file)
    return diagnosis.analysis.text, [each for each in diagnosis.diagnostics if each.severity is Severity.ERROR]


def _first_line(text: Text, diagnostic: Diagnostic) -> int:
    return text.position(diagnostic.span.start).line


def _last_line(text: Text, diagnostic: Diagnostic) -> int:
    return text.position(max(diagnostic.span.start, diagnostic.span.end - 1)).line


def _describe(diagnostic: Diagnostic) -> str:
    return f"{diagnostic.code}: {diagnostic.message}"
