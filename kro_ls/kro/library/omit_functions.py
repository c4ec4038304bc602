"""kro's marker for fields to leave out."""

from __future__ import annotations

from kro_ls.kro.custom_values import OMIT

IMPLEMENTATIONS = {"omit_void": lambda: OMIT}
