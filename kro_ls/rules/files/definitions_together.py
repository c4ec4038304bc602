"""What keeps definitions from working together, although kro accepts each of them alone.

Source: kro `pkg/client/crd.go` ("owned by another"), `pkg/graph/builder.go` (the kinds of a template have to exist).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.analysis.names.dependency_graph import knots
from kro_ls.graphs import frames_of
from kro_ls.rules.diagnostics import PlacedRelated, RelatedFile, Severity
from kro_ls.rules.files.reported_places import reported, short_path, span_at
from kro_ls.rules.resources.conflicting_resources import RULE as CONFLICTING_RESOURCES
from kro_ls.rules.resources.conflicting_resources import shared_objects, wants_always
from kro_ls.rules.rule import Rule
from kro_ls.yaml_positions.nodes import node_at, text_of
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.facts import KindName
    from kro_ls.rules.diagnostics import Diagnostic
    from kro_ls.rules.settings import Settings


_KIND = ("spec", "schema", "kind")
_MOST_FILES = 3

OWNED = "CRD is owned by another ResourceGraphDefinition"

TAKEN_KIND = Rule(
    code="taken-kind",
    severity=Severity.WARNING,
    summary="Two definitions that are applied together declare the same kind.",
    explanation="""\
A kind belongs to the ResourceGraphDefinition that had it first. kro makes no CustomResourceDefinition for another one
that declares the same group and kind, whatever its version: it stays inactive. Give one of them another kind or group,
or the same name, if it is to take the other's place. Definitions in different files are reported where a
kustomization builds both. Where no kustomization decides, those in one folder get a hint: they may be variants
that are never applied together.""",
    kro_messages=(OWNED,),
)

KIND_CIRCLE = Rule(
    code="kind-circle",
    severity=Severity.WARNING,
    summary="Definitions need each other's kinds.",
    explanation="""\
kro accepts a definition when the kinds of its templates exist. Where two definitions, or more, use each other's kinds,
each waits for the other: in a cluster that does not have these kinds yet, all stay inactive. Move what both need into a
definition of its own, or into one of them. The definitions may be in different files; where several files declare a
kind, the nearest counts.""",
)

RULES = (TAKEN_KIND, KIND_CIRCLE)
"""They have no checks of their own: `workspace/check.py` calls the functions below, because it knows the files."""


class Elsewhere(Struct, frozen=True):
    """A definition in another file: its name, and the path of the file."""

    name: str
    path: str


class KindElsewhere(Struct, frozen=True):
    """A kind of a file, and definitions of other files that declare or need it.

    `is_sure`: as far as files show, they are applied together.
    """

    group: str
    kind: str
    others: tuple[Elsewhere, ...]
    is_sure: bool


class ObjectElsewhere(Struct, frozen=True):
    """An object of a definition in another file, by group, kind, name and namespace as written.

    `is_sure`: every instance of that definition makes the object, and the definition is applied together with the file.
    """

    identity: tuple[str, str, str, str]
    other: Elsewhere
    is_sure: bool


def check_together(rgds: Sequence[RgdAnalysis], settings: Settings) -> Iterator[Diagnostic]:
    """Yield what is wrong with definitions of one text, which are applied together, in document offsets."""
    named = {name: rgd for rgd in rgds if (name := _text(rgd, ("metadata", "name")))}
    yield from _taken(named, settings)
    yield from _in_circles(named, settings)
    yield from _of_one_object(named, settings)


def _taken(named: dict[str, RgdAnalysis], settings: Settings) -> Iterator[Diagnostic]:
    """Yield the definitions whose kind another one has; one with the same name would take its place instead."""
    owners: dict[tuple[str, str], str] = {}
    for name, rgd in named.items():
        kind = _text(rgd, _KIND)
        owner = owners.setdefault((rgd.section.group, kind), name) if rgd.section and kind else name
        if owner != name:
            related = (PlacedRelated(_kind_span(named[owner]), f"'{owner}' declares it here"),)
            message = f"'{owner}' declares this kind, too; kro gives it to one and refuses the other"
            yield from reported(TAKEN_KIND, settings, _kind_span(rgd), message, OWNED, related=related)


def _in_circles(named: dict[str, RgdAnalysis], settings: Settings) -> Iterator[Diagnostic]:
    """Yield the definitions that wait for each other's kinds, each once."""
    makers = {kind: name for name, rgd in reversed(named.items()) if (kind := _declared(rgd))}
    uses: dict[str, list[str]] = {}
    for name, rgd in named.items():
        used = {makers[kind] for frame in frames_of(rgd) for kind in frame.table.kinds if kind in makers}
        uses[name] = sorted(used - {name})
    for circle in knots(uses) if len(makers) > 1 else ():
        for name in uses:
            others = sorted(circle - {name})
            if name in circle and others:
                spans = ((other, _kind_span(named[other])) for other in others)
                related = tuple(PlacedRelated(span, f"'{other}' needs it, directly or not") for other, span in spans)
                message = f"this and '{others[0]}' need each other's kinds, so kro accepts neither in a new cluster"
                yield from reported(KIND_CIRCLE, settings, _kind_span(named[name]), message, related=related)


def _of_one_object(named: dict[str, RgdAnalysis], settings: Settings) -> Iterator[Diagnostic]:
    """Yield the resources whose object, the same for all instances, an earlier definition makes as well."""
    owners: dict[tuple[str, str, str, str], str] = {}
    for name, rgd in named.items():
        for shared, number in shared_objects(rgd).items():
            owner = owners.setdefault(shared, name)
            if owner != name:
                first = _name_span(named[owner], shared_objects(named[owner])[shared])
                related = (PlacedRelated(first, f"'{owner}' makes it here"),)
                message = f"'{owner}' makes this object, too, and it belongs to the instance that applies it first"
                yield from reported(CONFLICTING_RESOURCES, settings, _name_span(rgd, number), message, related=related)


def check_taken(
    rgds: Sequence[RgdAnalysis], taken: Iterable[KindElsewhere], settings: Settings
) -> Iterator[Diagnostic]:
    """Yield the definitions whose kind one of another name in another file declares, in document offsets."""
    for rgd, found in _about(rgds, taken):
        (other,) = found.others
        if other.name != _text(rgd, ("metadata", "name")):
            message = f"'{other.name}' in {short_path(other.path)} declares this kind, too; kro gives it to one of them"
            files = (RelatedFile(other.path, f"'{other.name}' declares it here"),)
            as_hint = not found.is_sure
            yield from reported(TAKEN_KIND, settings, _kind_span(rgd), message, OWNED, files=files, as_hint=as_hint)


def check_circles(
    rgds: Sequence[RgdAnalysis], circles: Iterable[KindElsewhere], settings: Settings
) -> Iterator[Diagnostic]:
    """Yield the definitions that definitions in other files need, and which need kinds of these."""
    for rgd, found in _about(rgds, circles):
        first = f"'{found.others[0].name}' in {short_path(found.others[0].path)}"
        message = f"this and {first} need each other's kinds, so kro accepts neither in a new cluster"
        others = found.others[:_MOST_FILES]
        files = tuple(RelatedFile(each.path, f"'{each.name}' needs it, directly or not") for each in others)
        yield from reported(KIND_CIRCLE, settings, _kind_span(rgd), message, files=files)


def check_objects(
    rgds: Sequence[RgdAnalysis], objects: Sequence[ObjectElsewhere], settings: Settings
) -> Iterator[Diagnostic]:
    """Yield the resources whose object, the same for all instances, a definition of another file makes as well."""
    for rgd in rgds if objects else ():
        own = _text(rgd, ("metadata", "name"))
        for (*kind_and_name, namespace), number in shared_objects(rgd).items():
            for found in objects:
                is_same = kind_and_name == [*found.identity[:3]] and namespace in ("", found.identity[3])
                if is_same and found.other.name != own:
                    maker = f"'{found.other.name}' in {short_path(found.other.path)}"
                    message = f"{maker} makes this object, too, and it belongs to the instance that applies it first"
                    files = (RelatedFile(found.other.path, f"'{found.other.name}' makes it here"),)
                    span, as_hint = _name_span(rgd, number), not (found.is_sure and wants_always(rgd, number))
                    yield from reported(CONFLICTING_RESOURCES, settings, span, message, files=files, as_hint=as_hint)


def _about(rgds: Sequence[RgdAnalysis], kinds: Iterable[KindElsewhere]) -> Iterator[tuple[RgdAnalysis, KindElsewhere]]:
    """Yield each definition with what is known of its kind."""
    for found in kinds:
        for rgd in rgds:
            if rgd.section and (rgd.section.group, rgd.section.kind) == (found.group, found.kind):
                yield rgd, found


def _declared(rgd: RgdAnalysis) -> KindName | None:
    kind, version = _text(rgd, _KIND), _text(rgd, ("spec", "schema", "apiVersion"))
    return (f"{rgd.section.group}/{version}", kind) if rgd.section and kind and version else None


def _text(rgd: RgdAnalysis, path: tuple[str, ...]) -> str | None:
    found = rgd.rgd.document.child(path)
    return text_of(found.node) if found else None


def _kind_span(rgd: RgdAnalysis) -> Span:
    return span_at(rgd.rgd.document, _KIND)


def _name_span(rgd: RgdAnalysis, number: int) -> Span:
    """Return where the name of a resource's object stands in the document."""
    name = node_at(rgd.parts[number].object, ("metadata", "name"))
    placed = rgd.rgd.places[number]
    return placed.span(name) if name else placed.document_span(Span(0, 0))
