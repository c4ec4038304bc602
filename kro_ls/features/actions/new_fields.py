"""New fields of the schema that take the place of a value: what they are called, and what declares them."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final

from kro_ls.kro.identifiers import to_lower_camel_case
from kro_ls.repairs.declarations import declaration, fields_of_instance

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.yaml_positions.writing import Replacement

TYPES: Final[dict[type, str]] = {str: "string", bool: "boolean", int: "integer", float: "float"}
"""The types of SimpleSchema by those of values."""

_PLAIN_DEFAULT = re.compile(r"[\w./:-]+")


def declared(rgd: RgdAnalysis | None, name: str, text: str) -> Replacement | None:
    """Return the edit that declares a field by a line of SimpleSchema."""
    escaped = text.replace("'", "''")
    return declaration(rgd, name, f"'{escaped}'" if "#" in text or ": " in text else text)


def default(value: object) -> str | None:
    """Return the marker that makes a value the default, None where it cannot be written."""
    if not isinstance(value, str):
        return f"default={json.dumps(value)}"
    if '"' in value or "\\" in value or not value.isprintable():
        return None
    return f"default={value}" if _PLAIN_DEFAULT.fullmatch(value) else f'default="{value}"'


def free_name(rgd: RgdAnalysis | None, name: str) -> str:
    """Return a name for a field that the schema does not have yet."""
    name = to_lower_camel_case(name) or "value"
    taken = fields_of_instance(rgd)
    return next(each for each in (name, *(f"{name}{number}" for number in range(2, 1000))) if each not in taken)
