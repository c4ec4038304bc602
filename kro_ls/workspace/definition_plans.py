"""What a change does to the definitions themselves: which are new, gone, changed or refused, and where."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.crd.compatibility import CompatibilityError
from kro_ls.runtime.plans.plan import DefinitionPlan, SchemaChange
from kro_ls.workspace.evolution import evolutions, field_of, place_of_change

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.workspace.editions import Edition, GroupKind, ServedKind
    from kro_ls.workspace.evolution import Declared, Evolution

_HALF_REFUSED = "kro does not change its schema, but makes the new objects with the old one"
_RESOURCES_CHANGED = "its resources changed, its schema did not"


def definition_plans(old: Edition, new: Edition) -> Iterator[DefinitionPlan]:
    """Yield what becomes of each definition that is not as it was; files that are the same are not looked at."""
    before, after = (_served(edition, other) for edition, other in ((old, new), (new, old)))
    found: dict[GroupKind, Evolution] = {}
    try:
        changed = evolutions((each.declared for each in before), (each.declared for each in after), {})
        found = {each.declared.kind: each for each in changed}
    except CompatibilityError:
        pass
    meanings = {each.declared.kind: each.meaning for each in before}
    for each in after:
        evolution = found.pop(each.declared.kind, None)
        if evolution is not None or meanings.get(each.declared.kind) != each.meaning:
            yield _plan_of(each, evolution)
    for gone in found.values():
        if gone.new is None and gone.declared.kind not in new.homes:
            yield DefinitionPlan(_called(gone.declared), gone.declared.path, gone.summary, is_refused=True)


def _served(edition: Edition, other: Edition) -> list[ServedKind]:
    changed = (path for path in edition.paths if edition.texts[path] != other.texts.get(path))
    return [each for path in changed for each in edition.served_in(path)]


def _plan_of(served: ServedKind, evolution: Evolution | None) -> DefinitionPlan:
    declared = served.declared
    changes = [] if evolution is None else list(_changes(evolution))
    if served.refused:
        refused = _at(declared, served.refused_at, f"kro refuses it: {served.refused}", is_refused=True)
        return DefinitionPlan(_called(declared), declared.path, "kro refuses it", (refused, *changes), is_refused=True)
    if evolution is None or not changes:
        summary = "a new kind" if evolution and evolution.old is None else _RESOURCES_CHANGED
        return DefinitionPlan(_called(declared), declared.path, summary)
    is_refused = any(each.is_refused for each in changes)
    summary = evolution.summary
    if evolution.report.breaking and evolution.is_breaking:
        summary = f"{_HALF_REFUSED}: {summary}"
    return DefinitionPlan(_called(declared), declared.path, summary, tuple(changes), is_refused)


def _changes(evolution: Evolution) -> Iterator[SchemaChange]:
    declared, report = evolution.declared, evolution.report
    for change in (*report.breaking, *report.non_breaking):
        span = place_of_change(declared.rgd, change)
        field = field_of(change)
        is_refused = change in report.breaking and evolution.is_breaking
        message = f"{field}: {change.plain}" if field else change.plain
        yield _at(declared, span.start if span else declared.rgd.rgd.document.start, message, is_refused=is_refused)
    for frozen in evolution.frozen:
        if not frozen.resource:  # what becomes of objects is told of each instance
            yield _at(declared, frozen.offset, f"the API server refuses it: {frozen.message}", is_refused=True)


def _at(declared: Declared, offset: int, message: str, *, is_refused: bool) -> SchemaChange:
    position = declared.text.position(offset)
    return SchemaChange(message, declared.path, position.line + 1, position.column + 1, is_refused)


def _called(declared: Declared) -> str:
    group, kind = declared.kind
    return f"{kind} ({group})"
