"""What applying an edited manifest makes of an object that exists."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kro_ls.openapi.json_values import JsonObject, JsonValue


def applied_again(stored: JsonObject, before: JsonObject, after: JsonObject) -> JsonObject:
    """Return a stored object after its manifest, which was `before`, was edited and applied again.

    What the manifest did not say stays: the API server wrote the defaults of that time into the object, and a new
    default changes nothing. A list that was edited is written anew.
    """
    kept = {name: value for name, value in stored.items() if name in after or name not in before}
    return {**kept, **{name: _value(stored.get(name), before.get(name), value) for name, value in after.items()}}


def _value(stored: JsonValue, before: JsonValue, after: JsonValue) -> JsonValue:
    if isinstance(stored, dict) and isinstance(after, dict):
        return applied_again(stored, before if isinstance(before, dict) else {}, after)
    return stored if isinstance(after, list) and isinstance(stored, list) and before == after else after
