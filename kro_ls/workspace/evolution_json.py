"""Changes of kinds as JSON data, for programs and assistants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.printable import unicode_text
from kro_ls.workspace.evolution import field_of, place_of_change

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.workspace.evolution import Evolution


def evolutions_json(found: Iterable[Evolution]) -> list[JsonObject]:
    """Return the changes of kinds as JSON data, with their places."""
    kinds: list[JsonObject] = []
    for each in found:
        group, kind = each.declared.kind
        changes = list(changes_json(each))
        instances: list[JsonValue] = [
            {"file": unicode_text(hit.path), "line": hit.text.position(hit.offset).line + 1, "message": hit.message}
            for hit in each.hits
        ]
        refused: list[JsonValue] = [
            {
                "resource": frozen.resource,
                "field": frozen.field,
                "message": frozen.message,
                "file": unicode_text(each.declared.path),
                "line": each.declared.text.position(frozen.offset).line + 1,
            }
            for frozen in each.frozen
        ]
        deleted: list[JsonValue] = [
            {
                "resource": pruned.resource,
                "kind": pruned.kind,
                "name": pruned.name,
                "message": pruned.message,
                "file": unicode_text(each.declared.path),
                "line": each.declared.text.position(pruned.offset).line + 1,
            }
            for pruned in each.pruned
        ]
        kinds.append(
            {
                "group": group,
                "kind": kind,
                "what": "added" if each.old is None else "removed" if each.new is None else "changed",
                "summary": each.summary,
                "breaking": [change for change, is_breaking in changes if is_breaking],
                "nonBreaking": [change for change, is_breaking in changes if not is_breaking],
                "refused": refused,
                "deleted": deleted,
                "instances": instances,
            }
        )
    return kinds


def changes_json(evolution: Evolution) -> Iterator[tuple[JsonObject, bool]]:
    """Yield the changes as JSON with their places in the new definition, and whether they are breaking."""
    declared = evolution.declared
    report = evolution.report
    for change in (*report.breaking, *report.non_breaking):
        span = place_of_change(declared.rgd, change)
        position = declared.text.position(span.start if span else declared.rgd.rgd.document.start)
        shown: JsonObject = {
            "field": field_of(change),
            "type": change.kro_type,
            "message": change.plain,
            "description": change.description,
            "path": change.kro_path,
            "file": unicode_text(declared.path),
            "line": position.line + 1,
            "column": position.column + 1,
        }
        yield shown, change in report.breaking
