"""What definitions are gathered from, and what goes wrong meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

from kro_ls.openapi.json_values import JsonObject  # noqa: TC001 (msgspec reads the annotations)
from kro_ls.openapi.sources.store.provenance import UNKNOWN, Provenance

LARGEST_INPUT = 1024 * 1024 * 1024
"""Bytes of all that one input contains, unpacked."""


class Part(Struct, frozen=True):
    """A text that may hold definitions: its name for people, and the origin of what is in it as far as it is known."""

    name: str
    content: bytes
    origin: Provenance = UNKNOWN


class Gathered(Struct, frozen=True):
    """A definition that can be kept, and its origin."""

    definition: JsonObject
    origin: Provenance


class UnusableError(Exception):
    """An input, or a part of it, that cannot be used; the text says which, why and what to do."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name}: {reason}")


OnProblem: TypeAlias = Callable[[UnusableError], None]
"""Is told of each part that cannot be used; the others are."""
