"""SimpleSchema: the schema that kro builds, or its error."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kro_ls.analysis.simpleschema.builder import build_schema
from tests.conformance.comparison import Comparison, cases, first_difference


def compare(_directory: Path, file: Path) -> Iterator[Comparison]:
    """Compare the schema of each case, or the first error if kro reports one (or one of several, by map order)."""
    for number, case in enumerate(cases(file)):
        result = build_schema(case["spec"], case.get("types"))
        name = str(number)
        if "schema" in case:
            difference = first_difference(result.schema, case["schema"])
            yield Comparison("schema", name, difference is None, difference or "")
        else:
            found = result.errors[0].kro_message if result.errors else "none"
            yield Comparison("error", name, found in case["errors"], f"ours: {found}; kro's: {case['errors'][0]}")
