"""What keys and values of YAML are completed to: a key with its colon and what it needs, the values of a schema.

Published schemas of Kubernetes have few enums; their descriptions name the values in prose.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from kro_ls.cursor.schemas.yaml import required_fields
from kro_ls.kro.places import BOOL_PLACES
from kro_ls.yaml_positions.scalars.writing import can_be_plain, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kro_ls.analysis.model.paths import Path
    from kro_ls.openapi.json_values import JsonValue
    from kro_ls.openapi.schema import Schema

_DEEPEST = 3
_MOST_STOPS = 12
NEW_RESOURCE = """\
id: ${1:name}
template:
  apiVersion: ${2:v1}
  kind: ${3:ConfigMap}
  metadata:
    name: \\${schema.metadata.name\\}$0"""
NEW_COLLECTION = """\
id: ${1:name}
forEach:
  - ${2:item}: \\${$3\\}
template:
  apiVersion: ${4:v1}
  kind: ${5:ConfigMap}
  metadata:
    name: \\${${2:item}\\}$0"""
NEW_EXTERNAL_REFERENCE = """\
id: ${1:name}
externalRef:
  apiVersion: ${2:v1}
  kind: ${3:ConfigMap}
  metadata:
    name: $4"""
_NEW_SCHEMA = """\
apiVersion: ${1:v1alpha1}
kind: ${2:App}
spec:
  ${3:name}: ${4:string}"""
NEW_RGD = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: ${1:app}
spec:
  schema:
    apiVersion: ${2:v1alpha1}
    kind: ${3:App}
    spec:
      ${4:name}: ${5:string | required=true}
  resources:
    - id: ${6:config}
      template:
        $0"""
_FIRST_TEMPLATE = """\
apiVersion: v1
        kind: ConfigMap
        metadata:
          name: \\${schema.spec.name\\}
"""
PLAIN_RGD = NEW_RGD.replace("$0", _FIRST_TEMPLATE)
"""For clients without snippets, which do not go on to the template."""
_CONDITIONS = "- \\${$1\\}"
_OWN_VALUES = {
    **{place.value: _CONDITIONS for place in BOOL_PLACES},
    "forEach": "- ${1:item}: \\${$2\\}",
    "template": "apiVersion: $1\nkind: $2\nmetadata:\n  name: $3",
    "externalRef": "apiVersion: $1\nkind: $2\nmetadata:\n  name: $3",
    "resources": "- " + NEW_RESOURCE.replace("\n", "\n  "),
    "schema": _NEW_SCHEMA,
    "spec": "schema:\n  " + _NEW_SCHEMA.replace("\n", "\n  ") + "\nresources:\n  - $0",
}
"""What the RGD's own fields begin with, where their schema does not say it."""
_LIST = re.compile(
    r"\b(?:(?:Must|Can|Should) be (?:one of |either )?|(?:One|either) of |"
    r"(?:Valid|Allowed|Supported|Possible|Permitted) (?:values?|options) (?:are|include):? |Supports )"
    r"((?:[\"'`]?[A-Z][A-Za-z0-9]+[\"'`]?(?:, or |, and | or | and |, |\b))+)"
)
_IN_BRACKETS = re.compile(r"\(([A-Z][A-Za-z0-9]+(?:(?:, or | or |, )[A-Z][A-Za-z0-9]+)+(?:, or | or |, )?)\)")
_CODE_LIST = re.compile(r": ((?:`[A-Za-z0-9]+`(?:, or |, and | or | and |, |(?=[.;]|$)))+)")
_CODE = re.compile(r"`([A-Za-z0-9]+)`")
_VALUE = re.compile(r"[A-Z][A-Za-z0-9]+")
_BULLETS = re.compile(
    r"(?:Valid|Allowed|Supported|Possible|Permitted)(?: enum)? values(?: are)?:\s((?:\s*- [^\n]+\n?)+)"
)
_STARS = re.compile(r"one of the following values:\s((?:.|\n)*)")
_STAR = re.compile(r"(?:^|\s)\* ([A-Z][A-Za-z0-9]+):")
_BULLET = re.compile(r"- [\"'`]([A-Za-z0-9]+)[\"'`]")
_FORMS = (
    (_BULLETS, _BULLET),
    (_STARS, _STAR),
    (_LIST, _VALUE),
    (_CODE_LIST, _CODE),
    (_IN_BRACKETS, _VALUE),
)


def key_text(name: str, schema: Schema, path: Path, *, own: bool, in_flow: bool) -> str:
    """Return the snippet for a key; lines after the first are indented from the key's column.

    `path` is the path of the field in its object; `own` is true for the RGD itself.
    """
    key = escaped(name if can_be_plain(name, in_flow=in_flow) else quoted(name))
    value = _OWN_VALUES.get(name) if own and not in_flow and _is_own_place(path) else None
    if value:
        return f"{key}:\n  " + value.replace("\n", "\n  ")
    return f"{key}:{_Writer(in_flow=in_flow).value(schema, path, 0, 0)}"


def _is_own_place(path: Path) -> bool:
    """Whether a path is that of a field with a text of its own: `spec`, `spec.schema`, `spec.resources[0].template`."""
    shape = tuple("*" if isinstance(step, int) else step for step in path[:-1])
    return shape in ((), ("spec",), ("spec", "resources", "*"))


def item_text(items: Schema, path: Path) -> str:
    """Return the snippet for a new item of a list, with its dash."""
    return "- " + _Writer(in_flow=False).item(items, path, 0, 0)


def required_text(name: str, schema: Schema, path: Path, *, stops: int) -> str:
    """Return the snippet for a field of an object and what it needs, after so many stops; empty if it needs nothing."""
    if not required_fields(schema, path):
        return ""
    return f"{escaped(name)}:{_Writer(in_flow=False, stops=stops).value(schema, path, 0, 0)}"


def plain_key_text(name: str, schema: Schema, *, in_flow: bool) -> str:
    """Return the key for a client that takes no snippets; what has lines of its own ends with the colon."""
    key = name if can_be_plain(name, in_flow=in_flow) else quoted(name)
    nested = not in_flow and {"object", "array"} & set(schema.types)
    return f"{key}:" if nested else f"{key}: "


def scalar_text(value: JsonValue, *, in_flow: bool = False) -> str:
    """Return a value of an enum or a default as YAML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    text = str(value)
    return text if not isinstance(value, str) or can_be_plain(text, in_flow=in_flow) else quoted(text)


def without_stops(snippet: str) -> str:
    """Return a snippet's text as it is shown, for a client that takes no snippets."""
    shown = re.sub(r"(?<!\\)\$(?:\{\d+:([^{}]*)\}|\d+)", lambda found: found[1] or "", snippet)
    return shown.replace("\\$", "$").replace("\\}", "}")


def escaped(text: str) -> str:
    """Return text that stands for itself in a snippet."""
    return text.replace("\\", "\\\\").replace("$", "\\$").replace("}", "\\}")


def values_of(schema: Schema) -> tuple[JsonValue, ...]:
    """Return the few values that a scalar can have: its enum or both booleans, the default first; or the default."""
    values: Iterable[JsonValue] = schema.enum or ((True, False) if schema.types == ("boolean",) else ())
    default = schema.default if isinstance(schema.default, (str, bool, int, float)) else None
    listed = [value for value in values if isinstance(value, (str, bool, int, float))]
    return tuple(dict.fromkeys(([default] if default is not None and default != "" else []) + listed))


class _Writer:
    """Writes the values of required fields, with a tab stop for each thing to fill in."""

    def __init__(self, *, in_flow: bool, stops: int = 0) -> None:
        self._in_flow = in_flow
        self._stops = stops

    def value(self, schema: Schema, path: Path, indent: int, depth: int) -> str:
        """Return what follows a key's colon."""
        types = schema.types
        if self._in_flow:
            opening, closing = ("{", "\\}") if "object" in types else ("[", "]") if "array" in types else ("", "")
            return f" {opening}{self._stop()}{closing}"
        line = "\n" + " " * (indent + 2)
        if "array" in types:
            items = schema.items
            return f"{line}- " + (self.item(items, (*path, 0), indent + 2, depth + 1) if items else self._stop())
        if "object" in types:
            return line + self._fields(schema, path, indent + 2, depth + 1)
        return " " + self._scalar(schema)

    def item(self, schema: Schema, path: Path, indent: int, depth: int) -> str:
        """Return what follows the dash of a list's item."""
        if "object" in schema.types:
            return self._fields(schema, path, indent + 2, depth)
        return self._stop() if "array" in schema.types else self._scalar(schema)

    def _fields(self, schema: Schema, path: Path, indent: int, depth: int) -> str:
        needed = required_fields(schema, path, is_object=path == ("metadata",))
        if not needed or depth > _DEEPEST or self._stops + len(needed) > _MOST_STOPS:
            return self._stop()
        children = [(name, schema.child(name)) for name in needed]
        return ("\n" + " " * indent).join(
            f"{escaped(name)}:{self.value(child, (*path, name), indent, depth)}" for name, child in children if child
        )

    def _scalar(self, schema: Schema) -> str:
        """Return the stop of a scalar: with its only value, or empty where several are offered there.

        It is no choice. In a choice VS Code asks no server, so an expression would be typed without completion.
        """
        values = [scalar_text(value, in_flow=self._in_flow) for value in values_of(schema)]
        return self._stop(escaped(values[0]) if len(values) == 1 else "")

    def _stop(self, placeholder: str = "") -> str:
        self._stops += 1
        return f"${{{self._stops}:{placeholder}}}" if placeholder else f"${self._stops}"


@lru_cache(maxsize=1024)  # searched in long descriptions
def described_values(description: str) -> tuple[str, ...]:
    """Return the values that a description of a string field lists, in its order; nothing in doubt."""
    for whole, each in _FORMS:
        listed = whole.search(description)
        found = each.findall(listed[1]) if listed else []
        if len(found) > 1:
            return tuple(dict.fromkeys(found))
    return ()
