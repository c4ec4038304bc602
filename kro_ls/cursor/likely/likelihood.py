"""How likely a name is the next one in an expression.

A score is a weighted sum: of what people use most, where a definition itself says nothing, of how often the definition
chooses the name in places like this, of how alike it is to the YAML key, and of whether its type fits. Names are alike
by the words in them: `subnetID` and `publicSubnetId` share two.
"""

from __future__ import annotations

import re
from collections import Counter
from enum import Enum
from functools import lru_cache
from itertools import chain, islice
from math import log
from typing import TYPE_CHECKING, Final, NamedTuple

from msgspec import Struct

from kro_ls.analysis.model.model import Resource, SchemaSection
from kro_ls.cel.syntax import ast
from kro_ls.cursor.likely.weights import USUAL_FIELDS, USUAL_FUNCTIONS, USUAL_READY_FIELDS, WEIGHTS
from kro_ls.cursor.typed_expression import fit
from kro_ls.kro.places import OBJECT_PLACES, STATUS_PLACES, Place
from kro_ls.queries.cells import cached
from kro_ls.yaml_positions.nodes import field, node_at, text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.cel.types.types import Type
    from kro_ls.cursor.open.expression import OpenExpression
    from kro_ls.cursor.parts import PlacedPart


class Category(Enum):
    """What a name stands for."""

    VARIABLE = "a variable of a macro"
    ITERATOR = "an iterator"
    SCHEMA = "the instance"
    OWN = "each, runtime"
    RESOURCE = "a resource"
    FUNCTION = "a function"
    MACRO = "a macro"
    NAMESPACE = "a namespace of functions"
    FIELD = "a field"
    KEY = "a key that is written or read elsewhere, and that no schema declares"
    GUESS = "a field without any evidence"


class Candidate(Struct, frozen=True):
    """A name that can be typed.

    `types` are those that it may have, `below` the fields in it. Of a resource, `kind` is its kind, and `distance`
    counts the resources to it, below 0 before the place; of a macro's variable it counts the macros inside its own.
    Candidates with `is_last` come after all others.
    """

    name: str
    category: Category
    types: tuple[Type, ...] = ()
    below: tuple[str, ...] = ()
    kind: str = ""
    distance: int = 0
    is_last: bool = False


_SURPRISE: Final = 5.0
"""How much more the first use of a name counts than each other one."""


_CALLED: Final = (Category.FUNCTION, Category.MACRO, Category.NAMESPACE)


class Likelihood:
    """Gives each candidate for the name at the end of an open expression a score; more is likelier.

    `offset` is the place in the text of the expression's part.
    """

    def __init__(self, expression: OpenExpression, receiver: ast.Node | None, offset: int | None) -> None:
        self._expression = expression
        self.key = _key_wanted(expression)
        """The YAML key, or a name beside it that says more."""
        keys = [step for step in expression.path if isinstance(step, str)]
        self._around = tuple(reversed(keys[-4:-1]))
        """The keys around, the innermost first, and the kind of the object."""
        self._expected = expression.expected
        self._best_fit = _fits(self._expected)
        self._before = steps_to(receiver) if receiver is not None else ()
        self._usual_fields = _usual_fields(self._before, expression.place)
        self._alike: dict[tuple[str, ...], float] = {}
        self._of_category: dict[Category, float] = {}
        self._place = "status" if expression.place in STATUS_PLACES else expression.place.value
        self._is_operand = expression.text.strip() != expression.word
        self._same, self._same_key, self._same_kind, self._same_field = (Counter[str]() for _ in range(4))
        self._count_uses(-1 if offset is None else offset)
        self._of_uses = self._scores_of_uses()

    @property
    def words(self) -> frozenset[str]:
        """The words of the names around the place."""
        return frozenset().union(_words_of(self.key), *map(_words_of, self._around))

    @property
    def selected(self) -> tuple[str, ...]:
        """The names that are chosen elsewhere after the same, or after another resource of the kind."""
        return (*self._same, *self._same_kind)

    def _count_uses(self, offset: int) -> None:
        before, field = self._before, field_of(self._expression.path)
        kind = self._kind(before[0]) if before else None
        uses = uses_around(self._expression.owner, offset, before[-1] if before else "")
        same = [use for use in uses if use.before == before and (before or use.place is self._expression.place)]
        self._same.update([use.name for use in same])
        self._same_key.update([use.name for use in same if use.field == field])
        for use in uses if before else ():
            if use.before != before:
                of_kind = kind is not None and use.before[1:] == before[1:] and self._kind(use.before[0]) == kind
                (self._same_kind if of_kind else self._same_field)[use.name] += 1

    def _kind(self, name: str) -> str | None:
        declared = self._expression.owner.rgd.table.declarations.get(name)
        return declared.kind[1] if declared and declared.kind else None

    def score(self, candidate: Candidate) -> float:
        """Return how likely a candidate is; only the order means something."""
        name, category = candidate.name, candidate.category
        is_called = category in _CALLED
        found = self._score_of_category(category) + self._of_uses.get(name, 0.0)
        if candidate.types and self._expected:
            best = self._best_fit(candidate.types)
            found += WEIGHTS[f"called {best}" if is_called else best]
        own, around = _likeness_to(name, self.key, self._around)
        found += WEIGHTS["like the key"] * own + WEIGHTS["like the keys around"] * around
        if category is Category.FIELD and name.lower() == self.key.lower():
            found += WEIGHTS["is the key"]
        if candidate.below:
            found += WEIGHTS["below is like the key"] * max(self._likeness_to_key(candidate.below) - own, 0.0)
        if is_called:
            found += WEIGHTS["function"] * USUAL_FUNCTIONS.get(name, 0.0)
        elif self._before:
            found += WEIGHTS["field"] * self._usual_fields.get(name, 0.0)
        elif category is Category.RESOURCE:
            found += self._score_of_resource(candidate, around)
        elif category is Category.VARIABLE:
            found += WEIGHTS["distance"] * candidate.distance
        return found

    def _score_of_category(self, category: Category) -> float:
        """Return the evidence for and against all candidates of a category."""
        found = self._of_category.get(category)
        if found is None:
            features = [category.name]
            if self._before:
                features += ["called"] if category in _CALLED else []
            else:
                features += [f"{category.name} in {self._place}"]
                features += [f"{category.name} as operand"] if self._is_operand else []
            found = self._of_category[category] = sum(WEIGHTS.get(each, 0.0) for each in features)
        return found

    def _scores_of_uses(self) -> dict[str, float]:
        """Return the evidence for and against each name from its uses."""
        here = (name for steps, name in _names_in(self._expression.typed.root) if steps == self._before)
        found = dict.fromkeys(here, WEIGHTS["here"])
        for feature, counts in (
            ("same", self._same),
            ("same key", self._same_key),
            ("same kind", self._same_kind),
            ("same field", self._same_field),
        ):
            for name, count in counts.items():
                found[name] = found.get(name, 0.0) + WEIGHTS[feature] * log(1 + _SURPRISE * count)
        return found

    def _score_of_resource(self, candidate: Candidate, around: float) -> float:
        alike = max(_likeness_to(candidate.kind, self.key, self._around))
        return (
            WEIGHTS["resource like the keys around"] * around
            + WEIGHTS["kind like the keys"] * alike
            + WEIGHTS["distance"] * log(1 + abs(candidate.distance))
            + WEIGHTS["after the place"] * (candidate.distance > 0)
        )

    def _likeness_to_key(self, names: tuple[str, ...]) -> float:
        found = self._alike.get(names)
        if found is None:
            found = self._alike[names] = max((likeness(name, self.key) for name in names), default=0.0)
        return found


def _usual_fields(before: tuple[str, ...], place: Place) -> dict[str, float]:
    """Return how much likelier than others fields are after some steps, as logs, by name."""
    if not before:
        return {}
    is_resource = len(before) == 1 and before[0] != "schema"
    fields = USUAL_READY_FIELDS if place is Place.READY_WHEN else USUAL_FIELDS
    return fields.get("" if is_resource else before[-1], {})


_VALUES = frozenset({"value", "valueFrom", "values", "default"})
"""Keys whose meaning is in the name beside them."""


_NAMES = ("name", "key", "Name", "Key")


def _key_wanted(expression: OpenExpression) -> str:
    """Return the name that best says what is wanted: the key, or if that is `value`, the name beside it."""
    key = _key_of(expression.path)
    return (key in _VALUES and _name_beside(expression)) or key


def _name_beside(expression: OpenExpression) -> str:
    part = expression.owner.part
    if not isinstance(part, Resource) or expression.place not in OBJECT_PLACES:
        return ""
    beside = node_at(part.object, expression.path[:-1])
    return next((text for name in _NAMES if (text := text_of(field(beside, name)))), "")


@lru_cache(maxsize=4096)  # compared at each key
def _likeness_to(name: str, key: str, around: tuple[str, ...]) -> tuple[float, float]:
    """Return how alike a name is to the key, and to the key around that it is most alike."""
    return likeness(name, key), max([likeness(name, other) for other in around], default=0.0)


@lru_cache(maxsize=64)  # compared at each key; to hash what is expected for each name would take longer than the rest
def _fits(expected: tuple[Type, ...]) -> Callable[[tuple[Type, ...]], str]:
    """Return a function that says how well the best of some types fits."""
    return lru_cache(maxsize=512)(lambda types: min(fit(each, expected) for each in types).name)


class Use(NamedTuple):
    """A name in an expression: what stands before its dot, step by step, and the YAML field that it is for."""

    before: tuple[str, ...]
    name: str
    field: str
    place: Place
    expression: Expression


_FARTHEST = 16
"""How many resources before and after a place are read: the near ones say most, and a file may have thousands."""


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


_MOST_EXPRESSIONS = 300


_MOST_NAMES = 200
"""More than people write in one resource and in one expression; a completion must be ready before the next key."""


@cached
def _uses(part: Resource | SchemaSection) -> dict[str, list[Use]]:
    """Return the names in a part by the step before each."""
    found: dict[str, list[Use]] = {}
    for expression in part.expressions[:_MOST_EXPRESSIONS]:
        key = field_of(expression.path)
        for before, name in islice(_names_in(expression.inspection.parsed.root), _MOST_NAMES):
            use = Use(before, name, key, expression.place, expression)
            found.setdefault(before[-1] if before else "", []).append(use)
    return found


def _names_in(root: ast.Node) -> Iterator[tuple[tuple[str, ...], str]]:
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


_ITEM = "[]"
"""The step to an item of a list or a map."""


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
            steps.append(_ITEM)
            node = node.arguments[0]
        else:
            return ("", *reversed(steps))


COMMON_KEYS = frozenset({"name", "namespace", "value"})
"""Keys that so many objects have that they say little about a value."""


def field_of(path: tuple[str | int, ...]) -> str:
    """Return the YAML field that a value is in: its key, with the key around it if many objects have such a key."""
    key = _key_of(path)
    if key not in COMMON_KEYS:
        return key
    around = [step for step in path if isinstance(step, str)][-2:-1]
    return ".".join((*around, key))


def _key_of(path: tuple[str | int, ...]) -> str:
    """Return the YAML key that a value stands under, for an item of a list the key of the list."""
    return next((step for step in reversed(path) if isinstance(step, str)), "")


_SHORTEST_PART = 3


@lru_cache(maxsize=16384)  # compared at each key
def likeness(name: str, other: str) -> float:
    """Return how alike two names are: 1 for the same words, 0 for none in common."""
    left, right = _words_of(name), _words_of(other)
    if not left or not right:
        return 0.0
    common = len(left & right)
    alike = 2 * common / (len(left) + len(right))
    if common:
        return alike
    short, long = sorted((name.lower(), other.lower()), key=len)
    return 0.8 * len(short) / len(long) if len(short) >= _SHORTEST_PART and short in long else 0.0


_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


_PLURAL_INITIALS = re.compile(r"([A-Z]{2,})s(?![a-z])")


@lru_cache(maxsize=4096)  # split at each key
def _words_of(name: str) -> frozenset[str]:
    """Return the words of a name in any of the usual styles, in lower case and without the `s` of a plural."""
    found = _WORD.findall(_PLURAL_INITIALS.sub(r"\1", name))
    return frozenset(_singular(word.lower()) for word in found)


def _singular(word: str) -> str:
    return word[:-1] if len(word) > _SHORTEST_PART and word.endswith("s") and not word.endswith("ss") else word
