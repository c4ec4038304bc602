"""What keeps definitions of different files from working together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.rules.diagnostics import Diagnostic, RelatedFile, Severity
from kro_ls.rules.files.definitions_together import KIND_CIRCLE, OWNED, TAKEN_KIND
from kro_ls.rules.files.reported_places import short_path, span_at
from kro_ls.yaml_positions.access import text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.rules.settings import Settings

_MOST_FILES = 3


class Elsewhere(Struct, frozen=True):
    """A definition in another file: its name, and the path of the file."""

    name: str
    path: str


class KindElsewhere(Struct, frozen=True):
    """A kind of a file, and definitions of other files that have to do with it.

    `is_sure` tells that they are applied together, as far as files tell.
    """

    group: str
    kind: str
    others: tuple[Elsewhere, ...]
    is_sure: bool


def check_taken(
    rgds: Sequence[RgdAnalysis], taken: Iterable[KindElsewhere], settings: Settings
) -> Iterator[Diagnostic]:
    """Yield the definitions whose kind one of another name in another file declares, in document offsets."""
    severity = settings.severity_of(TAKEN_KIND)
    for rgd, found in _about(rgds, taken) if severity else ():
        (other,) = found.others
        if severity and other.name != _text(rgd, ("metadata", "name")):
            message = f"'{other.name}' in {short_path(other.path)} declares this kind, too; kro gives it to one of them"
            files = (RelatedFile(other.path, f"'{other.name}' declares it here"),)
            shown = severity if found.is_sure else Severity.HINT
            span = span_at(rgd.rgd.document, _KIND)
            yield Diagnostic(TAKEN_KIND.code, shown, span, message, kro_message=OWNED, files=files)


def check_circles(
    rgds: Sequence[RgdAnalysis], circles: Iterable[KindElsewhere], settings: Settings
) -> Iterator[Diagnostic]:
    """Yield the definitions that definitions in other files need, and which need kinds of these."""
    severity = settings.severity_of(KIND_CIRCLE)
    for rgd, found in _about(rgds, circles) if severity else ():
        if severity:
            first = f"'{found.others[0].name}' in {short_path(found.others[0].path)}"
            message = f"this and {first} need each other's kinds, so kro accepts neither in a new cluster"
            said = (RelatedFile(each.path, f"'{each.name}' needs it, directly or not") for each in found.others)
            files = tuple(said)[:_MOST_FILES]
            yield Diagnostic(KIND_CIRCLE.code, severity, span_at(rgd.rgd.document, _KIND), message, files=files)


_KIND = ("spec", "schema", "kind")


def _about(rgds: Sequence[RgdAnalysis], kinds: Iterable[KindElsewhere]) -> Iterator[tuple[RgdAnalysis, KindElsewhere]]:
    """Yield what is said of the kind of each definition."""
    for found in kinds:
        for rgd in rgds:
            if rgd.section and (rgd.section.group, rgd.section.kind) == (found.group, found.kind):
                yield rgd, found


def _text(rgd: RgdAnalysis, path: tuple[str, ...]) -> str | None:
    found = rgd.rgd.document.child(path)
    return text_of(found.node) if found else None
