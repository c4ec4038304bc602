"""Fills in the defaults of an object of one of Kubernetes' own kinds, in place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.openapi.json_values import as_object, copy_json

if TYPE_CHECKING:
    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.runtime.apiserver.default_table import Table


def fill_defaults(value: JsonValue, table: Table) -> None:
    """Fill in what a table says of an object, or of each item of a list."""
    if isinstance(value, list):
        for each in value:
            fill_defaults(each, table)
    if not isinstance(value, dict):
        return
    for name, default in table.items():
        if name.startswith("?"):
            if _holds(value, name.removeprefix("?")):
                fill_defaults(value, default)
        elif name.endswith("!"):
            fill_defaults(value.setdefault(name.removesuffix("!"), {}), default)
        elif isinstance(default, dict) and default:
            _fill_present(value, name, default)
        elif value.get(name) is None:
            value[name] = copy_json(default)


def _fill_present(value: JsonObject, name: str, table: Table) -> None:
    if name in value:
        fill_defaults(value[name], table)


def _holds(value: JsonObject, condition: str) -> bool:
    """Whether fields are as a condition says: there, absent (`name=`), or one of some texts (`name=a|b`)."""
    for part in condition.split("&"):
        name, is_compared, texts = part.partition("=")
        found = value.get(name)
        if not is_compared:
            fits = found is not None
        elif not texts:
            fits = found is None
        else:
            fits = found in texts.split("|")
        if not fits:
            return False
    return True


def spec_of(value: JsonObject) -> JsonObject:
    """Return the `spec` of an object, an empty one where there is none."""
    return as_object(value.get("spec"))
