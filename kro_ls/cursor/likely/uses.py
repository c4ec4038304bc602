"""Which names the expressions of an RGD choose and where, and what the place of an expression says about the next name.

The place has a key, keys around it and perhaps a name beside it. Names are alike by the words in them: `subnetID` and
`publicSubnetId` share two.
"""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from kro_ls.analysis.model.model import Resource, SchemaSection
from kro_ls.cel.syntax import ast
from kro_ls.kro.places import OBJECT_PLACES
from kro_ls.queries.cells import cached
from kro_ls.yaml_positions.nodes import Mapping, Sequence, field, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.analysis.model.paths import Path
    from kro_ls.cursor.parts import PlacedPart
    from kro_ls.kro.places import Place
    from kro_ls.yaml_positions.nodes import Node

COMMON_KEYS = frozenset({"name", "namespace", "value"})
"""Keys that so many objects have that they say little about a value."""
ITEM = "[]"
"""The step to an item of a list or a map."""
_FARTHEST = 16
"""How many resources before and after a place are read: the near ones say most, and a file may have thousands."""
_MOST_EXPRESSIONS = 300
_MOST_NAMES = 200
"""More than people write in one resource and in one expression; a completion must be ready before the next key."""
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_PLURAL_INITIALS = re.compile(r"([A-Z]{2,})s(?![a-z])")
_SHORTEST_PART = 3
_VALUES = frozenset({"value", "valueFrom", "values", "default"})
"""Keys whose meaning is in the name beside them."""
_NAMES = ("name", "key", "Name", "Key")


class Use(NamedTuple):
    """A name in an expression: what stands before its dot, step by step, and the YAML field that it is for."""

    before: tuple[str, ...]
    name: str
    field: str
    place: Place
    expression: Expression


def uses_around(owner: PlacedPart, offset: int, last: str | None = None) -> list[Use]:
    """Return the names in the status and in the resources around a part, without the text at the part's offset.

    `last` selects those after a certain step: a field's name, or "" where nothing stands before the name.
    """
    rgd = owner.rgd.rgd
    schema = [rgd.schema.section] if rgd.schema else []
    numbers = range(len(rgd.parts))
    if isinstance(owner.part, Resource):
        number = owner.rgd.table.numbers.get(owner.part.id or "", len(numbers))
        if not (number < len(numbers) and rgd.parts[number] is owner.part):
            number = next((each for each in numbers if rgd.parts[each] is owner.part), 0)
        numbers = numbers[max(0, number - _FARTHEST) : number + _FARTHEST]
    else:
        numbers = numbers[: 2 * _FARTHEST]
    near: list[Resource | SchemaSection] = [*schema, *rgd.parts[numbers.start : numbers.stop]]
    found: list[Use] = []
    for part in near:
        by_step = _uses(part)
        uses = by_step.get(last, ()) if last is not None else chain.from_iterable(by_step.values())
        found += uses if part is not owner.part else (use for use in uses if not _holds(use.expression, offset))
    return found


def _holds(expression: Expression, offset: int) -> bool:
    return expression.scalar.start <= offset <= expression.scalar.end


@cached
def _uses(part: Resource | SchemaSection) -> dict[str, list[Use]]:
    """Return the names in a part by the step before each."""
    found: dict[str, list[Use]] = {}
    for expression in part.expressions[:_MOST_EXPRESSIONS]:
        for use in _uses_in(expression):
            found.setdefault(use.before[-1] if use.before else "", []).append(use)
    return found


def _uses_in(expression: Expression) -> Iterator[Use]:
    key = field_of(expression.path)
    for before, name in islice(names_in(expression.inspection.parsed.root), _MOST_NAMES):
        yield Use(before, name, key, expression.place, expression)


def names_in(root: ast.Node) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the names in a tree, each after the steps before its dot."""
    for node in ast.walk(root):
        if isinstance(node, ast.Identifier):
            yield (), node.name
        elif isinstance(node, ast.Select):
            yield steps_to(node.operand), node.field
        elif isinstance(node, ast.Call) and node.target is not None:
            yield steps_to(node.target), node.function
        elif isinstance(node, ast.Call) and node.function.isidentifier():
            yield (), node.function


def steps_to(node: ast.Node) -> tuple[str, ...]:
    """Return the names that lead to a value: `("schema", "spec", "list", "[]")`; a step without a name is empty."""
    steps: list[str] = []
    while True:
        if isinstance(node, ast.MacroCall):
            node = node.call
        if isinstance(node, ast.Identifier):
            return (node.name, *reversed(steps))
        if isinstance(node, ast.Select):
            steps.append(node.field)
            node = node.operand
        elif isinstance(node, ast.Call) and node.target is not None:
            steps.append(node.function)
            node = node.target
        elif isinstance(node, ast.Call) and node.function in ast.INDICES and node.arguments:
            steps.append(ITEM)
            node = node.arguments[0]
        else:
            return ("", *reversed(steps))


def field_of(path: tuple[str | int, ...]) -> str:
    """Return the YAML field that a value is in: its key, with the key around it if many objects have such a key."""
    key = key_of(path)
    if key not in COMMON_KEYS:
        return key
    around = [step for step in path if isinstance(step, str)][-2:-1]
    return ".".join((*around, key))


def key_of(path: tuple[str | int, ...]) -> str:
    """Return the YAML key that a value stands under, for an item of a list the key of the list."""
    return next((step for step in reversed(path) if isinstance(step, str)), "")


class Wanted(Struct, frozen=True, dict=True):
    """Where an expression is typed. `path` leads to it inside its template or status."""

    owner: PlacedPart
    place: Place
    path: Path

    @cached_property
    def key(self) -> str:
        """The name that best says what is wanted: the key, or if that is `value`, the name beside it."""
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


@lru_cache(maxsize=16384)  # compared at each key
def likeness(name: str, other: str) -> float:
    """Return how alike two names are: 1 for the same words, 0 for none in common."""
    left, right = words_of(name), words_of(other)
    if not left or not right:
        return 0.0
    common = len(left & right)
    alike = 2 * common / (len(left) + len(right))
    if common:
        return alike
    short, long = sorted((name.lower(), other.lower()), key=len)
    return 0.8 * len(short) / len(long) if len(short) >= _SHORTEST_PART and short in long else 0.0


@lru_cache(maxsize=4096)  # split at each key
def words_of(name: str) -> frozenset[str]:
    """Return the words of a name in any of the usual styles, in lower case and without the `s` of a plural."""
    found = _WORD.findall(_PLURAL_INITIALS.sub(r"\1", name))
    return frozenset(_singular(word.lower()) for word in found)


def _singular(word: str) -> str:
    return word[:-1] if len(word) > _SHORTEST_PART and word.endswith("s") and not word.endswith("ss") else word
