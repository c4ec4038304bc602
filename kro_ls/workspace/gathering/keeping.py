"""Writes gathered definitions to a folder: the user's store, or one in a repository for colleagues and CI."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from kro_ls.openapi.json_values import as_list, as_object
from kro_ls.openapi.sources.container import compact_json
from kro_ls.openapi.sources.disk_cache import store_folder
from kro_ls.openapi.sources.provenance import Provenance
from kro_ls.openapi.sources.store import home_of, origin_in
from kro_ls.render.yaml_text import to_yaml
from kro_ls.workspace.gathering.part import Gathered, UnusableError
from kro_ls.workspace.rewriting import UnwritableFileError, write

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from kro_ls.openapi.json_values import JsonObject


class Kept(Struct, frozen=True):
    """A kind in a folder, with its origin and the change of its file."""

    group: str
    kind: str
    origin: Provenance
    change: Literal["added", "updated", "unchanged"]


def best_of_each(found: Iterable[Gathered]) -> list[Gathered]:
    """Return one definition of each kind: the one with most served versions, then the longest."""
    best: dict[tuple[str, str], Gathered] = {}
    for each in found:
        name = each.group, each.kind
        other = best.get(name)
        if other is None or _completeness(each.definition) > _completeness(other.definition):
            best[name] = each
    return [each for _, each in sorted(best.items())]


def keep(folder: Path, found: Iterable[Gathered], today: str) -> Iterator[Kept]:
    """Write definitions to a folder; `today` is the date of those whose origin has none.

    A file with the same definition stays unchanged, with its date. Raises UnusableError if writing fails.
    """
    for each in found:
        path = folder / str(home_of(each.group, each.kind))
        before = _text(path)
        origin = each.origin.over(Provenance(date=origin_in(before).date))
        if before and before == _written(each.definition, origin):
            yield Kept(each.group, each.kind, origin, "unchanged")
            continue
        origin = each.origin.over(Provenance(date=today))
        _write(path, _written(each.definition, origin))
        yield Kept(each.group, each.kind, origin, "updated" if before else "added")


def keep_in_store(found: Iterable[Gathered]) -> list[Kept]:
    """Write the best definition of each kind to the user's store. Raises UnusableError."""
    return list(keep(store_folder(), best_of_each(found), date.today().isoformat()))


def is_kept(folder: Path, group: str, origin: Provenance) -> bool:
    """Whether a folder has kinds of a group from the same source with the same digest."""
    try:
        homes = list((folder / group).iterdir())
    except OSError:
        return False
    kept = (origin_in(_text(home)) for home in homes)
    return any((each.source, each.digest) == (origin.source, origin.digest) for each in kept)


def _completeness(definition: JsonObject) -> tuple[int, int]:
    versions = as_list(as_object(definition.get("spec")).get("versions"))
    return sum(as_object(version).get("served") is True for version in versions), len(compact_json(definition))


def _written(definition: JsonObject, origin: Provenance) -> str:
    metadata = {**as_object(definition.get("metadata")), "annotations": origin.annotations}
    return to_yaml({**definition, "metadata": metadata})


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write(path, text)
    except UnwritableFileError as error:
        raise UnusableError(str(path), error.reason) from error
    except OSError as error:
        raise UnusableError(str(path.parent), f"cannot be made: {(error.strerror or str(error)).lower()}") from error
