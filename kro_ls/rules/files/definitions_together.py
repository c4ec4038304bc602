"""What keeps definitions from working together: those of one file, although kro takes each of them alone.

Source: kro `pkg/client/crd.go` ("owned by another"), `pkg/graph/builder.go` (the kinds of a template have to exist).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.names.dependency_graph import knots
from kro_ls.graphs import frames_of
from kro_ls.rules.diagnostics import Diagnostic, PlacedRelated, Severity
from kro_ls.rules.files.reported_places import span_at
from kro_ls.rules.resources.conflicting_resources import RULE as CONFLICTING_RESOURCES
from kro_ls.rules.resources.conflicting_resources import shared_objects
from kro_ls.rules.rule import Rule
from kro_ls.yaml_positions.access import node_at, text_of
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.facts import KindName
    from kro_ls.rules.settings import Settings

_KIND = ("spec", "schema", "kind")


def check_together(rgds: Sequence[RgdAnalysis], settings: Settings) -> Iterator[Diagnostic]:
    """Yield what is wrong with definitions that are applied together, in document offsets."""
    named = {name: rgd for rgd in rgds if (name := _text(rgd, ("metadata", "name")))}
    yield from _taken(named, settings)
    yield from _in_circles(named, settings)
    yield from _of_one_object(named, settings)


def _of_one_object(named: dict[str, RgdAnalysis], settings: Settings) -> Iterator[Diagnostic]:
    """Yield the resources whose object, the same for all instances, an earlier definition makes as well."""
    severity = settings.severity_of(CONFLICTING_RESOURCES)
    owners: dict[tuple[str, str, str, str], str] = {}
    for name, rgd in named.items() if severity else ():
        for shared, number in shared_objects(rgd).items():
            owner = owners.setdefault(shared, name)
            if owner != name and severity:
                before = name_of(named[owner], shared_objects(named[owner])[shared])
                related = (PlacedRelated(before, f"'{owner}' makes it here"),)
                message = f"'{owner}' makes this object, too, and it belongs to the instance that applies it first"
                yield Diagnostic(CONFLICTING_RESOURCES.code, severity, name_of(rgd, number), message, related)


def name_of(rgd: RgdAnalysis, number: int) -> Span:
    """Return where the name of a resource's object stands in the document."""
    name = node_at(rgd.parts[number].object, ("metadata", "name"))
    placed = rgd.rgd.places[number]
    return placed.span(name) if name else placed.document_span(Span(0, 0))


def _taken(named: dict[str, RgdAnalysis], settings: Settings) -> Iterator[Diagnostic]:
    """Yield the definitions whose kind another one has; one with the same name would take its place instead."""
    severity, owners = settings.severity_of(TAKEN_KIND), dict[tuple[str, str], str]()
    for name, rgd in named.items() if severity else ():
        kind = _text(rgd, _KIND)
        owner = owners.setdefault((rgd.section.group, kind), name) if rgd.section and kind else name
        if owner != name and severity:
            related = PlacedRelated(span_at(named[owner].rgd.document, _KIND), f"'{owner}' declares it here")
            message = f"'{owner}' declares this kind, too; kro gives it to one and refuses the other"
            span = span_at(rgd.rgd.document, _KIND)
            yield Diagnostic(TAKEN_KIND.code, severity, span, message, (related,), kro_message=OWNED)


def _in_circles(named: dict[str, RgdAnalysis], settings: Settings) -> Iterator[Diagnostic]:
    """Yield the definitions that wait for each other's kinds, each once."""
    severity = settings.severity_of(KIND_CIRCLE)
    makers = {kind: name for name, rgd in reversed(named.items()) if (kind := _declared(rgd))}
    uses: dict[str, list[str]] = {}
    for name, rgd in named.items():
        used = {makers[kind] for frame in frames_of(rgd) for kind in frame.table.kinds if kind in makers}
        uses[name] = sorted(used - {name})
    for circle in knots(uses) if severity and len(makers) > 1 else ():
        for name in uses:
            if name in circle and len(circle) > 1 and severity:
                others = sorted(circle - {name})
                spans = ((other, span_at(named[other].rgd.document, _KIND)) for other in others)
                related = tuple(PlacedRelated(span, f"'{other}' needs it, directly or not") for other, span in spans)
                message = f"this and '{others[0]}' need each other's kinds, so kro accepts neither in a new cluster"
                span = span_at(named[name].rgd.document, _KIND)
                yield Diagnostic(KIND_CIRCLE.code, severity, span, message, related)


def _declared(rgd: RgdAnalysis) -> KindName | None:
    kind, version = _text(rgd, _KIND), _text(rgd, ("spec", "schema", "apiVersion"))
    return (f"{rgd.section.group}/{version}", kind) if rgd.section and kind and version else None


def _text(rgd: RgdAnalysis, path: tuple[str, ...]) -> str | None:
    found = rgd.rgd.document.child(path)
    return text_of(found.node) if found else None


OWNED = "CRD is owned by another ResourceGraphDefinition"

TAKEN_KIND = Rule(
    code="taken-kind",
    severity=Severity.WARNING,
    summary="Two definitions that are applied together declare the same kind.",
    explanation="""\
A kind belongs to the ResourceGraphDefinition that had it first. kro makes no CustomResourceDefinition for another one
that declares the same group and kind, whatever its version: it stays inactive. Give one of them another kind or group,
or the same name, if it is to take the other's place. Of definitions in different files this is said where a
kustomization builds both. Where no kustomization decides, a hint tells of those in one folder: they may be variants
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
"""They have no checks of their own: `workspace/check.py` asks, which knows what else there is."""
