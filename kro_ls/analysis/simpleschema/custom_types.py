"""The order in which custom types are built, and the cycles that prevent one (kro pkg/graph/dag).

Reaching a type through a list or a map counts as well: SimpleSchema expands every type where it is used, so no type can
contain itself.
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from kro_ls.analysis.names.dependency_graph import knots, shortest_cycle, topological_order
from kro_ls.analysis.simpleschema.results import SchemaError, TypeReference
from kro_ls.analysis.simpleschema.suggestions import unknown_type_message
from kro_ls.shortening import shortened


class TypeOrder(Struct, frozen=True):
    """`order` has every type after those it uses; types that contain themselves come first and are in `recursive`."""

    order: tuple[str, ...]
    recursive: frozenset[str]
    errors: tuple[SchemaError, ...]


def order_types(references: Mapping[str, Sequence[TypeReference]]) -> TypeOrder:
    """Return the build order of the types that are the keys, each with the references in its definition.

    Ties are broken by name, as kro does. The errors come in document order of the types they are found at.
    """
    uses = {
        name: tuple(dict.fromkeys(r.name for r in found if r.name in references)) for name, found in references.items()
    }
    order = _sorted(uses, frozenset())
    components = knots(uses) if len(order) < len(uses) else []
    recursive = frozenset[str]().union(*components)
    errors: list[tuple[int, SchemaError]] = []
    position = {name: number for number, name in enumerate(references)}
    for name, found in references.items():
        errors += [
            (position[name], error) for reference in found if (error := _reference_error(name, reference, references))
        ]
    for component in components:
        if len(component) > 1:
            errors.append(_cycle_error(component, uses, references, position))
    errors.sort(key=lambda numbered: numbered[0])
    if recursive:
        order = _sorted(uses, recursive)
    return TypeOrder(order, recursive, tuple(error for _, error in errors))


def _reference_error(
    name: str, reference: TypeReference, references: Mapping[str, Sequence[TypeReference]]
) -> SchemaError | None:
    if reference.name == name:
        message = f"the type '{name}' cannot hold itself, not even in a list or map"
        kro_message = "self references are not allowed"
        return SchemaError(reference.root, reference.path, reference.span, message, kro_message, "recursive-type")
    if reference.name in references:
        return None
    message, suggestions = unknown_type_message(reference.name, references)
    kro_message = f"node {reference.name} does not exist"
    return SchemaError(
        reference.root, reference.path, reference.span, message, kro_message, "unknown-type", suggestions
    )


def _cycle_error(
    component: frozenset[str],
    uses: Mapping[str, Sequence[str]],
    references: Mapping[str, Sequence[TypeReference]],
    position: Mapping[str, int],
) -> tuple[int, SchemaError]:
    """Report one cycle through the types of a component, at the reference by which the last of them closes it."""
    cycle = shortest_cycle(min(component, key=position.__getitem__), uses, component)
    closing = max(range(len(cycle)), key=lambda number: position[cycle[number]])
    cycle = cycle[closing:] + cycle[:closing]
    links = [
        next(reference for reference in references[user] if reference.name == used)
        for user, used in zip(cycle, cycle[1:] + cycle[:1], strict=True)
    ]
    chain = " -> ".join((*cycle, cycle[0]))
    error = SchemaError(
        links[0].root,
        links[0].path,
        links[0].span,
        f"the types '{shortened(chain)}' hold each other; kro cannot write them out",
        f"cyclic dependency in type {cycle[0]}: graph contains a cycle: {chain}",
        "recursive-type",
        related=tuple(links[1:]),
    )
    return position[cycle[0]], error


def _sorted(uses: Mapping[str, Sequence[str]], recursive: frozenset[str]) -> tuple[str, ...]:
    """Return the recursive types, then the others in topological order with ties by name, as far as cycles allow."""
    others = [
        (name, tuple(each for each in uses[name] if each not in recursive))
        for name in sorted(uses)
        if name not in recursive
    ]
    return (*(name for name in uses if name in recursive), *topological_order(tuple(others)))
