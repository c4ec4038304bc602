"""What a place in YAML says of the expression that is typed there: its key, the keys around it, the name beside it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.analysis.model.model import Resource
from kro_ls.cursor.likely.uses import key_of
from kro_ls.cursor.likely.words import words_of
from kro_ls.kro.places import OBJECT_PLACES
from kro_ls.yaml_positions.access import field, text_of
from kro_ls.yaml_positions.nodes import Mapping, Sequence

if TYPE_CHECKING:
    from kro_ls.analysis.model.paths import Path
    from kro_ls.cursor.parts import PlacedPart
    from kro_ls.kro.places import Place
    from kro_ls.yaml_positions.nodes import Node

_VALUES = frozenset({"value", "valueFrom", "values", "default"})
"""Keys whose meaning is in the name beside them."""
_NAMES = ("name", "key", "Name", "Key")


class Wanted(Struct, frozen=True, dict=True):
    """Where an expression is typed. `path` leads to it inside its template or status."""

    owner: PlacedPart
    place: Place
    path: Path

    @cached_property
    def key(self) -> str:
        """The name that tells best what is wanted: the key, or where that is `value` the name beside it."""
        key = key_of(self.path)
        return (key in _VALUES and self._name_beside) or key

    @cached_property
    def around(self) -> tuple[str, ...]:
        """The keys around, the innermost first, and the kind of the object."""
        keys = [step for step in self.path if isinstance(step, str)]
        return tuple(reversed(keys[-4:-1]))

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of all these names."""
        return frozenset().union(words_of(self.key), *map(words_of, self.around))

    @property
    def _name_beside(self) -> str:
        part = self.owner.part
        node: Node | None = part.object if isinstance(part, Resource) and self.place in OBJECT_PLACES else None
        for step in self.path[:-1]:
            if isinstance(node, Mapping):
                node = node.get(str(step))
            elif isinstance(node, Sequence) and isinstance(step, int) and step < len(node.items):
                node = node.items[step]
            else:
                return ""
        return next((text for name in _NAMES if (text := text_of(field(node, name)))), "")
