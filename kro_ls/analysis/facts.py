"""The facts of resources, one by one and together, that other parts of an RGD and the RGD as a whole depend on.

Facts are compared by value: an edit that does not change them changes nothing outside of the resource.
"""

from __future__ import annotations

from collections import Counter
from itertools import accumulate, chain, filterfalse
from typing import TYPE_CHECKING, TypeAlias, cast

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.analysis.model.expressions import extract
from kro_ls.analysis.model.sections import CutSection, in_parts, parts_with_expressions
from kro_ls.analysis.names.references import dependency_names, foreign_names, names
from kro_ls.analysis.types.variables import data_schema, is_untyped
from kro_ls.cel.syntax import ast
from kro_ls.kro.forms import RESOURCE
from kro_ls.kro.identifiers import is_template_kind
from kro_ls.kro.places import OBJECT_PLACES, Place
from kro_ls.queries.cells import Block, Blocks, cached, cached_attribute, set_of, union
from kro_ls.queries.engine import Input, Query
from kro_ls.queries.reads import Joined
from kro_ls.spelling import Spellings
from kro_ls.yaml_positions.nodes import field, text_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kro_ls.analysis.model.model import Resource, ResourceType, SchemaSection
    from kro_ls.analysis.names.dependency_graph import Dependencies
    from kro_ls.analysis.names.inspection import Inspection
    from kro_ls.kro.forms import ResourceForm
    from kro_ls.openapi.json_values import HeldObject
    from kro_ls.queries.engine import Reader

KindName: TypeAlias = tuple[str, str]
"""An `apiVersion` and a `kind`."""

FieldNames: TypeAlias = tuple[str, ...]
"""Fields selected one after the other."""


class Facts(Struct, frozen=True, gc=False):
    """The facts of one resource.

    `names` are those that its expressions use, `foreign` those among them that it does not declare itself. `needs` are
    the names that become dependencies if they are ids of other resources. `reads` are the fields selected from
    `schema`. A resource is `readable` where every expression in it could be read.
    `conditions` are the places of the expressions that are not in the template. `alias` is that of its form as a
    collection, `form` is as in `Resource`. `data` is the schema of a `def`. `is_untyped`: kro gives the node no type.
    `is_anonymous`: expressions cannot refer to the resource, because it has no id or one that kro refuses.
    """

    id: str | None
    type: ResourceType
    kind: KindName | None
    names: frozenset[str]
    foreign: frozenset[str]
    needs: tuple[str, ...]
    reads: frozenset[FieldNames]
    is_readable: bool
    conditions: frozenset[Place]
    alias: str
    form: ResourceForm = RESOURCE
    data: HeldObject | None = None
    is_untyped: bool = False
    is_anonymous: bool = True


@cached
def facts_of(resource: Resource) -> Facts:
    """Return the facts of a resource."""
    return Facts(
        resource.id,
        resource.type,
        kind_name(resource),
        names(resource),
        foreign_names(resource),
        dependency_names(resource),
        instance_paths(resource),
        is_readable(resource),
        set_of({each.place for each in resource.expressions} - OBJECT_PLACES),
        resource.collection.alias,
        resource.form,
        data_schema(resource),
        is_untyped(resource),
        _is_anonymous(resource),
    )


def _is_anonymous(resource: Resource) -> bool:
    if resource.id == "each" and resource.dialect.each_is_free:
        return False
    return resource.id is None or not resource.form.takes_id(resource.id)


class Declaration(Struct, frozen=True, gc=False):
    """What an id means for other parts; `is_repeated`: several resources have it.

    The other fields are as in `Facts`.
    """

    type: ResourceType
    kind: KindName | None
    data: HeldObject | None
    is_repeated: bool
    alias: str
    is_untyped: bool


def _declared(facts: Facts) -> Declaration:
    kind = None if facts.form.is_patch else facts.kind
    return Declaration(facts.type, kind, facts.data, False, facts.alias, facts.is_untyped)


class BlockFacts:
    """The facts of consecutive resources, and what follows from them together; equal by the facts.

    They are cached in the block of resources, so an edit computes them for one block.
    """

    def __init__(self, facts: tuple[Facts, ...]) -> None:
        self.facts = facts

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BlockFacts) and self.facts == other.facts

    __hash__ = None  # type: ignore[assignment]

    @cached_attribute
    def ids(self) -> tuple[str | None, ...]:
        """The id of each resource."""
        return tuple([each.id for each in self.facts])

    @cached_attribute
    def declarations(self) -> dict[str, Declaration]:
        """The declarations of the ids; of a repeated id, the first resource counts."""
        return {each.id: _declared(each) for each in reversed(self.facts) if each.id is not None}

    @cached_attribute
    def needs(self) -> tuple[tuple[str | None, tuple[str, ...]], ...]:
        """The id of each resource, with the names that become dependencies if they are ids."""
        return tuple([(each.id, each.needs) for each in self.facts])

    @cached_attribute
    def needed(self) -> frozenset[str]:
        """The names that become dependencies of any of the resources if they are ids."""
        return set_of(name for _, needs in self.needs for name in needs)

    @cached_attribute
    def needed_before(self) -> frozenset[str]:
        """Those of them that are needed before one of the resources declares them."""
        earlier: set[str | None] = set()
        found: set[str] = set()
        for resource, needs in self.needs:
            found.update([name for name in needs if name not in earlier])
            earlier.add(resource)
        return frozenset(found)

    @cached_attribute
    def names(self) -> frozenset[str]:
        """The names that any of the resources uses."""
        return union([each.names for each in self.facts])

    @cached_attribute
    def foreign(self) -> frozenset[str]:
        """The names that any of the resources uses without declaring them."""
        return union([each.foreign for each in self.facts])

    @cached_attribute
    def reads(self) -> frozenset[FieldNames]:
        """The fields that any of the resources selects from `schema`."""
        return union([each.reads for each in self.facts])

    @cached_attribute
    def kinds(self) -> frozenset[KindName]:
        """The kinds that the resources name."""
        return set_of(each.kind for each in self.facts if each.kind)

    @cached_attribute
    def aliased(self) -> frozenset[str | None]:
        """The ids of collections that have a further name."""
        return set_of(each.id for each in self.facts if each.alias)

    @cached_attribute
    def external(self) -> tuple[int, ...]:
        """The numbers of the external references in the block."""
        return tuple([number for number, each in enumerate(self.facts) if each.type.is_external])

    @cached_attribute
    def is_readable(self) -> bool:
        """Whether every expression of the resources could be read."""
        return all(each.is_readable for each in self.facts)

    @cached_attribute
    def is_conditional(self) -> bool:
        """Whether some resource has a condition."""
        return any(Place.INCLUDE_WHEN in each.conditions for each in self.facts)

    @cached_attribute
    def has_anonymous(self) -> bool:
        """Whether the id of some resource is missing or unusable."""
        return any(each.is_anonymous for each in self.facts)

    @cached_attribute
    def is_unfinished(self) -> bool:
        """Whether some resource does not say its kind."""
        return any(each.kind is None for each in self.facts)

    @cached_attribute
    def spellings(self) -> Spellings:
        """The ids, for suggestions."""
        return Spellings(tuple([each for each in self.ids if each is not None]))


@cached
def block_facts(block: Block[Resource]) -> BlockFacts:
    """Return the facts of consecutive resources."""
    return BlockFacts(tuple([facts_of(each) for each in block]))


class FactTable:
    """The facts of all resources of an RGD, in their order, and what follows from them; equal by the facts."""

    def __init__(self, blocks: tuple[BlockFacts, ...]) -> None:
        self.blocks = blocks

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FactTable) and self.blocks == other.blocks

    __hash__ = None  # type: ignore[assignment]

    @cached_attribute
    def facts(self) -> Blocks[Facts]:
        """The facts of each resource."""
        return Blocks(tuple([Block(block.facts) for block in self.blocks]))

    @cached_attribute
    def ids(self) -> tuple[tuple[str | None, ...], ...]:
        """The id of each resource, by block."""
        return tuple([block.ids for block in self.blocks])

    @cached_attribute
    def numbers(self) -> dict[str, int]:
        """The number of the first resource with each id, in the order of `spec.resources`."""
        found: dict[str, int] = {}
        for number, name in enumerate(chain.from_iterable(self.ids)):
            if name is not None and name not in found:
                found[name] = number
        return found

    @cached_attribute
    def repeated(self) -> frozenset[str]:
        """The ids that several resources have."""
        if self._are_all_different:
            return set_of(())
        counts = Counter(chain.from_iterable(self.ids))
        return set_of(name for name, count in counts.items() if name is not None and count > 1)

    @cached_attribute
    def declarations(self) -> dict[str, Declaration]:
        """The declarations of the ids."""
        found = self._first_declarations
        repeated = {name: replace(found[name], is_repeated=True) for name in self.repeated}
        return found | repeated if repeated else found

    @cached_attribute
    def _first_declarations(self) -> dict[str, Declaration]:
        return Joined(tuple([block.declarations for block in self.blocks]))

    @property
    def _are_all_different(self) -> bool:
        """Whether each resource has an id, which no other one has."""
        return len(self._first_declarations) == sum([len(block.facts) for block in self.blocks])

    @cached_attribute
    def dependencies(self) -> Dependencies:
        """The ids that each resource depends on; of several resources with one id, the first counts."""
        declared = self._first_declarations
        found: list[tuple[str, tuple[str, ...]]] = []
        for block in self.blocks:
            if None not in block.ids and block.needed <= declared.keys():  # as in most blocks, all names are ids
                found.extend(cast("Dependencies", block.needs))
                continue
            for name, needs in block.needs:
                if name is not None:
                    found.append((name, tuple([each for each in needs if each in declared])))
        if not self.repeated:
            return tuple(found)
        first: dict[str, tuple[str, ...]] = {}
        for name, needs in found:
            first.setdefault(name, needs)
        return tuple(first.items())

    @property
    def is_in_order(self) -> bool:
        """Whether each resource certainly depends on resources above it alone."""
        earlier: set[str | None] = set()
        for block in self.blocks:
            if not block.needed_before <= earlier:
                declared = self._first_declarations.keys()
                if not declared.isdisjoint(block.needed_before - earlier):
                    return False
            earlier.update(block.ids)
        return not self.repeated

    @cached_attribute
    def undeclared(self) -> frozenset[str]:
        """The names that resources use and that neither they nor others declare."""
        return self.undeclared_in(chain.from_iterable([block.foreign for block in self.blocks]))

    def undeclared_in(self, names: Iterable[str]) -> frozenset[str]:
        """Return those names that no resource declares."""
        return set_of(filterfalse(self._first_declarations.__contains__, names))

    @cached_attribute
    def kinds(self) -> frozenset[KindName]:
        """The kinds that resources name."""
        return union([block.kinds for block in self.blocks])

    @cached_attribute
    def reads(self) -> frozenset[FieldNames]:
        """The fields that resources select from `schema`."""
        return union([block.reads for block in self.blocks])

    @cached_attribute
    def aliased(self) -> frozenset[str | None]:
        """The ids of collections that have a further name."""
        return union([block.aliased for block in self.blocks])

    @cached_attribute
    def external(self) -> tuple[int, ...]:
        """The numbers of the external references."""
        starts = accumulate([len(block.facts) for block in self.blocks], initial=0)
        blocks = zip(starts, self.blocks, strict=False)
        return tuple([start + number for start, block in blocks for number in block.external])

    @cached_attribute
    def is_readable(self) -> bool:
        """Whether every expression of the resources could be read."""
        return all(block.is_readable for block in self.blocks)

    @property
    def is_conditional(self) -> bool:
        """Whether some resource has a condition."""
        return any(block.is_conditional for block in self.blocks)

    @cached_attribute
    def has_anonymous(self) -> bool:
        """Whether the id of some resource is missing, unusable or taken: a name may then mean that resource."""
        return not self._are_all_different or any(block.has_anonymous for block in self.blocks)

    @property
    def is_unfinished(self) -> bool:
        """Whether there are no resources, or one without a kind."""
        return not self.blocks or any(block.is_unfinished for block in self.blocks)


PARTS: Input[Blocks[Resource]] = Input("parts")
"""The resources of an RGD."""


@Query
def table(reader: Reader) -> FactTable:
    """Return the facts of the resources."""
    return FactTable(tuple([block_facts(block) for block in PARTS(reader).blocks]))


@cached
def kind_name(resource: Resource) -> KindName | None:
    """Return apiVersion and kind of a resource's object, None where they are missing or cannot name a kind."""
    api_version, kind = (text_of(field(resource.object, name)) for name in ("apiVersion", "kind"))
    if not api_version or not kind or not is_template_kind(kind):
        return None
    if api_version == "/" or api_version.count("/") > 1 or extract(api_version).expressions:
        return None
    return api_version, kind


@cached
def is_readable(part: Resource | SchemaSection) -> bool:
    """Whether every expression of a part could be read."""
    if isinstance(part, CutSection):
        return all(map(is_readable, parts_with_expressions(part)))
    return not part.faulty_texts and all(each.inspection.parsed.is_valid for each in part.expressions)


@cached
def instance_paths(part: Resource | SchemaSection) -> frozenset[FieldNames]:
    """Return the fields that a part's expressions select from `schema`, each as far as plain selections go."""
    if isinstance(part, CutSection):
        return in_parts(part, instance_paths)
    return union(instance_paths_of(each.inspection) for each in part.expressions)


@cached
def instance_paths_of(inspection: Inspection) -> frozenset[FieldNames]:
    """Return the fields that one expression selects from `schema`."""
    found: set[FieldNames] = set()
    pending = [inspection.parsed.root]
    while pending:
        node = pending.pop()
        fields: list[str] = []
        while type(node) is ast.Select:
            fields.append(node.field)
            node = node.operand
        if type(node) is ast.Identifier:
            if node.name == "schema":
                found.add(tuple(reversed(fields)))
        else:
            pending.extend(ast.children(node))
    return frozenset(found)
