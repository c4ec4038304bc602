"""The fields of the schema: what varies between the inputs, with a type, and the first input's value as default."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.authoring.from_manifests.template_text import TOKENS, default_text, member, quoted_text
from kro_ls.kro.identifiers import to_lower_camel_case
from kro_ls.openapi.json_values import as_list, as_object, as_text, value_at

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kro_ls.authoring.from_manifests.draft_resources import DraftResource
    from kro_ls.authoring.from_manifests.input_objects import Path
    from kro_ls.openapi.json_values import JsonObject, JsonValue

_GENERIC: Final = frozenset({"name", "value", "number", "key", "type", "path", "data", "items", "spec"})
_ARGUMENT: Final = re.compile(r"--?([A-Za-z][\w.-]*)=")
_ASSIGNED: Final = re.compile(r"\s*[\"']?([A-Za-z_][\w.-]*)[\"']?\s*[:=]")
_STAGES: Final = frozenset(
    "dev development test testing qa int integration staging stage uat prod production live".split()
)
_FIRST: Final = ("enabled", "image", "version", "tag", "replicas", "port", "host")
"""The names of fields that people look for first."""


class Described(Struct, frozen=True):
    """A field's type and description in a chart's schema of values."""

    type: str = ""
    description: str = ""
    enum: tuple[str, ...] = ()


_NOTHING_SAID: Final = Described()


class Field(Struct, frozen=True, eq=False):
    """A field of the schema: its path, the value in each input (None where it does not matter), and what it is for."""

    path: tuple[str, ...]
    values: tuple[JsonValue, ...]
    why: str
    described: Described = _NOTHING_SAID

    @property
    def code(self) -> str:
        """The CEL that reads it."""
        return member("schema.spec", self.path)

    @property
    def default(self) -> JsonValue:
        """The value in the first input that has one."""
        return next((each for each in self.values if each is not None), None)

    @property
    def declaration(self) -> str:
        """The field's text in SimpleSchema."""
        type_ = self.described.type or type_of([each for each in self.values if each is not None])
        text = f"{type_} | default={default_text(self.default)}"
        if self.described.enum:
            text += f' enum="{",".join(self.described.enum)}"'
        if self.described.description:
            text += f" description={quoted_text(self.described.description)}"
        return text


class Fields:
    """The fields so far. Values that vary alike share one."""

    def __init__(self) -> None:
        self.all: list[Field] = []

    def field(
        self,
        names: Sequence[str],
        values: tuple[JsonValue, ...],
        why: str,
        group: str = "",
        described: Described = _NOTHING_SAID,
    ) -> Field:
        """Return the field with such values, a new one with the first free name where there is none."""
        known = next((each for each in self.all if self._is_shared(each, names, values)), None)
        if known is not None:
            filled = tuple(a if a is not None else b for a, b in zip(known.values, values, strict=True))
            field = Field(known.path, filled, known.why, known.described)
            self.all[self.all.index(known)] = field
            return field
        field = Field(self._free(names, group), values, why, described)
        self.all.append(field)
        return field

    def at(
        self, path: tuple[str, ...], values: tuple[JsonValue, ...], why: str, described: Described = _NOTHING_SAID
    ) -> Field:
        """Return the field at a path, a new one where there is none."""
        known = next((each for each in self.all if each.path == path), None)
        if known is None:
            self.all.append(known := Field(path, values, why, described))
        return known

    def schema(self) -> dict[str, JsonValue]:
        """Return `spec.schema.spec`: the fields that people look for first, then the others as they came."""
        tree: dict[str, JsonValue] = {}
        ranks = dict(zip(_FIRST, range(-len(_FIRST), 0), strict=True))
        for each in sorted(self.all, key=lambda each: (len(each.path) > 1, ranks.get(each.path[-1], 0))):
            _set_at(tree, each.path, each.declaration)
        return tree

    def spec_of(self, number: int) -> JsonObject:
        """Return the spec of the instance for an input: what is not the default."""
        tree: JsonObject = {}
        for each in self.all:
            value = each.values[number]
            if value is not None and (value != each.default or value.__class__ is not each.default.__class__):
                _set_at(tree, each.path, value)
        return tree

    def _is_shared(self, field: Field, names: Sequence[str], values: tuple[JsonValue, ...]) -> bool:
        pairs = [(a, b) for a, b in zip(field.values, values, strict=True) if a is not None and b is not None]
        is_equal = bool(pairs) and all(a == b and a.__class__ is b.__class__ for a, b in pairs)
        is_text = all(isinstance(each, str) for each, _ in pairs)
        is_varied = len({json.dumps(each) for each, _ in pairs}) > 1
        return is_equal and ((is_text and is_varied) or field.path[-1] == names[0])

    def _free(self, names: Sequence[str], group: str) -> tuple[str, ...]:
        taken = {each.path for each in self.all} | {each.path[:1] for each in self.all if len(each.path) > 1}
        prefix = (group,) if group else ()
        numbered = (f"{names[-1]}{number}" for number in range(2, 1000))
        return next(path for path in ((*prefix, each) for each in (*names, *numbered)) if path not in taken)


def _set_at(tree: JsonObject, path: tuple[str, ...], value: JsonValue) -> None:
    for name in path[:-1]:
        tree = tree.setdefault(name, {})  # type: ignore[assignment]
    tree[path[-1]] = value


def names_for(resource: DraftResource, path: Path, text: str = "") -> list[str]:
    """Return names for a field whose value stands at a path, or in a line of a text there; the shortest first."""
    words = _words(resource.first, path, text)
    base = _camel(words)
    own = _camel([resource.word or resource.id, *words])
    return [base, own] if base else [own]


def name_of_part(values: Sequence[str]) -> str:
    """Return the name for a word that varies within texts, empty where the word suggests none."""
    return "environment" if _STAGES.issuperset(each.lower() for each in values) else ""


def _words(value: JsonObject, path: Path, text: str) -> list[str]:
    found = _ARGUMENT.match(text) or _ASSIGNED.match(text)
    if found:
        return [found[1]]
    keys = [each for each in path if isinstance(each, str)]
    key = keys[-1]
    holder = as_object(value_at(value, path[:-1]))
    if key == "value" and as_text(holder.get("name")):
        return [as_text(holder["name"])]
    if key == "image" and len(as_list(value_at(value, path[:-2]))) > 1:  # there are other containers
        return [as_text(holder.get("name")), key]
    if len(keys) > 1 and keys[-2] in ("limits", "requests"):
        return [key] if key == "storage" else [key, keys[-2][:-1]]
    if isinstance(path[-1], int):
        return [key.removesuffix("s")]
    if key in _GENERIC and keys[:-1] in (["spec"], ["metadata"], ["data"]):
        return [as_text(value.get("kind")), key]
    if key in _GENERIC and len(keys) > 1:
        return [keys[-2].removesuffix("s"), key]
    return [key.rpartition("/")[2]]


def _camel(words: Sequence[str]) -> str:
    parts = [part for word in words for part in re.split(r"[^A-Za-z0-9]+", word) if part]
    name = to_lower_camel_case("-".join(part.lower() if part.isupper() else part for part in parts)) or ""
    return f"{name}Value" if name in TOKENS else name


def type_of(values: Sequence[JsonValue]) -> str:
    """Return the type in SimpleSchema that holds some values."""
    if all(isinstance(each, bool) for each in values):
        return "boolean"
    if all(isinstance(each, int) and not isinstance(each, bool) for each in values):
        return "integer"
    if all(isinstance(each, int | float) and not isinstance(each, bool) for each in values):
        return "float"
    if all(isinstance(each, str) for each in values):
        return "string"
    if all(isinstance(each, list) for each in values):
        items = [item for each in values if isinstance(each, list) for item in each]
        inner = type_of(items) if items else "string"
        return f"[]{inner}"
    if all(isinstance(each, dict) for each in values):
        texts = [text for each in values if isinstance(each, dict) for text in each.values()]
        if texts and all(isinstance(each, str) for each in texts):
            return "map[string]string"
    return "object"
