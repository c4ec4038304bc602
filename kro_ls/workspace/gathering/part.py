"""What definitions are gathered from, and what goes wrong meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

from kro_ls.openapi.json_values import JsonObject, as_object, as_text
from kro_ls.openapi.sources.provenance import UNKNOWN, Provenance

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

    @property
    def group(self) -> str:
        """The group of the kind that it defines."""
        return as_text(as_object(self.definition.get("spec")).get("group"))

    @property
    def kind(self) -> str:
        """The name of that kind."""
        return as_text(as_object(as_object(self.definition.get("spec")).get("names")).get("kind"))


class UnusableError(Exception):
    """An input, or a part of it, that cannot be used; the text says which, why and what to do."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name}: {reason}")


OnProblem: TypeAlias = Callable[[UnusableError], None]
"""Is told of each part that cannot be used; the others are."""
