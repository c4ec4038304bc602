"""What keeps definitions of different files from working together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.rules.diagnostics import Diagnostic, RelatedFile, Severity
from kro_ls.rules.files.definitions_together import KIND_CIRCLE, OWNED, TAKEN_KIND, name_of
from kro_ls.rules.files.reported_places import short_path, span_at
from kro_ls.rules.resources.conflicting_resources import RULE as CONFLICTING_RESOURCES
from kro_ls.rules.resources.conflicting_resources import shared_objects, wants_always
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


class ObjectElsewhere(Struct, frozen=True):
    """An object of a definition in another file, by group, kind, name and namespace as written.

    `is_sure` tells that every instance of it makes the object, and that it is applied together with the file.
    """

    identity: tuple[str, str, str, str]
    other: Elsewhere
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


def check_objects(
    rgds: Sequence[RgdAnalysis], objects: Sequence[ObjectElsewhere], settings: Settings
) -> Iterator[Diagnostic]:
    """Yield the resources whose object, the same for all instances, a definition of another file makes as well."""
    severity = settings.severity_of(CONFLICTING_RESOURCES)
    for rgd in rgds if severity and objects else ():
        own = _text(rgd, ("metadata", "name"))
        for (*kind_and_name, namespace), number in shared_objects(rgd).items():
            for found in objects:
                is_same = kind_and_name == [*found.identity[:3]] and namespace in ("", found.identity[3])
                if severity and is_same and found.other.name != own:
                    maker = f"'{found.other.name}' in {short_path(found.other.path)}"
                    message = f"{maker} makes this object, too, and it belongs to the instance that applies it first"
                    shown = severity if found.is_sure and wants_always(rgd, number) else Severity.HINT
                    files = (RelatedFile(found.other.path, f"'{found.other.name}' makes it here"),)
                    yield Diagnostic(CONFLICTING_RESOURCES.code, shown, name_of(rgd, number), message, files=files)


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
