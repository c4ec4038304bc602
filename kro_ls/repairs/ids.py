"""New names for resources whose id kro refuses, with all their uses."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kro_ls.analysis.model.model import Resource
from kro_ls.analysis.names.references import Meaning, meaning, references
from kro_ls.kro.identifiers import RESERVED_WORDS, is_lower_camel_case, to_lower_camel_case
from kro_ls.kro.places import Place as Where
from kro_ls.rules.diagnostics import Fix
from kro_ls.spelling import similar
from kro_ls.yaml_positions.nodes import field, text_of
from kro_ls.yaml_positions.scalars.writing import Replacement

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

    from kro_ls.cursor.parts import PlacedPart
    from kro_ls.repairs.place import Place
    from kro_ls.yaml_positions.positions import Span


def renamed_id(place: Place) -> Iterator[Fix]:
    """Yield new names for an id that must change; names that expressions use already come first."""
    part = place.part
    if part is None or not isinstance(part.part, Resource) or part.part.id_node is None or part.part.id is None:
        return
    old = part.part.id
    declared = part.span(part.part.id_node.span)
    for name in unresolved_names(place):
        yield Fix(f"Rename to '{name}'", (Replacement(declared, name),))
    taken = {each.part.id for each in place.parts if isinstance(each.part, Resource)}
    is_repeated = sum(isinstance(each.part, Resource) and each.part.id == old for each in place.parts) > 1
    uses = tuple(_own_uses(part, old)) if is_repeated else tuple(_uses(place, old))
    for name in _proposals(old, _kind(part.part), taken):
        if name not in taken and name not in RESERVED_WORDS and is_lower_camel_case(name):
            spans = dict.fromkeys((declared, *uses))
            yield Fix(f"Rename to '{name}'", tuple(Replacement(span, name) for span in spans))


def added_id(place: Place) -> Iterator[Fix]:
    """Yield ids for a resource that has none: names that expressions use, otherwise one derived from its kind."""
    part = place.part
    if part is None or not isinstance(part.part, Resource) or part.part.id is not None:
        return
    taken = {each.part.id for each in place.parts if isinstance(each.part, Resource)}
    kind = to_lower_camel_case(_kind(part.part) or "resource") or "resource"
    names = (*unresolved_names(place), kind, *(f"{kind}{number}" for number in range(2, 9)))
    for fix in place.diagnostic.fixes:
        for name in names:
            if name not in taken and name not in RESERVED_WORDS:
                edits = tuple(
                    Replacement(each.span, each.text.replace("myResource", name)) for each in fix.replacements
                )
                yield Fix(f"Add 'id: {name}'", edits)


def unresolved_names(place: Place) -> tuple[str, ...]:
    """Return the undeclared names that expressions use; those similar to the marked text come first."""
    ids = {each.part.id for each in place.parts if isinstance(each.part, Resource) and each.part.id}
    found = dict.fromkeys(
        reference.name
        for each in place.parts
        for reference in references(each.part)
        if meaning(reference.name, each.part, ids) is Meaning.UNKNOWN and is_lower_camel_case(reference.name)
    )
    return tuple(dict.fromkeys((*similar(place.marked, found), *found)))[:4]


def _proposals(old: str, kind: str | None, taken: AbstractSet[str | None]) -> Iterator[str]:
    """Yield new names, likely ones first; only another spelling of the name if that is enough."""
    camel = to_lower_camel_case(old)
    of_kind = to_lower_camel_case(kind) if kind else None
    if camel and camel != old:
        yield camel
        if of_kind:
            yield of_kind
        if camel not in taken and is_lower_camel_case(camel) and camel not in RESERVED_WORDS:
            return
    capital = kind[0].upper() + kind[1:] if kind else "Resource"
    base = camel or "my"
    if base.lower() not in capital.lower() and capital.lower() not in base.lower():
        yield f"{base}{capital}"
    if of_kind:
        yield of_kind
    yield f"{base}Resource"
    yield from (f"{base}{number}" for number in range(2, 9))


def _kind(resource: Resource) -> str | None:
    kind = text_of(field(resource.object, "kind")) or ""
    return kind if kind.isalnum() else None


def _own_uses(part: PlacedPart, name: str) -> Iterator[Span]:
    """Yield the uses in the resource's own readiness: all other uses of a repeated id mean its first resource."""
    for reference in references(part.part):
        if reference.name == name and reference.expression.place is Where.READY_WHEN:
            yield part.span(reference.span)


def _uses(place: Place, name: str) -> Iterator[Span]:
    word = re.compile(rf"(?<![\w.\-]){re.escape(name)}(?![\w\-])")
    for part in place.parts:
        for reference in references(part.part):
            if reference.name == name:
                yield part.span(reference.span)
        if name.isidentifier():
            continue
        for expression in part.part.expressions:
            for match in word.finditer(expression.text):
                yield part.span(expression.span(*match.span()))
