"""What other parts of an RGD, and the RGD as a whole, may want to know of a resource.

Facts are compared by value: an edit that leaves them as they were changes nothing outside of the resource.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from itertools import compress
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from kro_ls.analysis.id_numbers import IdNumbers
from kro_ls.analysis.memory import remembered
from kro_ls.analysis.model.extraction import extract
from kro_ls.analysis.model.model import ResourceType
from kro_ls.analysis.model.sections import CutSection, parts_with_expressions
from kro_ls.analysis.names.graph import Graph
from kro_ls.analysis.names.references import dependency_names, foreign_names, mentioned_names, names
from kro_ls.analysis.sets import set_of, union
from kro_ls.analysis.summary import EXTERNAL, Block, Summary, block_of, joined
from kro_ls.analysis.types.data import data_schema, is_untyped
from kro_ls.cel.syntax import ast
from kro_ls.kro import names as kro_names
from kro_ls.kro.graph_schema import is_node_id
from kro_ls.kro.places import Place
from kro_ls.yaml_positions.access import field, text_of
from kro_ls.yaml_positions.blocks import Blocks, difference

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from kro_ls.analysis.model.model import Resource, SchemaSection
    from kro_ls.analysis.model.sections import SectionEntry
    from kro_ls.analysis.names.inspection import Inspection
    from kro_ls.openapi.json_values import HeldObject
    from kro_ls.yaml_positions.blocks import Difference

KindName: TypeAlias = tuple[str, str]
"""An `apiVersion` and a `kind`."""

FieldNames: TypeAlias = tuple[str, ...]
"""Fields selected one after the other."""


class Facts(Struct, frozen=True, gc=False):
    """The facts of one resource.

    `names` are those that its expressions use, `foreign` those among them that it does not declare itself, `mentioned`
    both and its own id. `needs` are the names that become dependencies if they are ids of other resources. `reads` are
    the fields selected from `schema`; `fields` those of `spec` that they begin with, None where one takes `spec` or the
    instance as a whole, or begins with no field. A resource is `readable` where every expression in it could be read.
    `conditions` are the places of the expressions that are not in the template. `alias` is that of its form as a
    collection, `form` is as in `Resource`. `data` is the schema of a `def`, `is_untyped` tells that kro gives a node no
    type, `is_anonymous` that expressions cannot refer to the resource: it has no id, or one that kro does not take.
    """

    id: str | None
    type: ResourceType
    kind: KindName | None
    names: frozenset[str]
    foreign: frozenset[str]
    mentioned: frozenset[str]
    needs: tuple[str, ...]
    reads: frozenset[FieldNames]
    fields: frozenset[str] | None
    is_readable: bool
    conditions: frozenset[Place]
    alias: str
    form: str | None = None
    data: HeldObject | None = None
    is_untyped: bool = False
    is_anonymous: bool = True


@remembered
def facts_of(resource: Resource) -> Facts:
    """Return the facts of a resource."""
    return Facts(
        resource.id,
        resource.type,
        kind_name(resource),
        names(resource),
        foreign_names(resource),
        mentioned_names(resource),
        dependency_names(resource),
        instance_paths(resource),
        _fields(instance_paths(resource)),
        is_readable(resource),
        set_of(
            expression.place
            for expression in resource.expressions
            if expression.place not in (Place.TEMPLATE, Place.EXTERNAL_REFERENCE)
        ),
        resource.collection.alias,
        resource.form,
        data_schema(resource),
        is_untyped(resource),
        _is_anonymous(resource),
    )


def _is_anonymous(resource: Resource) -> bool:
    if resource.id is None:
        return True
    if resource.form is not None:
        return not is_node_id(resource.id)
    is_free = resource.id == "each" and resource.dialect.each_is_free
    is_reserved = resource.id in kro_names.RESERVED_WORDS and not is_free
    return is_reserved or not kro_names.is_lower_camel_case(resource.id)


@remembered
def facts_of_output(output: SchemaSection) -> Facts:
    """Return the facts of a part of the schema section, as far as it has some: which names and fields it reads."""
    paths = instance_paths(output)
    return Facts(
        None,
        ResourceType.RESOURCE,
        None,
        names(output),
        foreign_names(output),
        mentioned_names(output),
        (),
        paths,
        _fields(paths),
        is_readable(output),
        frozenset(),
        alias="",
    )


_FIELDS_OF_INSTANCES = ("apiVersion", "kind", "metadata", "spec")


def _fields(paths: frozenset[FieldNames]) -> frozenset[str] | None:
    if any(not path or path == ("spec",) or path[0] not in _FIELDS_OF_INSTANCES for path in paths):
        return None
    return set_of(path[1] for path in paths if path[0] == "spec")


class Declaration(Struct, frozen=True, gc=False):
    """What an id means for others; `is_repeated` tells that it may be one of several resources.

    The other fields are as in `Facts`.
    """

    type: ResourceType
    kind: KindName | None
    data: HeldObject | None
    is_repeated: bool
    alias: str
    is_untyped: bool


_GROUP = 16
"""Blocks whose facts are joined at once."""


class FactTable:
    """The facts of all resources of an RGD, in their order, and what follows from them."""

    def __init__(self, facts: Blocks[Facts], before: FactTable | None = None) -> None:
        known: dict[int, Block] = {id(block.facts): block for block in before.blocks} if before else {}
        self.facts = facts
        self.blocks: tuple[Block, ...] = tuple(known.get(id(each)) or block_of(each) for each in facts.blocks)
        self.numbers: IdNumbers = IdNumbers(self.blocks, before.numbers if before else None)
        self._since: tuple[Blocks[Facts], Difference] | None = None
        """The facts before an edit, and where they may differ."""
        self._graph_before: Graph | None = None
        self._summaries_before = before.__dict__.get("_summaries") if before else None

    @classmethod
    def of(cls, resources: Blocks[Resource], resources_before: Blocks[Resource], before: FactTable | None) -> FactTable:
        """Return the table of some resources: the one before an edit, if it changed no facts."""
        if before is None:
            return cls(Blocks.of(map(facts_of, resources)))
        edited = difference(resources_before, resources)
        start, before_end, end = edited
        new = tuple(map(facts_of, resources[start:end]))
        if new == before.facts[start:before_end]:
            return before
        table = cls(before.facts.replaced(start, before_end, new), before)
        table._since = before.facts, edited
        table._graph_before = before.graph
        table.undeclared = table._undeclared_since(before, edited)
        return table

    @classmethod
    def of_outputs(
        cls, outputs: Blocks[SectionEntry], outputs_before: Blocks[SectionEntry], before: FactTable | None
    ) -> FactTable:
        """Return the table of entries of a status: the one before an edit, if it changed no facts."""
        if before is None:
            return cls(Blocks.of(map(facts_of_output, outputs)))
        start, before_end, end = difference(outputs_before, outputs)
        new = tuple(map(facts_of_output, outputs[start:end]))
        unchanged = new == before.facts[start:before_end]
        return before if unchanged else cls(before.facts.replaced(start, before_end, new), before)

    @cached_property
    def ids(self) -> Blocks[str | None]:
        """The id of each resource."""
        return Blocks(tuple(block.ids for block in self.blocks))

    @cached_property
    def repeated(self) -> frozenset[str]:
        """The ids that several resources have."""
        if len(self.numbers) == len(self.facts):
            return set_of(())
        return frozenset(name for name, count in Counter(self.ids).items() if name is not None and count > 1)

    @cached_property
    def summary(self) -> Summary:
        """What is true of all these resources together."""
        return joined(self._summaries.values())

    @cached_property
    def _summaries(self) -> dict[tuple[Block, ...], Summary]:
        """What is true of blocks that follow one another: after an edit, nearly all of them are as before."""
        before, self._summaries_before = self._summaries_before or {}, None
        groups = (self.blocks[start : start + _GROUP] for start in range(0, len(self.blocks), _GROUP))
        return {group: before.get(group) or joined(block.summary for block in group) for group in groups}

    @cached_property
    def undeclared(self) -> frozenset[str]:
        """The names that resources use and that neither they nor others declare."""
        return self.undeclared_among(self.numbers)

    def _undeclared_since(self, before: FactTable, edited: Difference) -> frozenset[str]:
        gone = (facts.id for facts in before.facts[edited.start : edited.before_end] if facts.id is not None)
        new = (facts.foreign for facts in self.facts[edited.start : edited.end])
        possible = self.numbers.undeclared(before.undeclared.union(gone, *new))
        return frozenset(name for name in possible if self.uses((name,)))

    def undeclared_among(self, ids: IdNumbers) -> frozenset[str]:
        """Return the names that are used and that neither their users nor these ids declare."""
        return union([ids.undeclared(block.foreign) for block in self.blocks])

    @property
    def has_anonymous(self) -> bool:
        """Whether the id of some resource is missing, unusable or taken: a name may then mean that resource."""
        return len(self.numbers) < len(self.facts) or self.summary.has_anonymous

    @cached_property
    def graph(self) -> Graph:
        """The dependencies among the resources; of several with one id, the first counts."""
        before, self._graph_before = self._graph_before, None
        return Graph(self, before, self._since[1] if self._since else None)

    def uses(self, names: Iterable[str]) -> bool:
        """Whether some resource uses one of these names without declaring it."""
        return any(not block.foreign.isdisjoint(names) for block in self.blocks)

    def declaration(self, name: str) -> Declaration | None:
        """Return what an id means for others."""
        number = self.numbers.get(name)
        if number is None:
            return None
        facts = self.facts[number]
        kind = None if facts.form == "patch" else facts.kind
        return Declaration(facts.type, kind, facts.data, name in self.repeated, facts.alias, facts.is_untyped)

    def changed_names(self, before: FactTable) -> frozenset[str]:
        """Return the ids that mean something else than in the table before, or are new, or gone."""
        if self is before:
            return frozenset()
        known = self._since and self._since[0] is before.facts
        start, before_end, end = self._since[1] if self._since and known else difference(before.facts, self.facts)
        touched = {facts.id for facts in (*before.facts[start:before_end], *self.facts[start:end])}
        return frozenset(
            name for name in touched if name is not None and self.declaration(name) != before.declaration(name)
        )

    def numbers_mentioning(self, changed: frozenset[str]) -> Iterator[int]:
        """Return the numbers of the resources that mention one of these names."""
        if not changed:
            return iter(())
        touched = [not changed.isdisjoint(block.mentioned) for block in self.blocks]
        return self.numbers_where(touched, lambda facts: not changed.isdisjoint(facts.mentioned))

    def numbers_using(self, undeclared: frozenset[str]) -> Iterator[int]:
        """Return the numbers of the resources that use one of these names without declaring it."""
        touched = [not undeclared.isdisjoint(block.foreign) for block in self.blocks]
        return self.numbers_where(touched, lambda facts: not undeclared.isdisjoint(facts.foreign))

    def numbers_using_themselves(self) -> Iterator[int]:
        """Return the numbers of the resources that use their own id."""
        touched = [block.summary.uses_itself for block in self.blocks]
        return self.numbers_where(touched, lambda facts: facts.id in facts.names)

    def numbers_of_external(self) -> Iterator[int]:
        """Return the numbers of the external references."""
        touched = [block.summary.has_external for block in self.blocks]
        return self.numbers_where(touched, lambda facts: facts.type in EXTERNAL)

    def numbers_where(self, touched: list[bool], holds: Callable[[Facts], bool]) -> Iterator[int]:
        """Yield the numbers of the facts for which something holds, in the blocks where that can be."""
        for start, block in compress(zip(self.facts.starts, self.blocks, strict=False), touched):
            yield from (number for number, facts in enumerate(block.facts, start) if holds(facts))


@remembered
def kind_name(resource: Resource) -> KindName | None:
    """Return apiVersion and kind of a resource's object, None where they are missing or cannot name a kind."""
    api_version, kind = (text_of(field(resource.object, name)) for name in ("apiVersion", "kind"))
    if not api_version or not kind or not kro_names.is_template_kind(kind):
        return None
    if api_version == "/" or api_version.count("/") > 1 or extract(api_version).expressions:
        return None
    return api_version, kind


@remembered
def is_readable(part: Resource | SchemaSection) -> bool:
    """Whether every expression of a part could be read."""
    if isinstance(part, CutSection):
        return all(map(is_readable, parts_with_expressions(part)))
    return not part.faulty_texts and not any(each.inspection.parsed.errors for each in part.expressions)


@remembered
def instance_paths(part: Resource | SchemaSection) -> frozenset[FieldNames]:
    """Return the fields that a part's expressions select from `schema`, each as far as plain selections go."""
    if isinstance(part, CutSection):
        return union(map(instance_paths, parts_with_expressions(part)))
    return union(instance_paths_of(each.inspection) for each in part.expressions)


@remembered
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
