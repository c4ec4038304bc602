"""A place where a name is written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kro_ls.yaml_positions.positions import Span


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One place where a name is written, in document offsets."""

    span: Span
    is_declaration: bool
