"""Finds the regular expressions that kro compiles when it reads an RGD, because they are written out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.names.inspection import calls_in
from kro_ls.cel.syntax import ast
from kro_ls.golang.re2.pattern_cache import pattern_error
from kro_ls.queries.cells import cached

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.names.inspection import Inspection
    from kro_ls.golang.re2.pattern_errors import PatternError

_COMPILED_AHEAD = frozenset({"find", "findAll"})


@cached
def refused_patterns(inspection: Inspection) -> tuple[tuple[ast.Literal, PatternError], ...]:
    """Return the patterns of an expression that kro refuses, each with the reason."""
    return tuple(_refused_patterns(inspection))


def _refused_patterns(inspection: Inspection) -> Iterator[tuple[ast.Literal, PatternError]]:
    for node in calls_in(inspection):
        if node.target is None or node.function not in _COMPILED_AHEAD:
            continue
        pattern = node.arguments[0] if node.arguments else None
        if isinstance(pattern, ast.Literal) and isinstance(pattern.value, str):
            error = pattern_error(pattern.value)
            if error:
                yield pattern, error
