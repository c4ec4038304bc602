"""A place where a name is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from kro_ls.yaml_positions.positions import Span


class Occurrence(Struct, frozen=True):
    """One place where a name is written, in document offsets."""

    span: Span
    is_declaration: bool
