"""What tells that an object of a kind is ready: what the table knows, else what its definition shows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from kro_ls.openapi.knowledge.signs import READY, Sign, condition, known_signs, result
from kro_ls.openapi.schema import Schema

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.kind_schema import GroupVersionKind, KindSchema

_USUAL_CONDITIONS: Final = {
    "Ready": READY.means,
    "Available": "is available",
    "Healthy": "is healthy",
    "Programmed": "is programmed",
    "Established": "is established",
    "Succeeded": "has succeeded",
    "Complete": "is complete",
    "Reconciled": "is reconciled",
    "Synced": "is synced",
    "Applied": "is applied",
    "Accepted": "is accepted",
}
"""Types of conditions that are true where all is well, the likeliest first, and what they tell."""

_USUAL_WORDS: Final = ("Ready", "Active", "Available", "Running", "Healthy", "Bound", "Succeeded", "Completed", "Valid")
_CONDITION_COLUMN = re.compile(r"""\.status\.conditions\[\?\(@\.type\s*==\s*["']([\w.-]+)["']\)\]\.status""")
_FIELD = re.compile(r"\{x\}\.status\.(\w+)")


def signs_of(group: str, kind: str, schema: KindSchema | None) -> tuple[Sign, ...]:
    """Return what tells that an object is ready, the best sign first; none where it has nothing to wait for.

    Of a kind that neither the table nor any schema knows, nothing is known: see `GUESS`.
    """
    known = known_signs(group, kind)
    if schema is None:
        return known or ()
    status = Schema(schema.schema).child("status")
    if status is None:
        return ()
    if known is None:
        return () if _is_built_in(schema.name) else tuple(_by_definition(schema, status))
    return tuple(each for each in known if _has_fields(each, status))


GUESS: Final = READY
"""What most controllers write, for kinds of which nothing is known."""


def _is_built_in(name: GroupVersionKind) -> bool:
    return "." not in name.group or name.group.endswith(".k8s.io")


def _has_fields(sign: Sign, status: Schema) -> bool:
    known = status.properties
    return not known or status.preserves_unknown_fields or known.keys() >= set(_FIELD.findall(sign.expression))


def _by_definition(kind: KindSchema, status: Schema) -> Iterator[Sign]:
    """Yield what the printer columns and the status of a custom kind suggest."""
    fields = status.properties
    if "conditions" in fields and _are_conditions(fields["conditions"]):
        shown = {found[1] for found in map(_CONDITION_COLUMN.search, kind.columns) if found}
        likeliest = next((each for each in _USUAL_CONDITIONS if each in shown), READY.condition)
        yield condition(likeliest, _USUAL_CONDITIONS[likeliest])
    for name in ("state", "phase"):
        if name in fields and "string" in fields[name].types:
            usual = "ACTIVE" if name == "state" else "Ready"
            value = _usual_value(fields[name]) if fields[name].enum else usual
            if value:
                yield result(name, value, f"is {value.lower()}")


def _usual_value(schema: Schema) -> str | None:
    by_word = {value.lower(): value for value in schema.enum if isinstance(value, str)}
    return next((by_word[word.lower()] for word in _USUAL_WORDS if word.lower() in by_word), None)


def _are_conditions(schema: Schema) -> bool:
    items = schema.items
    if items is None or "object" not in items.types:
        return False
    return not items.properties or items.properties.keys() >= {"type", "status"}
