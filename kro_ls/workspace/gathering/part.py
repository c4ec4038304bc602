"""The texts that definitions are gathered from, the definitions, and errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

from kro_ls.openapi.json_values import JsonObject, as_object, as_text
from kro_ls.openapi.sources.provenance import UNKNOWN, Provenance

LARGEST_INPUT = 1024 * 1024 * 1024
"""In bytes, of everything in an input, unpacked."""


class Part(Struct, frozen=True):
    """A text that may hold definitions: its name for people, and the origin of its definitions as far as known."""

    name: str
    content: bytes
    origin: Provenance = UNKNOWN


class Gathered(Struct, frozen=True):
    """A definition and its origin."""

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
    """An input or a part of it cannot be used; the text says which, why and what to do."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name}: {reason}")


OnProblem: TypeAlias = Callable[[UnusableError], None]
"""Gets the error of each part that cannot be used; the others are used."""
