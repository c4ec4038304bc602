"""kro's marker for fields to leave out (kro `pkg/cel/library/omit.go`)."""

from __future__ import annotations

from kro_ls.cel.types.declarations import Documentation, function
from kro_ls.cel.types.libraries import Library
from kro_ls.kro.feature_gates import OMIT

FUNCTIONS = (
    function(
        "omit",
        Documentation(
            "Removes the field (or list element) that it becomes the value of; allowed only in resource templates, and "
            f"only with kro's feature gate {OMIT.name}, which is off by default.",
            "[true, false].map(x, x ? dyn('kept') : omit()).size() == 2",
            "Comparing it fails with `omit() is a field-removal sentinel and cannot be compared`.",
        ),
        {"omit_void": "() -> dyn"},
    ),
)

LIBRARY = Library(__name__, FUNCTIONS)
