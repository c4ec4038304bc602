"""What a user can set about features."""

from __future__ import annotations

from msgspec import Struct


class InlayHintSettings(Struct, frozen=True):
    """Which inlay hints are shown; values are those of the expressions in a preview."""

    status_types: bool = True
    iterator_types: bool = True
    values: bool = False
